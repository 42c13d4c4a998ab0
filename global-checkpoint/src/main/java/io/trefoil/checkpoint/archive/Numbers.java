/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

/** Numbers with a space between them. */
final class Numbers {

    private Numbers() {}

    /** @throws IllegalArgumentException if there are not that many numbers */
    static long[] parse(String text, int count) {
        String[] words = text.split(" ", -1);
        if (words.length != count) {
            throw new IllegalArgumentException("Wanted " + count + " numbers, found '" + text + "'");
        }
        long[] numbers = new long[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = Long.parseLong(words[i]);
        }
        return numbers;
    }
}
