/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.journal.hdfs.edits.ImageCounters;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuccessorNamespaceTest {

    @TempDir
    Path directory;

    private final Configuration conf = new HdfsConfiguration();

    @Test
    void successorAssignsHigherIdsAfterRestart() throws Exception {
        // One JVM has several NameNodes here.
        DefaultMetricsSystem.setMiniClusterMode(true);
        Configuration alone = new HdfsConfiguration();
        alone.set("fs.defaultFS", "hdfs://127.0.0.1:0");
        alone.set("dfs.namenode.http-address", "127.0.0.1:0");
        alone.set("dfs.namenode.name.dir", directory.toUri().toString());
        alone.set("dfs.namenode.gc.time.monitor.enable", "false");
        NameNode.format(alone);
        NameNode lost = NameNode.createNameNode(new String[0], alone);
        lost.getRpcServer().mkdirs("/was/here", FsPermission.getDirDefault(), true);
        lost.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
        lost.getRpcServer().saveNamespace(0, 0);
        lost.stop();
        lost.join();
        NamespaceCounters before = counters();

        // Such as those of an earlier restore, which no block has yet.
        NamespaceCounters edits =
                NamespaceCounters.builder().generationStamp(1L << 41).build();
        before = before.max(edits);

        long now = System.currentTimeMillis();
        SuccessorNamespace.prepare(conf, directory, edits, now, Incarnation.NONE);

        assertThat(counters()).isEqualTo(before.startOfNextTimelineAt(now, Incarnation.NONE));
        // Also behind an image that is saved later, and of what a NameNode assigns.
        NameNode next = NameNode.createNameNode(new String[0], alone);
        assertThat(next.getRpcServer().getFileInfo("/was/here").getFileId()).isLessThanOrEqualTo(before.inodeId());
        next.getRpcServer()
                .create(
                        "/new",
                        FsPermission.getFileDefault(),
                        "test",
                        new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                        true,
                        (short) 1,
                        1 << 20,
                        CryptoProtocolVersion.supported(),
                        null,
                        null);
        assertThat(next.getRpcServer().getFileInfo("/new").getFileId())
                .isGreaterThan(
                        before.startOfNextTimelineAt(now, Incarnation.NONE).inodeId());
        next.stop();
        next.join();
    }

    private NamespaceCounters counters() throws IOException {
        return ImageCounters.read(
                NameDirectoryFiles.of(directory.toFile(), true).newestImage().orElseThrow());
    }
}
