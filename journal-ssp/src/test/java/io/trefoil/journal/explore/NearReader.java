/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

/**
 * An observer that may read beside a node. It asks for one lease at a time.
 *
 * @param asked the writer that it asked, from 1; 0 if it waits for no answer
 * @param answered the epoch of the writer that granted what was asked for; 0 if no answer is on its way
 * @param askedAgo for how many ticks it has waited
 * @param held the epoch of the writer that granted the lease which it has; 0 if it has none
 * @param heldAgo how many ticks ago that lease began
 */
record NearReader(int asked, int answered, int askedAgo, int held, int heldAgo) {

    static final NearReader IDLE = new NearReader(0, 0, 0, 0, 0);

    private static final int BITS = 5;
    private static final int MASK = (1 << BITS) - 1;

    static NearReader of(int code) {
        return new NearReader(part(code, 0), part(code, 1), part(code, 2), part(code, 3), part(code, 4));
    }

    private static int part(int code, int number) {
        return (code >> (number * BITS)) & MASK;
    }

    /** All of it in one number, 0 for one that does nothing. */
    int code() {
        int code = 0;
        for (int part : new int[] {heldAgo, held, askedAgo, answered, asked}) {
            code = (code << BITS) | part;
        }
        return code;
    }

    boolean isWaiting() {
        return asked > 0;
    }

    NearReader asking(int writer) {
        return new NearReader(writer + 1, 0, 0, held, heldAgo);
    }

    /** A writer has granted what it was asked for. */
    NearReader granted(int epoch) {
        return new NearReader(asked, epoch, askedAgo, held, heldAgo);
    }

    /** It has been refused, or never hears an answer. */
    NearReader refused() {
        return new NearReader(0, 0, 0, held, heldAgo);
    }

    /** The answer has arrived: the lease began some ticks ago. */
    NearReader holding(int age) {
        return new NearReader(0, 0, 0, answered, age);
    }

    /** A tick later. */
    NearReader aged(int maximum) {
        return new NearReader(
                asked,
                answered,
                asked > 0 ? Math.min(maximum, askedAgo + 1) : 0,
                held,
                held > 0 ? Math.min(maximum, heldAgo + 1) : 0);
    }

    /** Without a lease. */
    NearReader over() {
        return new NearReader(asked, answered, askedAgo, 0, 0);
    }
}
