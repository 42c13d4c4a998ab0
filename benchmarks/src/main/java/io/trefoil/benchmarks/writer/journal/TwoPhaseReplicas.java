/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Two-phase commit by a coordinator that also participates itself. All prepare: they write the batch and sync it. Then the
 * coordinator writes its decision, syncs it and sends it to the others, which write and sync it, too. The caller continues when the decision is on the coordinator's disk, the earliest moment that the protocol allows: how fast the others
 * commit delays only the next batch.
 */
public final class TwoPhaseReplicas implements BatchSink {
    private static final int DECISION_BYTES = 16;

    private final DirectReplicas participants;
    private final CircularFile decisions;
    private final ByteBuffer decision = ByteBuffer.allocateDirect(DECISION_BYTES);
    private long number;

    private TwoPhaseReplicas(DirectReplicas participants, CircularFile decisions) {
        this.participants = participants;
        this.decisions = decisions;
    }

    /** Connects to the participants; {@code file} and another file next to it are the coordinator's own. */
    public static TwoPhaseReplicas connect(Path file, List<Integer> ports) throws IOException {
        return new TwoPhaseReplicas(
                DirectReplicas.connect(file, Durability.SYNCED, AnswerPolicy.ALL, ports),
                CircularFile.create(file.resolveSibling(file.getFileName() + ".decisions"), Durability.SYNCED));
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
