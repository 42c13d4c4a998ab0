/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The messages that pages quote for operators, who look for what they have seen. A text in backticks with four words or more, which is no
 * command, is one. Our code has to say it, in one string or in several that follow each other. What differs each time is left out: names,
 * numbers, paths, and what the page itself leaves out with an ellipsis.
 */
final class QuotedMessages {
    private static final int MIN_WORDS = 4;
    private static final int MIN_CONSECUTIVE_WORDS = 3;

    /** Commands and their options; and what is between two texts in backticks that end on the next line. */
    private static final Pattern NONE = Pattern.compile(" -|[=$<>|*]|^[^\\w…']|[ (]$"
            + "|^(?:hdfs|hadoop|promtool|systemctl|sudo|journal|image|checkpoint|restore|table|subtree|group) ");

    private static final Pattern DIFFERENT_EACH_TIME = Pattern.compile("…|[^ ]*(?:[0-9/]|\\w\\.\\w)[^ ]*|\\b[A-Z]+\\b");

    private static final Pattern STRING_CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern STRING = Pattern.compile("\"([^\"\\n]*)\"");

    /** What Hadoop and the JDK say. */
    private static final Set<String> FOREIGN_MESSAGES = Set.of(
            "Cannot find key of appropriate type",
            "Cannot locate a registered namenode",
            "Clock skew too great",
            "Couldn't create proxy provider null",
            "Failed to find any Kerberos tgt",
            "FencedException: Writer of epoch",
            "Invalid class specified for ssp",
            "No common protection layer between client and server",
            "No valid credentials provided",
            "Request is a replay",
            "Server not found in Kerberos database",
            "does not exist in RefreshRegistry",
            "listed multiple times in",
            "ls: Couldn't create proxy provider null");

    private static final char END = '\n';

    private final Set<String> strings = new HashSet<>();
    /** All of them, each between two ends. */
    private final StringBuilder all = new StringBuilder().append(END);

    /** Learns what a file of code says. */
    void addSource(String code) {
        STRING.matcher(STRING_CONCATENATION.matcher(code).replaceAll(""))
                .results()
                .forEach(found -> {
                    String string = found.group(1).replace("\\n", " ").trim();
                    if (strings.add(string)) {
                        all.append(string).append(END);
                    }
                });
    }

    /** The words of a quoted text that nothing says; empty if there are none, or it is no message. */
    Optional<String> findUnknownWords(String quoted) {
        if (countWords(quoted) < MIN_WORDS || NONE.matcher(quoted).find()) {
            return Optional.empty();
        }
        return DIFFERENT_EACH_TIME
                .splitAsStream(quoted)
                .map(part -> part.replaceAll("^\\W+|\\W+$", ""))
                .filter(part ->
                        countWords(part) >= MIN_CONSECUTIVE_WORDS && !FOREIGN_MESSAGES.contains(part) && !isKnown(part))
                .findFirst();
    }

    private static int countWords(String text) {
        return text.split(" ", -1).length;
    }

    private boolean isKnown(String words) {
        return all.indexOf(words) >= 0 || isJoined(words, head -> all.indexOf(head + END) >= 0);
    }

    private boolean isContinuation(String words) {
        return all.indexOf(END + words) >= 0 || isJoined(words, strings::contains);
    }

    private boolean isJoined(String words, Predicate<String> begins) {
        for (int space = words.indexOf(' '); space > 0; space = words.indexOf(' ', space + 1)) {
            if (begins.test(words.substring(0, space)) && isContinuation(words.substring(space + 1))) {
                return true;
            }
        }
        return false;
    }
}
