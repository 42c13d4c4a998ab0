/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.writer.Writer;
import java.util.function.UnaryOperator;

/**
 * The rules of the simulated machines.
 *
 * @param writer the rules of every writer
 * @param replicas wraps every node's replica, or leaves it as it is
 * @param devices wraps every node's disk, or leaves it as it is
 * @param reader the rules of every reader
 * @param fetches changes a writer's request for entries
 */
public record Rules(
        WriterRules writer,
        UnaryOperator<NodeReplica> replicas,
        UnaryOperator<StorageDevice> devices,
        ReaderRules reader,
        UnaryOperator<FetchRequest> fetches) {

    /** The real rules. */
    public static final Rules REAL = new Rules(
            Writer::step,
            UnaryOperator.identity(),
            UnaryOperator.identity(),
            ReaderRules.REAL,
            UnaryOperator.identity());

    public Rules withWriter(WriterRules wrong) {
        return new Rules(wrong, replicas, devices, reader, fetches);
    }

    public Rules withReplicas(UnaryOperator<NodeReplica> wrong) {
        return new Rules(writer, wrong, devices, reader, fetches);
    }

    public Rules withDevices(UnaryOperator<StorageDevice> wrong) {
        return new Rules(writer, replicas, wrong, reader, fetches);
    }

    public Rules withReader(ReaderRules wrong) {
        return new Rules(writer, replicas, devices, wrong, fetches);
    }

    public Rules withFetches(UnaryOperator<FetchRequest> wrong) {
        return new Rules(writer, replicas, devices, reader, wrong);
    }
}
