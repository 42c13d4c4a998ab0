/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * A statement that everything up to an entry was committed at a time, and possibly since when, by the clock of the host that wrote
 * the archive. Immutable.
 */
@AutoValue
public abstract class CommitMark {

    /** @throws IllegalArgumentException if the entries were committed before they could be */
    public static CommitMark of(long sn, long txId, long millis, Optional<Long> sinceMillis) {
        if (sinceMillis.isPresent() && sinceMillis.get() > millis) {
            throw new IllegalArgumentException("Committed by " + millis + ", and not before " + sinceMillis.get());
        }
        return new AutoValue_CommitMark(sn, txId, millis, sinceMillis);
    }

    public abstract long sn();

    /** The last transaction up to there that is not void there. */
    public abstract long txId();

    /** The time, in milliseconds since 1970. */
    public abstract long millis();

    /**
     * A time by which the pool knew none of the entries between the mark before and this one to be committed: whatever was committed by
     * then is in front of them. Empty if the writer did not know any, as after it had been away.
     */
    public abstract Optional<Long> sinceMillis();

    @Override
    public final String toString() {
        return sn() + " " + txId() + " " + millis()
                + sinceMillis().map(since -> " " + since).orElse("");
    }

    /**
     * Parses the result of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static CommitMark parse(String text) {
        long[] numbers = NumberList.parse(text, 3, 4);
        return of(
                numbers[0],
                numbers[1],
                numbers[2],
                numbers.length == 4 ? Optional.of(numbers[3]) : Optional.<Long>empty());
    }
}
