/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.Locale;

/** What somebody has said of whom nobody knows yet who he is, so that it can stand in a log: he must not write lines of his own there. */
public final class PrintableText {

    private PrintableText() {}

    /** The same text with {@code \\uXXXX} for what a terminal or a reader of the log could take for the end of a line, or act upon. */
    public static String of(String said) {
        StringBuilder text = new StringBuilder(said.length());
        for (int i = 0; i < said.length(); i++) {
            char c = said.charAt(i);
            if (Character.isISOControl(c) || isSeparator(c)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** Those that end a line or a paragraph, and those that change the direction of what follows. */
    private static boolean isSeparator(char c) {
        int type = Character.getType(c);
        return type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR || type == Character.FORMAT;
    }
}
