/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

/** Checks the texts that are written into lines of space-separated words. */
final class Words {

    private Words() {}

    /** The text itself, if it is exactly one word. */
    static String one(String what, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("Empty " + what);
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isWhitespace(text.charAt(i)) || Character.isISOControl(text.charAt(i))) {
                throw new IllegalArgumentException("White space in " + what + " '" + text + "'");
            }
        }
        return text;
    }
}
