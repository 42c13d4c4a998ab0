/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.failover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A NameNode that takes over from a killed one counts nothing, and has counted right. The system property {@code
 * trefoil.it.folders} says how many directories there are beside those with quotas.
 */
@Tag("long")
class StandbyQuotaCountsIT {
    private static final int DIRECTORIES = Integer.getInteger("trefoil.it.folders", 5_000);
    private static final int QUOTAS = 20;
    private static final int FILE_BYTES = 10_000;
    private static final long SPACE = 10L << 30;
    private static final int CHANGES_BETWEEN = 300;
    private static final String NOT_COUNTED = "HDFS skips its recount";
    private static final String KEPT = "maintaining them from now on";

    @Test
    void successorOfKilledActiveNeedNotCountQuotas() throws Exception {
        HaCluster.builder("kept-quota-counts")
                .dataNodes(2)
                .withAutomaticFailover()
                .run(cluster -> {
                    NameNodeServer first = cluster.awaitActive();
                    DistributedFileSystem fileSystem = cluster.newFileSystem();
                    IntStream.range(0, DIRECTORIES)
                            .parallel()
                            .forEach(i -> mkdir(fileSystem, "/many/" + i % 100 + "/" + i));
                    for (int i = 0; i < QUOTAS; i++) {
                        fill(fileSystem, directoryPath(i), i);
                    }
                    for (NameNodeServer standby : cluster.nameNodesExcept(first)) {
                        standby.await("keeps counts", Await.TIMEOUT, () -> standby.log()
                                .textSince(0)
                                .contains(KEPT));
                    }

                    first.kill9();
                    NameNodeServer second = cluster.awaitActive();
                    assertAllCounted(fileSystem);

                    second.await("has said that it did not count", Await.TIMEOUT, () -> second.log()
                            .textSince(0)
                            .contains(NOT_COUNTED));
                    assertQuotasEnforced(fileSystem);
                    assertAllCounted(fileSystem);
                });
    }

    /** Under load, when blocks that its writers have just finished are still to be reported to it. */
    @Test
    void formerActiveRecountsOnceAndNeedNotCountAgain() throws Exception {
        HaCluster.builder("kept-quota-counts-back")
                .dataNodes(2)
                .withAutomaticFailover()
                .run(cluster -> {
                    NameNodeServer first = cluster.awaitActiveAndStandbys();
                    NameNodeServer second = cluster.nameNodesExcept(first).get(0);
                    DistributedFileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem)
                            .threads(4)
                            .fileWriters(4)
                            .fileMegabytes(1)
                            .start()) {
                        Path root = new Path(load.root());
                        fileSystem.setQuota(root, 1_000_000, 100 * SPACE);
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);

                        long begin = first.log().end();
                        cluster.failOverTo(second);
                        first.await("keeps counts again", Await.TIMEOUT, () -> first.log()
                                .textSince(begin)
                                .contains(KEPT));
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        cluster.failOverTo(first);

                        first.await("has said that it did not count", Await.TIMEOUT, () -> first.log()
                                .textSince(begin)
                                .contains(NOT_COUNTED));
                        load.stop(Await.TIMEOUT);
                        assertCounted(fileSystem, root);
                    }
                });
    }

    private static String directoryPath(int i) {
        // Within others with quotas, and beside them.
        return i % 3 == 0 ? "/quota" + i : directoryPath(i - 1) + "/in" + i;
    }

    private static void fill(DistributedFileSystem fileSystem, String directory, int i) throws IOException {
        Path path = new Path(directory);
        fileSystem.mkdirs(path);
        fileSystem.setQuota(path, 1_000, SPACE);
        for (int file = 0; file < 3; file++) {
            write(fileSystem, new Path(path, "file" + file));
        }
        fileSystem.setReplication(new Path(path, "file0"), (short) 2);
        fileSystem.delete(new Path(path, "file1"), false);
        fileSystem.mkdirs(new Path(path, "old/older"));
        fileSystem.rename(new Path(path, "file2"), new Path("/many/file" + i));
        fileSystem.delete(new Path(path, "old"), true);
        try (FSDataOutputStream more = fileSystem.append(new Path(path, "file0"))) {
            more.write(new byte[FILE_BYTES]);
        }
    }

    private static void write(DistributedFileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream file = fileSystem.create(path)) {
            file.write(new byte[FILE_BYTES]);
        }
    }

    private static void mkdir(DistributedFileSystem fileSystem, String path) {
        try {
            fileSystem.mkdirs(new Path(path));
        } catch (IOException e) {
            throw new UncheckedIOException("mkdir " + path, e);
        }
    }

    /** What the quotas have counted is what HDFS finds when it looks at each file. */
    private static void assertAllCounted(DistributedFileSystem fileSystem) throws IOException {
        for (int i = 0; i < QUOTAS; i++) {
            assertCounted(fileSystem, new Path(directoryPath(i)));
        }
    }

    private static void assertCounted(DistributedFileSystem fileSystem, Path path) throws IOException {
        QuotaUsage counted = fileSystem.getQuotaUsage(path);
        ContentSummary found = fileSystem.getContentSummary(path);
        assertThat(counted.getFileAndDirectoryCount())
                .as("files and directories in %s", path)
                .isEqualTo(found.getFileCount() + found.getDirectoryCount());
        assertThat(counted.getSpaceConsumed()).as("space used in %s", path).isEqualTo(found.getSpaceConsumed());
    }

    private static void assertQuotasEnforced(DistributedFileSystem fileSystem) throws IOException {
        Path path = new Path(directoryPath(QUOTAS - 1));
        long used = fileSystem.getQuotaUsage(path).getFileAndDirectoryCount();
        fileSystem.setQuota(path, used + 1, HdfsConstants.QUOTA_DONT_SET);
        fileSystem.mkdirs(new Path(path, "last"));
        assertThatThrownBy(() -> fileSystem.mkdirs(new Path(path, "one-too-many")))
                .isInstanceOf(NSQuotaExceededException.class);
        Path other = new Path(directoryPath(0));
        fileSystem.setQuota(
                other,
                HdfsConstants.QUOTA_DONT_SET,
                fileSystem.getQuotaUsage(other).getSpaceConsumed() + 1);
        assertThatThrownBy(() -> write(fileSystem, new Path(other, "too-large")))
                .isInstanceOf(DSQuotaExceededException.class);
        fileSystem.delete(new Path(other, "too-large"), false);
    }
}
