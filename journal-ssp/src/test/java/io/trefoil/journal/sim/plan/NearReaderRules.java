/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.writer.peer.ReadLeases;

/**
 * The rules of readers that read by a lease.
 *
 * @param usedMillis how long a reader uses a lease, counted from when it asked for it
 * @param appliesWhatItAcknowledged whether it answers only once it has applied what its node had when the read came
 */
public record NearReaderRules(long usedMillis, boolean appliesWhatItAcknowledged) {

    /** The real rules. */
    public static final NearReaderRules REAL = new NearReaderRules(ReadLeases.USED_MILLIS, true);
}
