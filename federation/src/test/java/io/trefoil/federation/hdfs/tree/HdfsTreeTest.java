/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.hdfs.limits.ExpectedReplicas;
import io.trefoil.federation.hdfs.limits.TreeLimits;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.SubtreeMover.Pace;
import io.trefoil.federation.move.progress.MoveCounts;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

/** What no test has a DataNode for: memory of its own, and provided storage. */
class HdfsTreeTest {
    private static final FsPermission ANY = new FsPermission((short) 0755);

    private static HdfsFileStatus file(String name, StorageType... replicas) {
        DatanodeInfo[] places = new DatanodeInfo[replicas.length];
        String[] storages = new String[replicas.length];
        for (int i = 0; i < replicas.length; i++) {
            places[i] = new DatanodeInfo.DatanodeInfoBuilder()
                    .setNodeID(new DatanodeID("127.0.0.1", "host", "node-" + i, 1, 2, 3, 4))
                    .build();
            storages[i] = "storage-" + i;
        }
        LocatedBlock block =
                new LocatedBlock(new ExtendedBlock("BP-1", 1_073_741_825, 5, 1_001), places, storages, replicas);
        return new HdfsFileStatus.Builder()
                .length(5)
                .blocksize(1024)
                .replication(replicas.length)
                .perm(ANY)
                .path(name.getBytes(StandardCharsets.UTF_8))
                .locations(new LocatedBlocks(5, false, List.of(block), block, true, null, null))
                .build();
    }

    /** A NameNode with one directory of these files. */
    private static ClientProtocol nameNode(HdfsFileStatus... files) {
        return (ClientProtocol) Proxy.newProxyInstance(
                HdfsTreeTest.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getFileInfo" ->
                        new HdfsFileStatus.Builder().isdir(true).perm(ANY).build();
                    case "getListing" -> new DirectoryListing(files, 0);
                    default -> throw new AssertionError("Unexpected: " + method);
                });
    }

    @Test
    void fileWithReplicaOutsideDisksCannotBeMoved() throws IOException {
        ClientProtocol nameNode = nameNode(
                file("disks", StorageType.DISK, StorageType.SSD, StorageType.ARCHIVE),
                file("memory", StorageType.DISK, StorageType.RAM_DISK),
                file("remote", StorageType.PROVIDED));
        DFSClient client = new DFSClient(null, nameNode, new Configuration(), null);
        DistributedFileSystem fileSystem = new DistributedFileSystem() {
            @Override
            public DFSClient getClient() {
                return client;
            }
        };

        try (ParallelCaller parallel = new ParallelCaller(1, Pace.unlimited())) {
            assertThat(HdfsTree.of(fileSystem, parallel, new MoveCounts("id", Clock.systemUTC()))
                            .blockersIn(
                                    "/data",
                                    ExpectedReplicas.none(),
                                    TreeLimits.none("hdfs://ns2"),
                                    TreeLimits.none("hdfs://ns1")))
                    .extracting(MoveBlocker::text)
                    .containsExactly(
                            "/data/memory has a replica in the memory of a DataNode (LAZY_PERSIST)",
                            "/data/remote is in provided storage");
        }
    }
}
