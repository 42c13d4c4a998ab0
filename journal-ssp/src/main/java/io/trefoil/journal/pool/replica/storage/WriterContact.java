/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Optional;

/**
 * When a replica last heard its writer, and when it was last abreast of it, that is, had committed all that the writer
 * knew to be committed. By the nanoseconds of any monotonic clock; updated by one thread at a time, read by any.
 */
public final class WriterContact {

    private static final long NEVER = Long.MIN_VALUE;

    private volatile long heardNanos = NEVER;
    private volatile Abreast abreast = Abreast.NEVER;

    /** The writer that the replica obeys spoke. */
    public void heard(long nowNanos, boolean isAbreast) {
        heardNanos = nowNanos;
        abreast = isAbreast ? Abreast.at(nowNanos) : Abreast.NEVER;
    }

    /**
     * The replica obeys another writer now, or its storage was replaced: it is abreast of nobody until it hears from
     * that writer.
     */
    public void notAbreast() {
        abreast = Abreast.NEVER;
    }

    /** When a writer was last heard; empty if never since the start. */
    public Optional<Long> heardNanos() {
        long heard = heardNanos;
        return heard == NEVER ? Optional.<Long>empty() : Optional.of(heard);
    }

    public Abreast abreast() {
        return abreast;
    }

    /** When a replica was last abreast of its writer. Immutable. */
    @AutoValue
    public abstract static class Abreast {

        static final Abreast NEVER = new AutoValue_WriterContact_Abreast(Optional.<Long>empty());

        static Abreast at(long nanos) {
            return new AutoValue_WriterContact_Abreast(Optional.of(nanos));
        }

        abstract Optional<Long> nanos();

        public final boolean isWithin(long nowNanos, Duration within) {
            return nanos().isPresent() && nowNanos - nanos().get() < within.toNanos();
        }
    }
}
