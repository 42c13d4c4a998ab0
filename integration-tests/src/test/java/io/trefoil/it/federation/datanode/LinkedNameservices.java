/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Two nameservices of stock HDFS with the same DataNodes, for tests that link blocks of one into the other. Whatever
 * either does with its own replicas never changes what the other reads.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LinkedNameservices {
    static final int BLOCK = 1 << 20;
    static final int LENGTH = 2 * BLOCK + 300_001;
    static final short REPLICATION = 2;

    private static final int DATA_NODES = 3;

    HaCluster sales;
    HaCluster stock;
    java.nio.file.Path excluded;

    DistributedFileSystem salesFiles;
    DistributedFileSystem stockFiles;
    RawReplicas raw;
    LinkedCopy copy;

    /** Unique to each test. */
    String file;

    private boolean failed;

    @RegisterExtension
    final AfterTestExecutionCallback outcome =
            test -> failed |= test.getExecutionException().isPresent();

    @BeforeAll
    void startFederation() throws IOException {
        excluded = Files.createTempFile("excluded", ".hosts");
        sales = nameservice("sales").dataNodes(DATA_NODES).create();
        stock = nameservice("stock").create();
        FederatedClusters.startOnSharedDataNodes(List.of(sales, stock));
    }

    private HaClusterBuilder nameservice(String name) {
        return FederatedClusters.singleNameNode("links", name)
                .property("dfs.datanode.plugins", "io.trefoil.federation.hdfs.datanode.BlockLinkPlugin")
                .property("fs.getspaceused.classname", "io.trefoil.federation.hdfs.datanode.SharedSpaceUsed")
                .property("fs.du.interval", "500")
                .property("fs.getspaceused.jitterMillis", "0")
                .property("dfs.datanode.directoryscan.interval", "1s")
                .property("dfs.namenode.redundancy.considerLoad", "false")
                .property("dfs.namenode.redundancy.interval.seconds", "1s")
                .property("dfs.namenode.decommission.interval", "1s")
                .property("dfs.namenode.replication.max-streams", "50")
                .property("dfs.hosts.exclude", excluded.toString())
                .property("dfs.client.block.write.replace-datanode-on-failure.enable", "false");
    }

    @AfterAll
    void stopFederation() throws IOException {
        for (HaCluster cluster : List.of(stock, sales)) {
            if (!failed) {
                cluster.markSucceeded();
            }
            cluster.close();
        }
        Files.deleteIfExists(excluded);
    }

    @BeforeEach
    void connect(TestInfo test) {
        salesFiles = sales.newFileSystem();
        stockFiles = stock.newFileSystem();
        raw = new RawReplicas(sales.dataNodes());
        copy = new LinkedCopy(salesFiles, stockFiles, sales.clientConfiguration());
        file = "/" + test.getTestMethod().orElseThrow().getName();
    }

    final LocatedBlock lastBlock(DistributedFileSystem fileSystem) throws IOException {
        List<LocatedBlock> blocks = LinkedCopy.blocks(fileSystem, file);
        return blocks.get(blocks.size() - 1);
    }

    /** Checks all replicas on all disks, not only those that a client happens to read. */
    final void assertReplicas(DistributedFileSystem fileSystem, byte[] bytes) {
        Await.until(
                "all replicas in " + fileSystem.getUri() + " have what was written",
                Await.TIMEOUT,
                () -> isFullyReplicated(fileSystem, bytes),
                sales::describe);
    }

    final boolean isFullyReplicated(DistributedFileSystem fileSystem, byte[] bytes) throws IOException {
        for (LocatedBlock block : LinkedCopy.blocks(fileSystem, file)) {
            int start = (int) block.getStartOffset();
            byte[] wanted = Arrays.copyOfRange(bytes, start, start + (int) block.getBlockSize());
            List<java.nio.file.Path> replicas = raw.blockFiles(block.getBlock());
            if (replicas.size() < REPLICATION || block.isCorrupt()) {
                return false;
            }
            for (java.nio.file.Path replica : replicas) {
                if (!Arrays.equals(Files.readAllBytes(replica), wanted)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns when the NameNode knows all replicas: a file can be closed with one, and a link to only one is no copy. */
    static byte[] write(DistributedFileSystem fileSystem, String path, int length) throws IOException {
        byte[] bytes = randomBytes(length);
        try (OutputStream out = fileSystem.create(new Path(path), true, 4096, REPLICATION, BLOCK)) {
            out.write(bytes);
        }
        awaitReported(fileSystem, path);
        return bytes;
    }

    static void awaitReported(DistributedFileSystem fileSystem, String path) {
        Await.until(
                "all replicas of " + path + " are reported",
                Await.TIMEOUT,
                () -> LinkedCopy.blocks(fileSystem, path).stream()
                        .allMatch(block -> block.getLocations().length == REPLICATION),
                () -> "");
    }

    static byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    static byte[] read(DistributedFileSystem fileSystem, String path) throws IOException {
        try (FSDataInputStream in = fileSystem.open(new Path(path))) {
            return in.readAllBytes();
        }
    }
}
