/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.Arrays;

/** Measures how far two words are apart, to suggest which one was probably meant. */
public final class EditDistance {
    private EditDistance() {}

    /** Returns the number of letters that must be inserted, deleted or changed to turn one word into the other (Levenshtein). */
    public static int between(String one, String other) {
        int[] row = new int[other.length() + 1];
        Arrays.setAll(row, column -> column);
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}
