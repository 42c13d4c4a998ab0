/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

/** Numbers with a space between them. */
final class NumberList {

    private NumberList() {}

    /** @throws IllegalArgumentException if there are not that many numbers */
    static long[] parse(String text, int count) {
        return parse(text, count, count);
    }

    /** @throws IllegalArgumentException if there are fewer or more numbers */
    static long[] parse(String text, int fewest, int most) {
        String[] words = text.split(" ", -1);
        if (words.length < fewest || words.length > most) {
            throw new IllegalArgumentException(
                    "Wanted " + (fewest == most ? "" : fewest + " to ") + most + " numbers, found '" + text + "'");
        }
        long[] numbers = new long[words.length];
        for (int i = 0; i < words.length; i++) {
            numbers[i] = Long.parseLong(words[i]);
        }
        return numbers;
    }
}
