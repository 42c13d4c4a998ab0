/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Quorum;
import java.util.Optional;

/** Ends a term when so many voters obey another writer, or hold a newer incarnation, that no majority is left. */
final class Fencing {

    private Fencing() {}

    static void refused(WriterStep step, Peer peer, Epoch promised) {
        if (!promised.isAbove(step.state().epoch())) {
            return;
        }
        step.become(peer.toBuilder().refusedFor(Optional.of(promised)).build());
        if (isLost(step.state())) {
            step.become(step.state().with(WriterStage.FENCED));
            step.add(WriterEffect.fenced(promised));
        }
    }

    /** A node's storage belongs to another incarnation of the journal: the node accepts nothing from this term (rule R11). */
    static void strange(WriterStep step, Peer peer, Incarnation other) {
        step.become(peer.probing().toBuilder()
                .other(Optional.of(other))
                .lastSentNanos(Optional.of(step.nowNanos()))
                .build());
        if (isLost(step.state())) {
            step.become(step.state().with(WriterStage.FENCED));
            step.add(WriterEffect.beganAnew(other));
        }
    }

    private static boolean isLost(WriterState state) {
        return Quorum.isLost(state.members(), state.peers(), state.end().incarnation());
    }
}
