/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * Describes how long commits waited for nodes with a read lease although a majority had the entries. Immutable; times are by the
 * writer's monotonic clock, in nanoseconds.
 */
@AutoValue
public abstract class ReaderWaits {

    public static final ReaderWaits NONE = new AutoValue_ReaderWaits(0, Optional.<Long>empty());

    /** The total of the waits that have ended. */
    abstract long endedNanos();

    abstract Optional<Long> sinceNanos();

    /** A majority has more entries than are committed. */
    public final ReaderWaits beginWait(long nowNanos) {
        return sinceNanos().isPresent() ? this : new AutoValue_ReaderWaits(endedNanos(), Optional.of(nowNanos));
    }

    /** The state once everything that a majority has is committed. */
    public final ReaderWaits endWait(long nowNanos) {
        return sinceNanos().isPresent()
                ? new AutoValue_ReaderWaits(totalNanos(nowNanos), Optional.<Long>empty())
                : this;
    }

    /** The sum of all waits until now. */
    public final long totalNanos(long nowNanos) {
        return endedNanos()
                + sinceNanos().map(since -> Math.max(0, nowNanos - since)).orElse(0L);
    }
}
