/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of a configuration file, with or without Trefoil's block. */
final class SiteText {
    private static final String BEGIN =
            "<!-- hdfs trefoil: all up to its end is removed by \"hdfs trefoil disable\". -->";
    private static final String END = "<!-- hdfs trefoil: end. -->";

    /** The root's end tag, and everything that may hide one. */
    private static final Pattern TOKEN =
            Pattern.compile("<!--.*?-->|<!\\[CDATA\\[.*?]]>|<\\?.*?\\?>|(?<end></configuration\\s*>)", Pattern.DOTALL);

    private final String text;

    SiteText(String text) {
        this.text = text;
    }

    boolean hasBlock() {
        return text.contains(BEGIN);
    }

    /**
     * The text with the block, in place of an earlier one.
     *
     * @throws IllegalArgumentException if it is not a Hadoop configuration, or has half a block
     */
    SiteText withBlock(Map<String, String> properties) {
        return withBlock("", properties);
    }

    /** Like the other {@code withBlock}, with additional lines before the properties of the block. */
    SiteText withBlock(String head, Map<String, String> properties) {
        String without = withoutBlock().text;
        SiteProperties.parse(without);
        int end = endTag(without);
        int line = without.lastIndexOf('\n', end - 1) + 1;
        boolean alone = without.substring(line, end).trim().isEmpty();
        int at = alone ? line : end;
        String newLine = without.contains("\r\n") ? "\r\n" : "\n";
        return new SiteText(without.substring(0, at)
                + block(head, properties, newLine)
                + (alone ? newLine : "")
                + without.substring(at));
    }

    /** The position where the root element ends: the last end tag outside comments. */
    private static int endTag(String text) {
        int end = text.length();
        Matcher token = TOKEN.matcher(text);
        while (token.find()) {
            if (token.group("end") != null) {
                end = token.start();
            }
        }
        if (end == text.length()) {
            throw new IllegalArgumentException("Wanted </configuration> at the end, found none");
        }
        return end;
    }

    private static String block(String head, Map<String, String> properties, String newLine) {
        StringBuilder block = new StringBuilder(BEGIN).append(newLine).append(head.replace("\n", newLine));
        properties.forEach((name, value) -> block.append("  <property>")
                .append(newLine)
                .append("    <name>")
                .append(escape(name))
                .append("</name>")
                .append(newLine)
                .append("    <value>")
                .append(escape(value))
                .append("</value>")
                .append(newLine)
                .append("  </property>")
                .append(newLine));
        return block.append(END).toString();
    }

    private static String escape(String value) {
        return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    /**
     * The text as it was before it got the block; unchanged if it has none.
     *
     * @throws IllegalArgumentException if there are several blocks, or one lacks its beginning or end
     */
    SiteText withoutBlock() {
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 && end < 0) {
            return this;
        }
        if (begin < 0 || end < begin || text.lastIndexOf(BEGIN) != begin || text.lastIndexOf(END) != end) {
            throw new IllegalArgumentException("Wanted one block from '" + BEGIN + "' to '" + END
                    + "', found these lines otherwise; repair them by hand");
        }
        int after = end + END.length();
        boolean alone = begin == 0 || text.charAt(begin - 1) == '\n';
        if (alone && text.startsWith("\r\n", after)) {
            after += 2;
        } else if (alone && text.startsWith("\n", after)) {
            after++;
        }
        return new SiteText(text.substring(0, begin) + text.substring(after));
    }

    /** The whole text. */
    @Override
    public String toString() {
        return text;
    }
}
