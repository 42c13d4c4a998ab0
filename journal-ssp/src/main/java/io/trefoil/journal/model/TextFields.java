/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import java.nio.charset.StandardCharsets;

/** Validates texts that become words in lines of space-separated words. */
final class TextFields {

    /** A host name has up to 253 bytes; a writer's id adds a UUID. Whatever is made of words is sent and stored whole. */
    static final int MAX_BYTES = 512;

    private TextFields() {}

    /** The text itself, if it is exactly one word, and no longer than {@link #MAX_BYTES} in UTF-8. */
    static String requireToken(String fieldName, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("Empty " + fieldName);
        }
        int size = text.getBytes(StandardCharsets.UTF_8).length;
        if (size > MAX_BYTES) {
            throw new IllegalArgumentException("A " + fieldName + " of " + size + " bytes, the limit is " + MAX_BYTES
                    + ": '" + text.substring(0, 50) + "...'");
        }
        for (int i = 0; i < text.length(); i++) {
            if (Character.isWhitespace(text.charAt(i)) || Character.isISOControl(text.charAt(i))) {
                throw new IllegalArgumentException("White space in " + fieldName + " '" + text + "'");
            }
        }
        return text;
    }
}
