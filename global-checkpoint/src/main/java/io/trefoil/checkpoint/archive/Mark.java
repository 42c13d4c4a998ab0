/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;

/** That everything up to an entry was committed at a time, by the clock of the host that wrote the archive. Immutable. */
@AutoValue
public abstract class Mark {

    public static Mark of(long sn, long txId, long millis) {
        return new AutoValue_Mark(sn, txId, millis);
    }

    public abstract long sn();

    /** The last transaction up to there that is not void there. */
    public abstract long txId();

    /** Milliseconds since 1970. */
    public abstract long millis();

    @Override
    public final String toString() {
        return sn() + " " + txId() + " " + millis();
    }

    /**
     * Reads what {@link #toString} gives.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Mark parse(String text) {
        long[] numbers = Numbers.parse(text, 3);
        return of(numbers[0], numbers[1], numbers[2]);
    }
}
