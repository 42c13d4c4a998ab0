/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import com.google.auto.value.AutoValue;

/**
 * The rule by which an active knows, without asking, that it is the only one (docs/design/bookkeeper.md, "The lease"). Pure: all times are
 * given, by the monotonic clock of one process. Immutable.
 */
@AutoValue
abstract class AnswerLease {
    /** The time that a new writer waits, and the part of it that an old one uses: clocks may differ in rate by a quarter. */
    private static final int PARTS = 5;

    static AnswerLease ofMillis(long millis) {
        return new AutoValue_AnswerLease(millis);
    }

    /** Returns how long a new writer waits after its recovery-open. */
    abstract long millis();

    final long newWriterNanos() {
        return millis() * 1_000_000L;
    }

    /** Returns how long after sending a confirmed add a writer may assume that it is the only one. */
    final long aloneNanos() {
        return millis() * 1_000_000L / PARTS * (PARTS - 1);
    }

    /** Returns how long a writer may send nothing. */
    final long beatNanos() {
        return millis() * 1_000_000L / PARTS;
    }

    /**
     * Whether no other process can answer at a moment.
     *
     * @param nanos the moment
     * @param confirmedSentNanos when the newest add was sent that was confirmed
     * @param trustedSinceNanos since when the clock is known to have run
     */
    final boolean covers(long nanos, long confirmedSentNanos, long trustedSinceNanos) {
        return confirmedSentNanos - trustedSinceNanos >= 0 && nanos - confirmedSentNanos < aloneNanos();
    }
}
