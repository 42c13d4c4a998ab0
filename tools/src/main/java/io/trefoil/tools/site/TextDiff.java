/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import java.util.Arrays;
import java.util.List;

/** The difference between two texts that differ in one place, as {@code diff -u} shows it. */
final class TextDiff {
    private static final int CONTEXT = 3;

    private final List<String> before;
    private final List<String> after;
    private final String name;

    TextDiff(String name, String before, String after) {
        this.name = name;
        this.before = lines(before);
        this.after = lines(after);
    }

    private static List<String> lines(String text) {
        return Arrays.asList(text.split("\r?\n", -1));
    }

    /** The lines, each with its end; empty if there is no difference. */
    @Override
    public String toString() {
        if (before.equals(after)) {
            return "";
        }
        int same = 0;
        while (same < before.size() && same < after.size() && before.get(same).equals(after.get(same))) {
            same++;
        }
        int tail = 0;
        while (tail < before.size() - same
                && tail < after.size() - same
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        int from = Math.max(0, same - CONTEXT);
        int to = Math.max(0, tail - CONTEXT);
        StringBuilder text = new StringBuilder("--- " + name + "\n+++ " + name + "\n@@ -" + (from + 1) + ","
                + (before.size() - to - from) + " +" + (from + 1) + "," + (after.size() - to - from) + " @@\n");
        appendLines(text, ' ', before.subList(from, same));
        appendLines(text, '-', before.subList(same, before.size() - tail));
        appendLines(text, '+', after.subList(same, after.size() - tail));
        appendLines(text, ' ', after.subList(after.size() - tail, after.size() - to));
        return text.toString();
    }

    private static void appendLines(StringBuilder text, char sign, List<String> lines) {
        lines.forEach(line -> text.append(sign).append(line).append('\n'));
    }
}
