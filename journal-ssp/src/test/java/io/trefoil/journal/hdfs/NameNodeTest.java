/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static io.trefoil.journal.hdfs.TestNameNodes.makeActive;
import static io.trefoil.journal.hdfs.TestNameNodes.makeDirectory;
import static io.trefoil.journal.hdfs.TestNameNodes.makeStandby;
import static io.trefoil.journal.hdfs.TestNameNodes.pathExists;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.StorageRecord;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The life of stock NameNodes with all of their edits in our journal, and stock settings everywhere else. */
class NameNodeTest {
    /** HDFS's own tailer would take a minute and a roll of the log. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private FakeJournal journal;

    @BeforeEach
    void formatNameNode(TestInfo test) throws IOException {
        nameNodes = new TestNameNodes(directory, test.getTestMethod().get().getName());
        journal = nameNodes.journal();
        nameNodes.format("nn1");
    }

    @AfterEach
    void close() {
        nameNodes.close();
    }

    @Test
    void restartedNameNodeRecoversAllEdits() throws IOException {
        NameNode first = nameNodes.start("nn1");
        makeActive(first);
        makeDirectory(first, "/a");
        first.getRpcServer().rollEditLog();
        makeDirectory(first, "/b");
        nameNodes.stop(first);

        NameNode again = nameNodes.start("nn1");
        makeActive(again);

        assertThat(pathExists(again, "/a")).isTrue();
        assertThat(pathExists(again, "/b")).isTrue();
    }

    @Test
    void standbyFollowsImmediatelyAndTakesOver() throws Exception {
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        makeDirectory(active, "/before");
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode standby = nameNodes.start("nn2");

        for (int i = 0; i < 20; i++) {
            String path = "/d" + i;
            makeDirectory(active, path);
            await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> pathExists(standby, path));
        }

        makeStandby(active);
        makeActive(standby);
        makeDirectory(standby, "/after");
        await().atMost(SOON).until(() -> pathExists(active, "/after"));
        makeStandby(standby);
        makeActive(active);
        makeDirectory(active, "/again");
        await().atMost(SOON).until(() -> pathExists(standby, "/again"));
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    @Test
    void standbySkippingInProgressSegmentFollowsRollAndTakesOver() throws Exception {
        nameNodes.set("dfs.ha.tail-edits.in-progress", "false");
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode standby = nameNodes.start("nn2");
        makeDirectory(active, "/finished");
        standby.getNamesystem().getEditLogTailer().doTailEdits();
        assertThat(pathExists(standby, "/finished")).isFalse();

        active.getRpcServer().rollEditLog();
        makeDirectory(active, "/unfinished");
        standby.getNamesystem().getEditLogTailer().doTailEdits();
        assertThat(pathExists(standby, "/finished")).isTrue();
        assertThat(pathExists(standby, "/unfinished")).isFalse();

        makeStandby(active);
        makeActive(standby);
        assertThat(pathExists(standby, "/unfinished")).isTrue();
    }

    @Test
    void standbyRetriesWhenReadFails() throws Exception {
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        makeDirectory(active, "/before");
        nameNodes.bootstrap("nn2");
        NameNode standby = nameNodes.start("nn2");
        await().atMost(SOON).until(() -> pathExists(standby, "/before"));

        journal.failReads(10);
        makeDirectory(active, "/a");

        await().atMost(Duration.ofSeconds(30)).until(() -> pathExists(standby, "/a"));
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    @Test
    void fencedActiveTerminatesOnNewEdits() throws Exception {
        NameNode old = nameNodes.start("nn1");
        makeActive(old);
        makeDirectory(old, "/a");
        nameNodes.bootstrap("nn2");
        NameNode next = nameNodes.start("nn2");
        makeActive(next);
        makeDirectory(next, "/b");

        assertThatThrownBy(() -> makeDirectory(old, "/lost")).isInstanceOf(ExitUtil.ExitException.class);

        assertThat(ExitUtil.terminateCalled()).isTrue();
        ExitUtil.resetFirstExitException();
        makeDirectory(next, "/c");
        assertThat(pathExists(next, "/a")).isTrue();
        assertThat(pathExists(next, "/lost")).isFalse();
    }

    @Test
    void writersWaitWhenMajorityIsMissing() throws Exception {
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        journal.stall();
        CompletableFuture<Void> written = CompletableFuture.runAsync(() -> {
            try {
                makeDirectory(active, "/a");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        await().during(Duration.ofMillis(200)).until(() -> !written.isDone());
        assertThat(active.getRpcServer().getFileInfo("/a")).isNotNull();

        journal.resume();

        written.get();
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    @Test
    void checkpointPurgesOnlyUnneededEdits() throws IOException {
        NameNode active = nameNodes.start("nn1");
        nameNodes.set("dfs.namenode.num.extra.edits.retained", "0");
        nameNodes.stop(active);
        NameNode retaining = nameNodes.start("nn1");
        makeActive(retaining);
        for (int i = 0; i < 3; i++) {
            makeDirectory(retaining, "/d" + i);
            retaining.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, false);
            retaining.getRpcServer().saveNamespace(0, 0);
            retaining.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_LEAVE, false);
        }

        assertThat(journal.purgedBelow()).isPositive().isLessThan(journal.end().lastTxId());
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    @Test
    void inotifyClientsGetAllCommittedEdits() throws IOException {
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        makeDirectory(active, "/a");

        assertThat(active.getRpcServer().getEditsFromTxid(1).getBatches()).hasSize(1);
        assertThat(active.getRpcServer().getCurrentEditLogTxid())
                .isEqualTo(journal.end().lastTxId());
    }

    @Test
    void rollbackDiscardsUpgrade() throws Exception {
        writeAndStop("/kept");
        long before = cTime();

        NameNode upgraded = nameNodes.start("nn1", "-upgrade");
        makeDirectory(upgraded, "/void");
        assertThat(cTime()).isGreaterThan(before);
        nameNodes.stop(upgraded);
        assertThat(NameNode.doRollback(nameNodes.conf("nn1"), false)).isFalse();

        assertThat(cTime()).isEqualTo(before);
        NameNode old = nameNodes.start("nn1");
        makeActive(old);
        assertThat(pathExists(old, "/kept")).isTrue();
        assertThat(pathExists(old, "/void")).isFalse();
        makeDirectory(old, "/new");
    }

    @Test
    void servingNameNodeFinalizesUpgrade() throws Exception {
        writeAndStop("/a");

        NameNode upgraded = nameNodes.start("nn1", "-upgrade");
        makeDirectory(upgraded, "/b");
        upgraded.getRpcServer().finalizeUpgrade();
        makeDirectory(upgraded, "/c");
        nameNodes.stop(upgraded);

        assertThat(journal.end().storage().get().event()).isEqualTo(StorageRecord.Event.FINALIZE);
        NameNode again = nameNodes.start("nn1");
        makeActive(again);
        assertThat(pathExists(again, "/c")).isTrue();
    }

    @Test
    void rollbackDiscardsRollingUpgrade() throws Exception {
        nameNodes.set("dfs.namenode.checkpoint.check.period", "1");
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        makeDirectory(active, "/kept");
        nameNodes.bootstrap("nn2");
        NameNode standby = nameNodes.start("nn2");
        active.getRpcServer().rollingUpgrade(RollingUpgradeAction.PREPARE);
        // The standby makes the image to which a rollback returns, and uploads it.
        await().atMost(Duration.ofSeconds(60)).until(() -> active.getRpcServer()
                .rollingUpgrade(RollingUpgradeAction.QUERY)
                .createdRollbackImages());
        makeDirectory(active, "/void");
        nameNodes.stop(standby);
        nameNodes.stop(active);

        NameNode old = nameNodes.start("nn1", "-rollingUpgrade", "rollback");
        makeActive(old);

        // The second one lets the nodes know that the first is committed.
        assertThat(journal.entries(EntryKind.DISCARD)).hasSize(2);
        assertThat(pathExists(old, "/kept")).isTrue();
        assertThat(pathExists(old, "/void")).isFalse();
        makeDirectory(old, "/new");
    }

    @Test
    void convertsNameNodeWithLocalEdits() throws Exception {
        nameNodes.set("dfs.namenode.edits.dir", "${dfs.namenode.name.dir}");
        nameNodes.format("nn1");
        // Without the shared journal, all is local as it was before.
        NameNode local = startWithoutSharedJournal();
        makeDirectory(local, "/local");
        nameNodes.stop(local);

        assertThat(NameNode.initializeSharedEdits(nameNodes.conf("nn1"), true)).isFalse();

        NameNode converted = nameNodes.start("nn1");
        makeActive(converted);
        assertThat(pathExists(converted, "/local")).isTrue();
        makeDirectory(converted, "/shared");
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        NameNode standby = nameNodes.start("nn2");
        await().atMost(SOON).until(() -> pathExists(standby, "/shared"));
    }

    @Test
    void webServerShowsTrefoilSettings() throws IOException {
        nameNodes.set("trefoil.journal.ack.timeout", "700ms");
        NameNode nameNode = nameNodes.start("nn1");

        assertThat(displayedValue(nameNode, "trefoil.journal.lease"))
                .contains("<value>5s</value>", "trefoil-default.xml");
        assertThat(displayedValue(nameNode, "trefoil.journal.ack.timeout")).contains("<value>700ms</value>");
    }

    private static String displayedValue(NameNode nameNode, String setting) throws IOException {
        String address = NetUtils.getHostPortString(nameNode.getHttpAddress());
        try (InputStream answer = new URL("http://" + address + "/conf?name=" + setting).openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private NameNode startWithoutSharedJournal() throws IOException {
        String others = "dfs.ha.namenodes." + journal.id();
        nameNodes.unset("dfs.namenode.shared.edits.dir");
        nameNodes.set(others, "nn1");
        NameNode local = nameNodes.start("nn1");
        nameNodes.set("dfs.namenode.shared.edits.dir", "ssp://h1;h2;h3/" + journal.id());
        nameNodes.set(others, "nn1,nn2");
        return local;
    }

    private void writeAndStop(String path) throws IOException {
        NameNode nameNode = nameNodes.start("nn1");
        makeActive(nameNode);
        makeDirectory(nameNode, path);
        nameNodes.stop(nameNode);
    }

    private long cTime() {
        return journal.end().storage().get().version().cTime();
    }
}
