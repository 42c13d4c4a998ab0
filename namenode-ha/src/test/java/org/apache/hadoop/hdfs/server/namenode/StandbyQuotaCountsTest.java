/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.hdfs.NameNodeJournal;
import io.trefoil.journal.hdfs.TestNameNodes;
import io.trefoil.journal.hdfs.tailing.EditsObserver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.hdfs.util.ReadOnlyList;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts that are kept edit by edit are those that HDFS counts. The system properties {@code quota.seeds} and {@code quota.from} say how
 * many random histories there are, and which is the first: some 500 edits each.
 */
class StandbyQuotaCountsTest {
    private static final int SEEDS = Integer.getInteger("quota.seeds", 20);
    private static final int FROM = Integer.getInteger("quota.from", 1);
    private static final int STREAMS = 25;

    @TempDir
    private Path directory;

    @BeforeEach
    void severalNameNodesInThisJvm() {
        DefaultMetricsSystem.setMiniClusterMode(true);
        FileSystem.enableSymlinks();
    }

    @Test
    void countsMatchHdfsAfterRandomEditsWithoutSnapshots() throws IOException {
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            assertThat(streamsWithKeptCounts(seed, RandomEdits.Kind.WITHOUT_SNAPSHOTS))
                    .as("streams of seed %s after which the counts are kept", seed)
                    .isEqualTo(STREAMS);
        }
    }

    @Test
    void countsMatchHdfsOrAreDroppedWithSnapshots() throws IOException {
        int kept = 0;
        for (long seed = FROM; seed < FROM + SEEDS; seed++) {
            kept += streamsWithKeptCounts(seed, RandomEdits.Kind.WITH_SNAPSHOTS);
        }

        assertThat(kept).as("streams after which they are kept").isGreaterThan(SEEDS);
    }

    private int streamsWithKeptCounts(long seed, RandomEdits.Kind kind) throws IOException {
        int kept = 0;
        FSNamesystem namesystem = namesystem(seed + "-" + kind);
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            RandomEdits edits = new RandomEdits(namesystem, seed, kind, counts);
            Random sizes = new Random(seed);
            for (int i = 0; i < STREAMS; i++) {
                if (!applied(namesystem, edits.more(1 + sizes.nextInt(40)), kind)) {
                    break;
                }
                Map<String, String> standby = counted(namesystem);
                if (counts.areKept()) {
                    kept++;
                    assertThat(standby)
                            .as("counts of seed %s after %s", seed, edits.told())
                            .isEqualTo(countedAnew(namesystem));
                }
            }
        } finally {
            close(namesystem);
        }
        return kept;
    }

    /** HDFS refuses some edits of files in snapshots that no active would write. */
    private static boolean applied(FSNamesystem namesystem, RandomEdits edits, RandomEdits.Kind kind)
            throws IOException {
        try {
            apply(namesystem, edits);
            return true;
        } catch (IOException e) {
            if (kind == RandomEdits.Kind.WITH_SNAPSHOTS) {
                return false;
            }
            throw e;
        }
    }

    /** What the test above compares would differ if nobody kept it. */
    @Test
    void hdfsMaintainsOtherCounts() throws IOException {
        FSNamesystem namesystem = namesystem("stock");
        try {
            RandomEdits edits =
                    new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY);
            apply(namesystem, edits.more(500));

            assertThat(counted(namesystem)).isNotEqualTo(countedAnew(namesystem));
        } finally {
            close(namesystem);
        }
    }

    @Test
    void dropsCountsWhenEditsAreMissing() throws IOException {
        FSNamesystem namesystem = namesystem("missing");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            apply(namesystem, new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts).more(10));
            assertThat(counts.areKept()).isTrue();
            apply(
                    namesystem,
                    new RandomEdits(namesystem, 2, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY).more(1));
            apply(namesystem, new RandomEdits(namesystem, 3, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts).more(1));

            assertThat(counts.areKept()).isFalse();
        } finally {
            close(namesystem);
        }
    }

    /** As when a DataNode reports a block that was committed while this NameNode was active. */
    @Test
    void recountsLimitedTimesWhenHdfsChangesCountsBetweenEdits() throws IOException {
        FSNamesystem namesystem = namesystem("between");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            RandomEdits edits = new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts);
            apply(namesystem, edits.more(10));
            for (int i = 0; i < 2; i++) {
                changeRoot(namesystem);
                apply(namesystem, edits.more(10));
                assertThat(counts.areKept()).isTrue();
                assertThat(counted(namesystem)).isEqualTo(countedAnew(namesystem));
            }

            changeRoot(namesystem);
            apply(namesystem, edits.more(10));
            assertThat(counts.areKept()).isFalse();
        } finally {
            close(namesystem);
        }
    }

    /** As in a move of a subtree, which makes snapshots and deletes them. */
    @Test
    void recountsOneHourAfterLastCountWhenSnapshotsAreDeleted() throws IOException {
        FSNamesystem namesystem = namesystem("snapshots");
        try {
            AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem, nanos::get);
            RandomEdits edits = new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts);
            apply(namesystem, edits.more(200));
            apply(namesystem, edits.only(mkdirOf(namesystem, "/folder")));
            apply(namesystem, edits.only(new FSEditLogOp.AllowSnapshotOp("/folder")));
            apply(namesystem, edits.only(snapshotOf("/folder")));
            assertThat(counts.areKept()).isTrue();
            apply(namesystem, edits.only(mkdirOf(namesystem, "/folder/new")));
            assertThat(counts.areKept()).isFalse();
            nanos.addAndGet(TimeUnit.HOURS.toNanos(2));
            apply(namesystem, edits.only(mkdirOf(namesystem, "/other")));
            assertThat(counts.areKept()).as("while there is a snapshot").isFalse();

            apply(namesystem, edits.only(endOfSnapshotOf("/folder")));
            apply(namesystem, edits.only(mkdirOf(namesystem, "/folder/newer")));
            assertThat(counts.areKept()).isTrue();

            apply(namesystem, edits.only(snapshotOf("/folder")));
            apply(namesystem, edits.only(endOfSnapshotOf("/folder")));
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(59));
            apply(namesystem, edits.more(1));
            assertThat(counts.areKept()).as("within an hour").isFalse();
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(61));
            apply(namesystem, edits.more(100));
            assertThat(counts.areKept()).as("after two hours").isTrue();
            assertThat(counted(namesystem)).isEqualTo(countedAnew(namesystem));
        } finally {
            close(namesystem);
        }
    }

    private static FSEditLogOp mkdirOf(FSNamesystem namesystem, String path) {
        return new FSEditLogOp.MkdirOp()
                .setInodeId(namesystem.getFSDirectory().getLastInodeId() + 1)
                .setPath(path)
                .setTimestamp(1)
                .setPermissionStatus(namesystem.getFSDirectory().getRoot().getPermissionStatus());
    }

    private static FSEditLogOp snapshotOf(String folder) {
        return new FSEditLogOp.CreateSnapshotOp()
                .setSnapshotName("s")
                .setSnapshotRoot(folder)
                .setSnapshotMTime(1);
    }

    private static FSEditLogOp endOfSnapshotOf(String folder) {
        return new FSEditLogOp.DeleteSnapshotOp()
                .setSnapshotName("s")
                .setSnapshotRoot(folder)
                .setSnapshotMTime(1);
    }

    @Test
    void dropsCountsWhenCountingFails() throws IOException {
        FSNamesystem namesystem = namesystem("error-in-count");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            Folder folder = Folder.in(namesystem);
            folder.fails = true;

            next(counts, quotaOf(folder, namesystem), namesystem);

            assertThat(counts.areKept()).isFalse();
            assertThat(counts.isCounting()).isFalse();
        } finally {
            close(namesystem);
        }
    }

    @Test
    void reportsCountInProgress() throws IOException {
        FSNamesystem namesystem = namesystem("told-while-counted");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            Folder folder = Folder.in(namesystem);
            AtomicBoolean told = new AtomicBoolean();
            folder.visited = () -> told.compareAndSet(false, counts.isCounting());
            assertThat(counts.isCounting()).isFalse();

            next(counts, quotaOf(folder, namesystem), namesystem);

            assertThat(told).isTrue();
            assertThat(counts.isCounting()).isFalse();
        } finally {
            close(namesystem);
        }
    }

    @Test
    void dropsCountsWhenEditedEntryCannotBeCounted() throws IOException {
        FSNamesystem namesystem = namesystem("error-after-edit");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            Folder folder = Folder.in(namesystem);
            next(counts, quotaOf(folder, namesystem), namesystem);
            assertThat(counts.areKept()).isTrue();
            folder.setQuota(namesystem.getFSDirectory().getBlockStoragePolicySuite(), 1, -1, null);
            folder.fails = true;

            counts.applyFinished();

            assertThat(counts.areKept()).isFalse();
        } finally {
            close(namesystem);
        }
    }

    private static void next(StandbyQuotaCounts counts, FSEditLogOp edit, FSNamesystem namesystem) {
        namesystem.writeLock();
        try {
            counts.next(edit);
        } finally {
            namesystem.writeUnlock();
        }
    }

    private static FSEditLogOp quotaOf(Folder folder, FSNamesystem namesystem) {
        FSEditLogOp edit = new FSEditLogOp.SetQuotaOp()
                .setSource(folder.getFullPathName())
                .setNSQuota(1)
                .setDSQuota(-1);
        edit.setTransactionId(namesystem.getFSImage().getLastAppliedTxId() + 1);
        return edit;
    }

    /** A folder that cannot be counted: an error, such as too little memory for a count. */
    private static final class Folder extends INodeDirectory {
        private static final String NAME = "folder";

        private volatile boolean fails;
        private volatile Runnable visited = () -> {};

        private Folder(long id, PermissionStatus permissions) {
            super(id, DFSUtil.string2Bytes(NAME), permissions, 1);
        }

        static Folder in(FSNamesystem namesystem) {
            FSDirectory directory = namesystem.getFSDirectory();
            INodeDirectory root = directory.getRoot();
            Folder folder = new Folder(directory.allocateNewInodeId(), root.getPermissionStatus());
            root.addChild(folder);
            return folder;
        }

        @Override
        public ReadOnlyList<INode> getChildrenList(int snapshotId) {
            visited.run();
            if (fails) {
                throw new StackOverflowError("for a test");
            }
            return super.getChildrenList(snapshotId);
        }
    }

    private static void changeRoot(FSNamesystem namesystem) {
        namesystem
                .getFSDirectory()
                .getRoot()
                .getDirectoryWithQuotaFeature()
                .addSpaceConsumed2Cache(
                        new QuotaCounts.Builder().storageSpace(1).build());
    }

    @Test
    void hdfsSkipsCountBehindBypassAndRestoresRoot() throws IOException {
        FSNamesystem namesystem = namesystem("stand-in");
        try {
            RandomEdits edits =
                    new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY);
            apply(namesystem, edits.more(500));
            Map<String, String> before = counted(namesystem);
            FSDirectory directory = namesystem.getFSDirectory();
            INodeDirectory root = directory.getRoot();

            RootCountBypass.replaceRoot(directory);
            assertThat(directory.getRoot()).isNotSameAs(root);
            count(namesystem);

            assertThat(directory.getRoot()).isSameAs(root);
            assertThat(counted(namesystem)).isEqualTo(before);
            assertThat(countedAnew(namesystem)).isNotEqualTo(before);
        } finally {
            close(namesystem);
        }
    }

    @Test
    void standInShowsRootContents() throws IOException {
        FSNamesystem namesystem = namesystem("looked-at");
        try {
            apply(
                    namesystem,
                    new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY).more(50));
            FSDirectory directory = namesystem.getFSDirectory();
            INodeDirectory root = directory.getRoot();
            int children = root.getChildrenList(Snapshot.CURRENT_STATE_ID).size();

            RootCountBypass.replaceRoot(directory);

            assertThat(directory
                            .getRoot()
                            .getChildrenList(Snapshot.CURRENT_STATE_ID)
                            .size())
                    .isEqualTo(children)
                    .isPositive();
            assertThat(directory.getRoot()).isSameAs(root);
        } finally {
            close(namesystem);
        }
    }

    /** Two NameNodes, of which each becomes active once. */
    @Test
    void takeoverSkipsCountAndEnforcesQuotas() throws Exception {
        try (TestNameNodes nameNodes = new TestNameNodes(directory, "kept-counts")) {
            nameNodes.format("nn1");
            NameNode first = nameNodes.start("nn1");
            TestNameNodes.makeActive(first);
            nameNodes.bootstrap("nn2");
            NameNode second = nameNodes.start("nn2");
            StandbyQuotaCounts ofFirst = watch(first);
            StandbyQuotaCounts ofSecond = watch(second);
            mkdir(first, "/quota/a");
            first.getRpcServer().setQuota("/quota", 4, -1, null);
            mkdir(first, "/quota/b");
            awaitKept(second, ofSecond);

            TestNameNodes.makeStandby(first);
            TestNameNodes.makeActive(second);

            assertThat(second.getNamesystem().getFSDirectory().getRoot()).isNotInstanceOf(RootCountBypass.class);
            assertThat(ofSecond.takeoversWithoutCount()).isEqualTo(1);
            mkdir(second, "/quota/c");
            assertThat(refuses(second, "/quota/d")).isTrue();
            second.getRpcServer().delete("/quota/c", true);
            awaitKept(first, ofFirst);

            TestNameNodes.makeStandby(second);
            TestNameNodes.makeActive(first);
            assertThat(ofFirst.takeoversWithoutCount()).isEqualTo(1);
            mkdir(first, "/quota/e");
            assertThat(refuses(first, "/quota/f")).isTrue();
        }
    }

    /** Who follows for the first time in its takeover lets HDFS count. */
    private static void awaitKept(NameNode nameNode, StandbyQuotaCounts counts) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            nameNode.getNamesystem().readLock();
            try {
                return counts.areKept();
            } finally {
                nameNode.getNamesystem().readUnlock();
            }
        });
    }

    private static StandbyQuotaCounts watch(NameNode nameNode) {
        StandbyQuotaCounts counts = new StandbyQuotaCounts(nameNode.getNamesystem());
        NameNodeJournal.of(nameNode).watchEdits(counts);
        return counts;
    }

    private static void mkdir(NameNode nameNode, String path) throws IOException {
        nameNode.getRpcServer().mkdirs(path, FsPermission.getDirDefault(), true);
    }

    private static boolean refuses(NameNode nameNode, String path) throws IOException {
        try {
            mkdir(nameNode, path);
            return false;
        } catch (NSQuotaExceededException e) {
            return true;
        }
    }

    private FSNamesystem namesystem(String name) throws IOException {
        // Formatting leaves a namesystem behind that nobody can close.
        Path formatted = directory.resolve("formatted");
        if (!Files.exists(formatted)) {
            NameNode.format(conf(formatted));
        }
        FileUtils.copyDirectory(formatted.toFile(), directory.resolve(name).toFile());
        Configuration conf = conf(directory.resolve(name));
        NameNode.initMetrics(conf, HdfsServerConstants.NamenodeRole.NAMENODE);
        FSNamesystem namesystem = FSNamesystem.loadFromDisk(conf);
        // As in a standby.
        namesystem.getFSDirectory().disableQuotaChecks();
        return namesystem;
    }

    private static Configuration conf(Path storage) {
        Configuration conf = new HdfsConfiguration();
        conf.set("fs.defaultFS", "hdfs://localhost:1");
        conf.set("dfs.namenode.name.dir", storage.toUri().toString());
        conf.set("dfs.namenode.edits.dir", storage.toUri().toString());
        return conf;
    }

    /** Metrics and beans would keep each of them, with its maps, for all other tests of this process. */
    private static void close(FSNamesystem namesystem) {
        namesystem.close();
        namesystem.shutdown();
        NameNode.getNameNodeMetrics().shutdown();
    }

    private static void apply(FSNamesystem namesystem, RandomEdits edits) throws IOException {
        namesystem.getFSImage().loadEdits(Collections.singleton(edits), namesystem);
    }

    private static Map<String, String> countedAnew(FSNamesystem namesystem) {
        count(namesystem);
        return counted(namesystem);
    }

    private static void count(FSNamesystem namesystem) {
        namesystem.writeLock();
        try {
            namesystem.getFSDirectory().updateCountForQuota();
        } finally {
            namesystem.writeUnlock();
        }
    }

    private static Map<String, String> counted(FSNamesystem namesystem) {
        Map<String, String> counts = new TreeMap<>();
        collect(namesystem.getFSDirectory().getRoot(), counts);
        return counts;
    }

    private static void collect(INode node, Map<String, String> counts) {
        if (node.isDirectory()) {
            DirectoryWithQuotaFeature quota = node.asDirectory().getDirectoryWithQuotaFeature();
            if (quota != null) {
                QuotaCounts used = quota.getSpaceConsumed();
                counts.put(
                        node.getFullPathName(),
                        used.getNameSpace() + " " + used.getStorageSpace() + " " + used.getTypeSpaces());
            }
            for (INode child : node.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
                collect(child, counts);
            }
        }
    }
}
