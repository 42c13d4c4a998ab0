/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.archive.CommitMark;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.archive.FileSystemStore;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.time.Instant;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All NameNodes and all that they kept are lost; with the archive, others go on with the DataNodes that there were, as archive.md says. */
@Tag("long")
class LostNameNodesIT {

    @Test
    void archiveRestoresNamespaceWhenAllNameNodesAreLost() throws Exception {
        try (HaCluster cluster = HaCluster.builder("lost-namenodes")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .dataNodes(1)
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                .property("dfs.replication", "1")
                .property("dfs.namenode.checkpoint.txns", "150")
                .property("dfs.namenode.checkpoint.check.period", "1s")
                .create()) {
            FederatedClusters.join(cluster);
            java.nio.file.Path archive = cluster.layout().dataDirectory("archive");
            cluster.setProperty("trefoil.archive.dir", archive.toUri().toString());
            cluster.setUp();
            NameNodeServer active = cluster.awaitActive();
            cluster.awaitDataNodes();
            long lastId = write(cluster, "/kept/file", "of before");
            WriteLoad.makeSome(cluster, "/many");
            FileSystemStore store = FileSystemStore.of(
                    new Configuration(),
                    archive.toUri() + "/" + cluster.layout().nameservice());
            checkUndeleted(cluster, store, archive, active);
            awaitArchived(cluster, store, active.appliedTxId());

            cluster.nameNodes().forEach(NameNodeServer::kill9ForGood);
            for (NameNodeServer lost : cluster.nameNodes()) {
                FileUtil.fullyDeleteContents(lost.imageDirectory().getParent().toFile());
                FileUtil.fullyDeleteContents(lost.journalDirectory().toFile());
            }

            NameNodeServer first = cluster.nameNode(1);
            ToolResult restored = first.trefoil(
                            "archive",
                            "restore",
                            "--dir",
                            archive.toUri().toString(),
                            "--to",
                            first.imageDirectory().getParent().toString())
                    .expectSuccess();
            assertThat(restored.output()).contains("ids of blocks and files that were never assigned before");
            first.namenode("-initializeSharedEdits", "-nonInteractive").expectSuccess();
            first.start();
            first.awaitUp();
            for (NameNodeServer other : cluster.nameNodesExcept(first)) {
                other.bootstrapStandby();
                other.start();
            }
            NameNodeServer next = cluster.awaitActive();
            cluster.awaitDataNodes();

            try (DistributedFileSystem fileSystem = cluster.newFileSystem()) {
                Await.until(
                        "the blocks of before are reported",
                        WriteLoad.LIMIT,
                        () -> "of before".equals(read(fileSystem, "/kept/file")),
                        cluster::describe);
                assertThat(fileSystem.exists(new Path("/many"))).isTrue();
            }
            assertThat(write(cluster, "/kept/file-of-now", "of now"))
                    .as("no DataNode has other bytes under the id of a new block")
                    .isGreaterThan(lastId + (1L << 39));
            assertThat(cluster.tool("org.apache.hadoop.hdfs.tools.DFSck", "/kept")
                            .output())
                    .contains("is HEALTHY");
            awaitArchived(cluster, store, next.appliedTxId());
            assertThat(new ArchiveReader(store).contents().sequencesByIncarnation())
                    .as("the journal of before, and this one")
                    .hasSize(2);
            cluster.markSucceeded();
        }
    }

    /** A file that only a snapshot has comes back with its bytes, while everything runs. */
    private static void checkUndeleted(
            HaCluster cluster, FileSystemStore store, java.nio.file.Path archive, NameNodeServer active)
            throws Exception {
        write(cluster, "/deleted/in/file", "of then");
        try (DistributedFileSystem fileSystem = cluster.newFileSystem()) {
            Path directory = new Path("/deleted");
            Path file = new Path("/deleted/in/file");
            fileSystem.allowSnapshot(directory);
            fileSystem.createSnapshot(directory, "kept");
            fileSystem.setOwner(file, "alice", "staff");
            FileStatus then = fileSystem.getFileStatus(file);
            long txId = active.appliedTxId();
            awaitArchived(cluster, store, txId);
            fileSystem.delete(new Path("/deleted/in"), true);

            ToolResult undeleted = cluster.trefoil(
                            "archive",
                            "undelete",
                            "--dir",
                            archive.toUri().toString(),
                            "--work",
                            cluster.layout().dataDirectory("undelete").toString(),
                            "--txid",
                            Long.toString(txId),
                            "--execute",
                            "/deleted")
                    .expectSuccess();

            assertThat(undeleted.output()).contains("a snapshot has it: /deleted/.snapshot/kept/in/file", "2 done");
            assertThat(read(fileSystem, file.toString())).isEqualTo("of then");
            FileStatus now = fileSystem.getFileStatus(file);
            assertThat(now.getOwner()).isEqualTo("alice");
            assertThat(now.getModificationTime()).isEqualTo(then.getModificationTime());
        }
    }

    private static void awaitArchived(HaCluster cluster, FileSystemStore store, long txId) {
        Instant now = Instant.now();
        Await.until(
                "the archive has transaction " + txId + " and an image",
                WriteLoad.LIMIT,
                () -> {
                    var contents = new ArchiveReader(store).contents();
                    return !contents.images().isEmpty()
                            && contents.newestMark()
                                    .filter(mark -> isAfter(mark, now) && mark.txId() >= txId)
                                    .isPresent();
                },
                cluster::describe);
    }

    private static boolean isAfter(CommitMark mark, Instant time) {
        return mark.millis() >= time.minusSeconds(60).toEpochMilli();
    }

    /** Writes a file, and gives the id of its block. */
    private static long write(HaCluster cluster, String path, String text) throws IOException {
        try (DistributedFileSystem fileSystem = cluster.newFileSystem()) {
            try (FSDataOutputStream out = fileSystem.create(new Path(path))) {
                out.write(text.getBytes(UTF_8));
            }
            try (HdfsDataInputStream in = (HdfsDataInputStream) fileSystem.open(new Path(path))) {
                return in.getAllBlocks().get(0).getBlock().getBlockId();
            }
        }
    }

    private static String read(DistributedFileSystem fileSystem, String path) {
        try (HdfsDataInputStream in = (HdfsDataInputStream) fileSystem.open(new Path(path))) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            // No DataNode has reported its block yet.
            return "";
        }
    }
}
