/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.writer.peer.ReadLeases;

/** The right to answer reads for a while, as its holder knows it. Immutable; times by {@link System#nanoTime()}. */
final class ReadLease {
    private static final long USED_NANOS = ReadLeases.USED_MILLIS * 1_000_000L;

    private final Epoch epoch;
    private final long askedNanos;

    /** @param askedNanos when this NameNode asked for it: the active counts from later on */
    ReadLease(Epoch epoch, long askedNanos) {
        this.epoch = epoch;
        this.askedNanos = askedNanos;
    }

    /**
     * Whether it runs.
     *
     * @param trustedSinceNanos since when the clock shows all time that passes
     * @param obeyed whom the node of this process promised to obey: what another writer granted is void
     */
    boolean runs(long nowNanos, long trustedSinceNanos, Epoch obeyed) {
        return nowNanos - askedNanos < USED_NANOS && askedNanos - trustedSinceNanos >= 0 && epoch.equals(obeyed);
    }

    /** The one that runs for longer. */
    ReadLease orLater(ReadLease other) {
        return other.askedNanos - askedNanos > 0 ? other : this;
    }
}
