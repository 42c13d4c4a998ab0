/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.writer.peer.ReadLeases;

/**
 * What readers go by that read by a lease.
 *
 * @param usedMillis for how long from when it asked a reader uses a lease
 * @param appliesWhatItAcknowledged whether it answers only when it has applied what its node had when the read came
 */
public record NearReaderRules(long usedMillis, boolean appliesWhatItAcknowledged) {

    /** The real ones. */
    public static final NearReaderRules REAL = new NearReaderRules(ReadLeases.USED_MILLIS, true);
}
