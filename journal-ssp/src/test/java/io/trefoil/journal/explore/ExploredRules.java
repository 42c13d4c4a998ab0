/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.replica.Replica;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.writer.Writer;
import java.util.function.UnaryOperator;

/**
 * The rules that a world is explored with.
 *
 * @param writer of each writer
 * @param node of each node
 * @param disks what a disk has after its process died
 * @param purges what a node may purge
 * @param readers how leases to read are given and used
 */
public record ExploredRules(
        WriterRules writer, NodeRules node, UnaryOperator<Disk> disks, PurgeRules purges, ReaderRules readers) {

    /** Those that ship. */
    public static final ExploredRules REAL = new ExploredRules(
            Writer::step,
            ExploredRules::nodeStep,
            UnaryOperator.identity(),
            ReplicaState::purgeableBelow,
            ReaderRules.REAL);

    /** The rule by which a node purges. */
    public interface PurgeRules {

        /** The bound of what it may purge if a writer allows it below {@code minTxId}. */
        long purgeableBelow(ReplicaState state, long minTxId);
    }

    /** The rules of a node, for any request. */
    public interface NodeRules {

        Step<ReplicaState, ReplicaEffect> step(ReplicaState state, PoolRequest request, long nowNanos);
    }

    public ExploredRules withWriter(WriterRules plantedWriter) {
        return new ExploredRules(plantedWriter, node, disks, purges, readers);
    }

    public ExploredRules withNode(NodeRules plantedNode) {
        return new ExploredRules(writer, plantedNode, disks, purges, readers);
    }

    public ExploredRules withDisks(UnaryOperator<Disk> plantedDisks) {
        return new ExploredRules(writer, node, plantedDisks, purges, readers);
    }

    public ExploredRules withPurges(PurgeRules plantedPurges) {
        return new ExploredRules(writer, node, disks, plantedPurges, readers);
    }

    ExploredRules withReaders(ReaderRules plantedReaders) {
        return new ExploredRules(writer, node, disks, purges, plantedReaders);
    }

    static Step<ReplicaState, ReplicaEffect> nodeStep(ReplicaState state, PoolRequest request, long nowNanos) {
        if (request instanceof NewEpochRequest newEpoch) {
            return Replica.on(state, newEpoch, 0, nowNanos);
        } else if (request instanceof AppendRequest append) {
            return Replica.on(state, append, nowNanos);
        } else if (request instanceof CommitRequest commit) {
            return Replica.on(state, commit);
        } else if (request instanceof StepDownRequest stepDown) {
            return Replica.on(state, stepDown);
        } else if (request instanceof RebaseRequest rebase) {
            return Replica.on(state, rebase, nowNanos);
        } else if (request instanceof RetireRequest retire) {
            return Replica.on(state, retire);
        }
        throw new IllegalArgumentException("No rule of this world is for " + request);
    }
}
