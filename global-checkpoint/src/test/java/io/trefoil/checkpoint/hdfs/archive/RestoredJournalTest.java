/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import static io.trefoil.journal.hdfs.TestNameNodes.makeActive;
import static io.trefoil.journal.hdfs.TestNameNodes.makeDirectory;
import static io.trefoil.journal.hdfs.TestNameNodes.pathExists;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.hdfs.TestNameNodes;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.restore.ArchiveRestoreRecord;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stock NameNodes whose journal is initialized from a namespace that {@code archive restore} took back to an instant. */
class RestoredJournalTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String EDITS = "dfs.namenode.edits.dir";

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;

    @BeforeEach
    void format() throws IOException {
        nameNodes = new TestNameNodes(directory, "restored");
        nameNodes.format("nn1");
    }

    @AfterEach
    void close() {
        nameNodes.close();
        ExitUtil.resetFirstExitException();
    }

    /** Its transactions have the same ids as others of the new journal, so HDFS would apply those that follow. */
    @Test
    void nameNodeWithOldDirectoryEndsWhenJournalBeganAnew() throws Exception {
        NameNode before = nameNodes.start("nn1");
        makeActive(before);
        makeDirectory(before, "/before");
        nameNodes.stop(before);
        copyDirectory();
        NameNode stale = nameNodes.start("nn2");
        makeActive(stale);
        makeDirectory(stale, "/lost");
        stale.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
        stale.getRpcServer().saveNamespace(0, 0);
        nameNodes.stop(stale);

        restore("nn1");
        NameNode restored = nameNodes.start("nn1");
        makeActive(restored);
        for (int i = 0; i < 20; i++) {
            makeDirectory(restored, "/new/" + i);
        }

        assertThatThrownBy(() -> nameNodes.start("nn2"))
                .isInstanceOf(ExitUtil.ExitException.class)
                .hasMessageContaining("was initialized from an earlier instant")
                .hasMessageContaining("run hdfs namenode -bootstrapStandby on this host");

        ExitUtil.resetFirstExitException();
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        // Its process would have ended; here, its web server is still there.
        nameNodes.set("dfs.namenode.http-address.restored.nn2", "localhost:" + TestPorts.free());
        NameNode standby = nameNodes.start("nn2");
        await().atMost(SOON).until(() -> pathExists(standby, "/new/19"));
        assertThat(pathExists(standby, "/lost")).isFalse();
        nameNodes.stop(restored);
        restored = nameNodes.start("nn1");
        assertThat(pathExists(restored, "/new/19")).isTrue();
    }

    /** Gives nn2 what nn1 has, as {@code -bootstrapStandby} does. */
    private void copyDirectory() throws IOException {
        Path from = directory.resolve("nn1/current");
        Path to = Files.createDirectories(directory.resolve("nn2/current"));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
            for (Path file : files) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /** Back to the newest image of a NameNode that does not run, as the command does from an archive. */
    private void restore(String name) throws IOException {
        Path current = directory.resolve(name).resolve("current");
        SuccessorNamespace.prepare(
                new HdfsConfiguration(),
                current.getParent(),
                NamespaceCounters.NONE,
                System.currentTimeMillis(),
                Incarnation.NONE);
        Files.delete(current.resolve("trefoil-journal"));
        ArchiveRestoreRecord.write(current, nameNodes.journal().end().incarnation());
        String shared = nameNodes.conf(name).get(EDITS);
        nameNodes.set(EDITS, "${dfs.namenode.name.dir}");
        assertThatThrownBy(() -> nameNodes.start(name, "-initializeSharedEdits", "-force", "-nonInteractive"))
                .isInstanceOfSatisfying(ExitUtil.ExitException.class, exit -> assertThat(exit.status)
                        .isZero());
        ExitUtil.resetFirstExitException();
        nameNodes.set(EDITS, shared);
    }
}
