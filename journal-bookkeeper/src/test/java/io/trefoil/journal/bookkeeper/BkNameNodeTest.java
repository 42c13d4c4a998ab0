/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static io.trefoil.journal.hdfs.TestNameNodes.makeActive;
import static io.trefoil.journal.hdfs.TestNameNodes.makeDirectory;
import static io.trefoil.journal.hdfs.TestNameNodes.makeStandby;
import static io.trefoil.journal.hdfs.TestNameNodes.pathExists;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.bookkeeper.hdfs.BkJournalManager;
import io.trefoil.journal.bookkeeper.hdfs.BkTailingPlugin;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Stock NameNodes with their edits on three real bookies, and stock settings everywhere else. */
class BkNameNodeTest {
    /** HDFS's own tailer would take a minute and a roll of the log. */
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private static Path directory;

    private static Bookies bookies;

    private TestNameNodes nameNodes;
    private String uri;

    @BeforeAll
    static void startBookies() throws Exception {
        bookies = Bookies.start(directory);
    }

    @AfterAll
    static void stopBookies() throws Exception {
        bookies.close();
    }

    @BeforeEach
    void formatNameNode(TestInfo test) throws Exception {
        String nameservice = test.getTestMethod().get().getName();
        uri = "bk://" + bookies.servers() + "/ledgers/" + nameservice;
        nameNodes = new TestNameNodes(directory.resolve(nameservice), nameservice);
        nameNodes.set("dfs.namenode.shared.edits.dir", uri);
        nameNodes.set("dfs.namenode.edits.dir", uri);
        nameNodes.set("dfs.namenode.edits.journal-plugin.bk", BkJournalManager.class.getName());
        nameNodes.set("dfs.namenode.plugins", BkTailingPlugin.class.getName());
        nameNodes.set("trefoil.journal.lease", "300ms");
        nameNodes.set(
                "trefoil.bookkeeper.password.file",
                Files.writeString(directory.resolve("password"), "secret\n").toString());
        nameNodes.format("nn1");
    }

    @AfterEach
    void stopNameNodes() {
        nameNodes.close();
    }

    private NameNode startStandby() throws Exception {
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        return nameNodes.start("nn2");
    }

    @Test
    void restartedNameNodeRecoversAllEdits() throws Exception {
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
        NameNode standby = startStandby();
        for (int i = 0; i < 20; i++) {
            String path = "/d" + i;
            makeDirectory(active, path);
            await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> pathExists(standby, path));
        }

        makeStandby(active);
        makeActive(standby);
        makeDirectory(standby, "/after");

        await().atMost(SOON).until(() -> pathExists(active, "/after"));
        assertThat(ExitUtil.terminateCalled()).isFalse();
    }

    @Test
    void activeEndsBeforeItAnswersWhenAnotherTookOver() throws Exception {
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        NameNode standby = startStandby();
        makeDirectory(active, "/acknowledged");

        makeActive(standby);

        assertThat(pathExists(standby, "/acknowledged")).isTrue();
        assertThatThrownBy(() -> makeDirectory(active, "/late")).isInstanceOf(ExitUtil.ExitException.class);
        assertThat(ExitUtil.terminateCalled()).isTrue();
        assertThat(pathExists(standby, "/late")).isFalse();
    }

    @Test
    void nameNodeWritesAndTakesOverWhenBookieDies() throws Exception {
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        NameNode standby = startStandby();
        try {
            bookies.kill(0);
            makeDirectory(active, "/without-bookie");
            await().atMost(SOON).until(() -> pathExists(standby, "/without-bookie"));
            makeStandby(active);
            makeActive(standby);
            makeDirectory(standby, "/after");
            assertThat(ExitUtil.terminateCalled()).isFalse();
        } finally {
            bookies.restartAll();
        }
    }

    @Test
    void rollbackDiscardsRollingUpgrade() throws Exception {
        nameNodes.set("dfs.namenode.checkpoint.check.period", "1");
        NameNode active = nameNodes.start("nn1");
        makeActive(active);
        makeDirectory(active, "/kept");
        NameNode standby = startStandby();
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

        assertThat(pathExists(old, "/kept")).isTrue();
        assertThat(pathExists(old, "/void")).isFalse();
        makeDirectory(old, "/new");
    }

    @Test
    void rollbackDiscardsUpgrade() throws Exception {
        NameNode first = nameNodes.start("nn1");
        makeActive(first);
        makeDirectory(first, "/kept");
        nameNodes.stop(first);
        NameNode upgraded = nameNodes.start("nn1", "-upgrade");
        makeDirectory(upgraded, "/void");
        nameNodes.stop(upgraded);

        assertThat(NameNode.doRollback(nameNodes.conf("nn1"), false)).isFalse();

        NameNode old = nameNodes.start("nn1");
        makeActive(old);
        assertThat(pathExists(old, "/kept")).isTrue();
        assertThat(pathExists(old, "/void")).isFalse();
    }

    /** The steps of docs/design/bookkeeper.md, "Moving here, and away". */
    @Test
    void namespaceMovesToPoolAndBack() throws Exception {
        NameNode onBookies = nameNodes.start("nn1");
        makeActive(onBookies);
        makeDirectory(onBookies, "/on-bookies");
        saveAndStop(onBookies);
        // A pool wants it below the lease, which is short here.
        nameNodes.set("trefoil.journal.ack.timeout", "100ms");
        useJournal("ssp://h1;h2;h3/namespaceMovesToPoolAndBack", "io.trefoil.journal.hdfs.FakeSspTailingPlugin");
        assertThat(NameNode.initializeSharedEdits(nameNodes.conf("nn1"), true)).isFalse();

        NameNode onPool = nameNodes.start("nn1");
        makeActive(onPool);
        assertThat(pathExists(onPool, "/on-bookies")).isTrue();
        makeDirectory(onPool, "/on-pool");
        saveAndStop(onPool);
        useJournal(uri, BkTailingPlugin.class.getName());
        assertThat(NameNode.initializeSharedEdits(nameNodes.conf("nn1"), true)).isFalse();

        NameNode back = nameNodes.start("nn1");
        makeActive(back);
        assertThat(pathExists(back, "/on-bookies")).isTrue();
        assertThat(pathExists(back, "/on-pool")).isTrue();
        NameNode standby = startStandby();
        makeDirectory(back, "/back");
        await().atMost(SOON).until(() -> pathExists(standby, "/back"));
    }

    private void saveAndStop(NameNode nameNode) throws Exception {
        nameNode.getRpcServer().setSafeMode(SafeModeAction.SAFEMODE_ENTER, true);
        assertThat(nameNode.getRpcServer().saveNamespace(0, 0)).isTrue();
        nameNodes.stop(nameNode);
    }

    private void useJournal(String journal, String tailing) {
        nameNodes.set("dfs.namenode.shared.edits.dir", journal);
        nameNodes.set("dfs.namenode.edits.dir", journal);
        nameNodes.set("dfs.namenode.plugins", tailing);
    }

    @Test
    void journalRefusesNameNodeOfAnotherNamespace() throws Exception {
        Configuration conf = nameNodes.conf("nn1");
        NamespaceInfo other = new NamespaceInfo(7, "CID-other", "BP-1", 1234L);
        try (BkJournalManager manager = new BkJournalManager(conf, URI.create(uri), other, "other")) {
            assertThatThrownBy(manager::recoverUnfinalizedSegments)
                    .hasMessageContaining("this NameNode's namespace is cluster CID-other namespace 7");
        }
    }
}
