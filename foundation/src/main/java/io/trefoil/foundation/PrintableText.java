/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.Locale;

/** Makes text from an unauthenticated peer safe to log: the peer must not be able to forge lines there. */
public final class PrintableText {

    private PrintableText() {}

    /** The text with {@code \\uXXXX} for each character that a terminal or a log reader could interpret as a line end or a command. */
    public static String of(String message) {
        StringBuilder text = new StringBuilder(message.length());
        for (int i = 0; i < message.length(); i++) {
            char c = message.charAt(i);
            if (Character.isISOControl(c) || isSeparator(c)) {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        return text.toString();
    }

    /** Whether a character ends a line or a paragraph, or changes the direction of the text after it. */
    private static boolean isSeparator(char c) {
        int type = Character.getType(c);
        return type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR || type == Character.FORMAT;
    }
}
