/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.checkpoints;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import org.apache.hadoop.fs.FileSystem;

/** Stock HDFS with one NameNode, whose snapshot is the image that it saves, and whose recovery is its start from that image. */
final class SingleNameNode implements AutoCloseable {
    private final HaCluster cluster;
    private final NameNodeServer nameNode;

    private SingleNameNode(HaCluster cluster) {
        this.cluster = cluster;
        this.nameNode = cluster.nameNode(1);
    }

    static SingleNameNode start(String heap) {
        HaCluster cluster = HaCluster.builder("checkpoint-hdfs")
                .nameNodes(1)
                .journal(JournalKind.local())
                .nameNodeHeap(heap)
                .withoutSupervision()
                .create();
        try {
            SingleNameNode alone = new SingleNameNode(cluster);
            alone.nameNode.format("benchmark");
            alone.nameNode.start();
            alone.nameNode.awaitUp();
            return alone;
        } catch (RuntimeException | Error failed) {
            cluster.close();
            throw failed;
        }
    }

    FileSystem newFileSystem() {
        return cluster.newFileSystem();
    }

    NameNodeServer nameNode() {
        return nameNode;
    }

    /** The time from the end of its process until it answers again, which it does only after loading everything. */
    double measureRestartSeconds() {
        nameNode.stop();
        long begun = System.nanoTime();
        nameNode.start();
        nameNode.awaitUp();
        return (System.nanoTime() - begun) / 1e9;
    }

    void markSucceeded() {
        cluster.markSucceeded();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
