/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.replica.ReplicaStatus;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/**
 * Exposes this process's part of the pool as a source of Hadoop's metrics ({@code docs/operating/metrics.md}).
 *
 * <p>Uses {@code DefaultMetricsSystem}, to which the process gives its name: a NameNode its own, {@code PoolNodeMain}
 * that of a pool node.
 */
public final class PoolMetrics implements PoolObserver {

    private PoolMetrics() {}

    /** Applies to everything that starts in this process from now on; may be called any number of times. */
    public static void install() {
        PoolProcess.setObserver(new PoolMetrics());
    }

    @Override
    public void nodeStarted(PoolNode node) {
        register(NodeMetrics.NAME, "The port of the pool node", new NodeMetrics(node));
    }

    @Override
    public JournalObserver replicaOpened(NodeAddress node, JournalId journal, Supplier<ReplicaStatus> status) {
        ReplicaMetrics metrics = new ReplicaMetrics(node, journal, status);
        register(ReplicaMetrics.NAME + "-" + journal, "This node's replica of a journal", metrics);
        return metrics;
    }

    @Override
    public JournalObserver writerOpened(JournalId journal, Supplier<WriterStatus> status) {
        WriterMetrics metrics = new WriterMetrics(journal, status);
        register(WriterMetrics.NAME + "-" + journal, "The writer of a journal", metrics);
        return metrics;
    }

    public static synchronized void register(String name, String description, MetricsSource source) {
        MetricsSystem system = DefaultMetricsSystem.instance();
        // The source of an earlier term, or in tests of an earlier node.
        system.unregisterSource(name);
        system.register(name, description, source);
    }
}
