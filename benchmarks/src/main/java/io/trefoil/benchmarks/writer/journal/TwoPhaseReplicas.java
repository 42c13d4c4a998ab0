/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Two-phase commit by a coordinator that takes part itself: all prepare, which is to write the batch and sync it; then the
 * coordinator writes its decision and syncs it, and tells them, and they write and sync that, too. The caller goes on when the decision is
 * on the coordinator's disk, the earliest moment that the protocol allows: how fast the others commit costs only whoever comes next.
 */
public final class TwoPhaseReplicas implements BatchSink {
    private static final int DECISION_BYTES = 16;

    private final DirectReplicas participants;
    private final RoundFile decisions;
    private final ByteBuffer decision = ByteBuffer.allocateDirect(DECISION_BYTES);
    private long number;

    private TwoPhaseReplicas(DirectReplicas participants, RoundFile decisions) {
        this.participants = participants;
        this.decisions = decisions;
    }

    /** Connects to its participants; {@code file} and one beside it are the coordinator's own. */
    public static TwoPhaseReplicas connect(Path file, List<Integer> ports) throws IOException {
        return new TwoPhaseReplicas(
                DirectReplicas.connect(file, Durability.SYNCED, Answers.ALL, ports),
                RoundFile.create(file.resolveSibling(file.getFileName() + ".decisions"), Durability.SYNCED));
    }

    @Override
    public void makeDurable(ByteBuffer batch) throws IOException {
        participants.makeDurable(batch);
        number++;
        decision.clear().putLong(number).putLong(System.nanoTime()).flip();
        decisions.makeDurable(decision.duplicate());
        participants.send(decision);
    }

    @Override
    public void close() throws IOException {
        participants.close();
        decisions.close();
    }
}
