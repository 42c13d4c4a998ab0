/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

/** Peers as the explorer keeps them. */
public final class PeerTimes {

    private PeerTimes() {}

    /** A peer whose timeouts and pace are forgotten, and which remembers for what it waited only while it waits. */
    public static Peer withoutHistory(Peer peer) {
        return peer.toBuilder()
                .timeouts(TimeoutHistory.NONE)
                .pace(ReaderLagCheck.NONE)
                .waitingSn(peer.waitingSinceNanos().isPresent() ? peer.waitingSn() : 0)
                .build();
    }
}
