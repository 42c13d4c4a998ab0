/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/** Identifies a journal by the id of the nameservice whose edit log it is. Also the name of its directory. Immutable. */
@AutoValue
public abstract class JournalId {

    /**
     * Names the journal of a nameservice.
     *
     * @throws IllegalArgumentException if the text cannot be the name of a directory
     */
    public static JournalId of(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean safe = c == '-' || c == '_' || c == '.' || (c < 128 && Character.isLetterOrDigit(c));
            if (!safe) {
                throw new IllegalArgumentException(
                        "A journal id is made of letters, digits, '-', '_' and '.', found '" + text + "'");
            }
        }
        if (text.isEmpty() || text.length() > 128 || text.startsWith(".")) {
            throw new IllegalArgumentException(
                    "A journal id has 1 to 128 characters and no '.' in front, found '" + text + "'");
        }
        return new AutoValue_JournalId(text);
    }

    public abstract String text();

    @Override
    public final String toString() {
        return text();
    }
}
