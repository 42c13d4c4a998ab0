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
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
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
    private static final int SEEDS = Integer.getInteger("quota.seeds", 10);
    private static final int FIRST_SEED = Integer.getInteger("quota.from", 1);
    private static final int STREAMS = 25;

    @TempDir
    private Path directory;

    @BeforeEach
    void allowSeveralNameNodesPerJvm() {
        DefaultMetricsSystem.setMiniClusterMode(true);
        FileSystem.enableSymlinks();
    }

    @Test
    void countsMatchHdfsAfterRandomEditsWithoutSnapshots() throws IOException {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            assertThat(streamsWithKeptCounts(seed, RandomEdits.Kind.WITHOUT_SNAPSHOTS))
                    .as("streams of seed %s after which the counts are kept", seed)
                    .isEqualTo(STREAMS);
        }
    }

    @Test
    void countsMatchHdfsAfterRandomEditsWithSnapshots() throws IOException {
        int kept = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            kept += streamsWithKeptCounts(seed, RandomEdits.Kind.WITH_SNAPSHOTS);
        }

        assertThat(kept).as("streams after which they are kept").isGreaterThan(SEEDS * STREAMS / 2);
    }

    private int streamsWithKeptCounts(long seed, RandomEdits.Kind kind) throws IOException {
        int kept = 0;
        FSNamesystem namesystem = namesystem(seed + "-" + kind);
        // As if all that is counted later were large, and as if it were small.
        boolean large = seed % 2 == 0;
        try {
            StandbyQuotaCounts counts =
                    new StandbyQuotaCounts(namesystem, System::nanoTime, large ? 0 : Long.MAX_VALUE);
            RandomEdits edits = new RandomEdits(namesystem, seed, kind, counts);
            Random sizes = new Random(seed);
            for (int i = 0; i < STREAMS; i++) {
                if (!tryApply(namesystem, edits.withCount(1 + sizes.nextInt(40)), kind)) {
                    break;
                }
                if (!counts.areUpToDate()) {
                    assertThat(canRecount(namesystem))
                            .as("HDFS counts where seed %s does not", seed)
                            .isFalse();
                    break;
                }
                kept++;
                if (large && sizes.nextInt(3) > 0) {
                    continue;
                }
                assertThat(counts.trySettleSnapshots()).isTrue();
                Map<String, String> standby = currentCounts(namesystem);
                assertThat(standby)
                        .as("counts of seed %s after %s", seed, edits.takeRecorded())
                        .isEqualTo(recount(namesystem));
            }
        } finally {
            close(namesystem);
        }
        return kept;
    }

    /** What it has of snapshots may be broken, after renames and deletions of snapshots in an unhappy order. */
    private static boolean canRecount(FSNamesystem namesystem) {
        try {
            count(namesystem);
            return true;
        } catch (RuntimeException | AssertionError e) {
            return false;
        }
    }

    /** HDFS refuses some edits of files in snapshots that no active would write, or breaks over its own snapshots. */
    private static boolean tryApply(FSNamesystem namesystem, RandomEdits edits, RandomEdits.Kind kind)
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

    /** What the test above compares would differ if it were not kept. */
    @Test
    void stockCountsDifferFromRecount() throws IOException {
        FSNamesystem namesystem = namesystem("stock");
        try {
            RandomEdits edits =
                    new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY);
            apply(namesystem, edits.withCount(500));

            assertThat(currentCounts(namesystem)).isNotEqualTo(recount(namesystem));
        } finally {
            close(namesystem);
        }
    }

    @Test
    void dropsCountsWhenEditsAreMissing() throws IOException {
        FSNamesystem namesystem = namesystem("missing");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            apply(namesystem, new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts).withCount(10));
            assertThat(counts.areUpToDate()).isTrue();
            applyUnseen(namesystem);
            applyMkdir(namesystem, "/new", counts);

            assertThat(counts.areUpToDate()).isFalse();
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
            apply(namesystem, edits.withCount(10));
            for (int i = 0; i < 2; i++) {
                changeRoot(namesystem);
                apply(namesystem, edits.withCount(10));
                assertThat(counts.areUpToDate()).isTrue();
                assertThat(currentCounts(namesystem)).isEqualTo(recount(namesystem));
            }

            changeRoot(namesystem);
            apply(namesystem, edits.withCount(10));
            assertThat(counts.areUpToDate()).isFalse();
        } finally {
            close(namesystem);
        }
    }

    /** As when it could not read an edit of a newer HDFS. */
    @Test
    void recountsOneHourAfterLastCountWhenEditsWereMissing() throws IOException {
        FSNamesystem namesystem = namesystem("hour");
        try {
            AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem, nanos::get, 0);
            apply(
                    namesystem,
                    new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts).withCount(200));
            applyUnseen(namesystem);
            applyMkdir(namesystem, "/a", counts);
            assertThat(counts.areUpToDate()).isFalse();

            nanos.addAndGet(TimeUnit.MINUTES.toNanos(59));
            applyMkdir(namesystem, "/b", counts);
            assertThat(counts.areUpToDate()).as("within an hour").isFalse();
            nanos.addAndGet(TimeUnit.MINUTES.toNanos(61));
            applyMkdir(namesystem, "/c", counts);

            assertThat(counts.areUpToDate()).as("after two hours").isTrue();
            assertThat(currentCounts(namesystem)).isEqualTo(recount(namesystem));
        } finally {
            close(namesystem);
        }
    }

    /** What a snapshot has of a renamed directory counts where it was, by the storage policy of now. */
    @Test
    void settlesRenamedDirectoryOfSnapshotAfterItsPolicyChanges() throws IOException {
        FSNamesystem namesystem = namesystem("renamed");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem, System::nanoTime, 0);
            RandomEdits edits = new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts);
            for (String path : new String[] {"/a", "/a/b", "/c"}) {
                apply(namesystem, edits.withSingleEdit(mkdirEdit(namesystem, path)));
            }
            apply(namesystem, edits.withSingleEdit(edits.createEdit("/a/b/file")));
            apply(namesystem, edits.withSingleEdit(edits.addBlockEdit("/a/b/file")));
            apply(namesystem, edits.withSingleEdit(edits.closeEdit("/a/b/file")));
            apply(namesystem, edits.withSingleEdit(new FSEditLogOp.AllowSnapshotOp("/a")));
            apply(namesystem, edits.withSingleEdit(createSnapshotEdit("/a")));
            apply(namesystem, edits.withSingleEdit(renameEdit("/a/b", "/c/b")));
            apply(namesystem, edits.withSingleEdit(setQuotaEdit("/a")));
            assertThat(currentCounts(namesystem)).isEqualTo(recount(namesystem));

            apply(
                    namesystem,
                    edits.withSingleEdit(new FSEditLogOp.SetStoragePolicyOp()
                            .setPath("/c/b")
                            .setPolicyId(HdfsConstants.ALLSSD_STORAGE_POLICY_ID)));
            Map<String, String> stale = currentCounts(namesystem);
            assertThat(counts.trySettleSnapshots()).isTrue();

            assertThat(currentCounts(namesystem)).isNotEqualTo(stale).isEqualTo(recount(namesystem));
        } finally {
            close(namesystem);
        }
    }

    private static FSEditLogOp renameEdit(String from, String to) {
        return new FSEditLogOp.RenameOldOp().setSource(from).setDestination(to).setTimestamp(1);
    }

    private static FSEditLogOp setQuotaEdit(String folder) {
        return new FSEditLogOp.SetQuotaOp().setSource(folder).setNSQuota(1_000).setDSQuota(-1);
    }

    /** An edit that changes no counts, so that only its number can give it away. */
    private static void applyUnseen(FSNamesystem namesystem) throws IOException {
        apply(
                namesystem,
                new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY)
                        .withSingleEdit(new FSEditLogOp.SetPermissionsOp()
                                .setSource("/")
                                .setPermissions(FsPermission.getDirDefault())));
    }

    private static void applyMkdir(FSNamesystem namesystem, String path, EditsObserver counts) throws IOException {
        apply(
                namesystem,
                new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, counts)
                        .withSingleEdit(mkdirEdit(namesystem, path)));
    }

    private static FSEditLogOp mkdirEdit(FSNamesystem namesystem, String path) {
        return new FSEditLogOp.MkdirOp()
                .setInodeId(namesystem.getFSDirectory().getLastInodeId() + 1)
                .setPath(path)
                .setTimestamp(1)
                .setPermissionStatus(namesystem.getFSDirectory().getRoot().getPermissionStatus());
    }

    private static FSEditLogOp createSnapshotEdit(String directory) {
        return new FSEditLogOp.CreateSnapshotOp()
                .setSnapshotName("s")
                .setSnapshotRoot(directory)
                .setSnapshotMTime(1);
    }

    @Test
    void dropsCountsWhenCountingFails() throws IOException {
        FSNamesystem namesystem = namesystem("error-in-count");
        try {
            StandbyQuotaCounts counts = new StandbyQuotaCounts(namesystem);
            UncountableDirectory directory = UncountableDirectory.createIn(namesystem);
            directory.fails = true;

            applyNext(counts, setQuotaEdit(directory, namesystem), namesystem);

            assertThat(counts.areUpToDate()).isFalse();
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
            UncountableDirectory directory = UncountableDirectory.createIn(namesystem);
            AtomicBoolean told = new AtomicBoolean();
            directory.visited = () -> told.compareAndSet(false, counts.isCounting());
            assertThat(counts.isCounting()).isFalse();

            applyNext(counts, setQuotaEdit(directory, namesystem), namesystem);

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
            UncountableDirectory directory = UncountableDirectory.createIn(namesystem);
            applyNext(counts, setQuotaEdit(directory, namesystem), namesystem);
            assertThat(counts.areUpToDate()).isTrue();
            directory.setQuota(namesystem.getFSDirectory().getBlockStoragePolicySuite(), 1, -1, null);
            directory.fails = true;

            counts.onStreamFinished();

            assertThat(counts.areUpToDate()).isFalse();
        } finally {
            close(namesystem);
        }
    }

    private static void applyNext(StandbyQuotaCounts counts, FSEditLogOp edit, FSNamesystem namesystem) {
        namesystem.writeLock();
        try {
            counts.onEdit(edit);
        } finally {
            namesystem.writeUnlock();
        }
    }

    private static FSEditLogOp setQuotaEdit(UncountableDirectory folder, FSNamesystem namesystem) {
        FSEditLogOp edit = setQuotaEdit(folder.getFullPathName());
        edit.setTransactionId(namesystem.getFSImage().getLastAppliedTxId() + 1);
        return edit;
    }

    /** A directory that cannot be counted: an error, such as too little memory for a count. */
    private static final class UncountableDirectory extends INodeDirectory {
        private static final String NAME = "folder";

        private volatile boolean fails;
        private volatile Runnable visited = () -> {};

        private UncountableDirectory(long id, PermissionStatus permissions) {
            super(id, DFSUtil.string2Bytes(NAME), permissions, 1);
        }

        static UncountableDirectory createIn(FSNamesystem namesystem) {
            FSDirectory directory = namesystem.getFSDirectory();
            INodeDirectory root = directory.getRoot();
            UncountableDirectory uncountable =
                    new UncountableDirectory(directory.allocateNewInodeId(), root.getPermissionStatus());
            root.addChild(uncountable);
            return uncountable;
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
    void bypassMakesHdfsSkipCountAndRestoresRoot() throws IOException {
        FSNamesystem namesystem = namesystem("stand-in");
        try {
            RandomEdits edits =
                    new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY);
            apply(namesystem, edits.withCount(500));
            Map<String, String> before = currentCounts(namesystem);
            FSDirectory directory = namesystem.getFSDirectory();
            INodeDirectory root = directory.getRoot();

            RootCountBypass.replaceRoot(directory);
            assertThat(directory.getRoot()).isNotSameAs(root);
            count(namesystem);

            assertThat(directory.getRoot()).isSameAs(root);
            assertThat(currentCounts(namesystem)).isEqualTo(before);
            assertThat(recount(namesystem)).isNotEqualTo(before);
        } finally {
            close(namesystem);
        }
    }

    @Test
    void rootReplacementShowsRootContents() throws IOException {
        FSNamesystem namesystem = namesystem("looked-at");
        try {
            apply(
                    namesystem,
                    new RandomEdits(namesystem, 1, RandomEdits.Kind.WITHOUT_SNAPSHOTS, EditsObserver.NOBODY)
                            .withCount(50));
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

    /** Two NameNodes, of which each becomes active once; there is a snapshot. */
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
            first.getRpcServer().allowSnapshot("/quota");
            first.getRpcServer().createSnapshot("/quota", "s");
            mkdir(first, "/quota/b");
            awaitCountsKept(second, ofSecond);

            TestNameNodes.makeStandby(first);
            TestNameNodes.makeActive(second);

            assertThat(second.getNamesystem().getFSDirectory().getRoot()).isNotInstanceOf(RootCountBypass.class);
            assertThat(ofSecond.takeoversWithoutCount()).isEqualTo(1);
            mkdir(second, "/quota/c");
            assertThat(isRefused(second, "/quota/d")).isTrue();
            second.getRpcServer().delete("/quota/c", true);
            awaitCountsKept(first, ofFirst);

            TestNameNodes.makeStandby(second);
            TestNameNodes.makeActive(first);
            assertThat(ofFirst.takeoversWithoutCount()).isEqualTo(1);
            mkdir(first, "/quota/e");
            assertThat(isRefused(first, "/quota/f")).isTrue();
        }
    }

    /** Who follows for the first time in its takeover lets HDFS count. */
    private static void awaitCountsKept(NameNode nameNode, StandbyQuotaCounts counts) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            nameNode.getNamesystem().readLock();
            try {
                return counts.areUpToDate();
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

    private static boolean isRefused(NameNode nameNode, String path) throws IOException {
        try {
            mkdir(nameNode, path);
            return false;
        } catch (NSQuotaExceededException e) {
            return true;
        }
    }

    private FSNamesystem namesystem(String name) throws IOException {
        // Formatting leaves a namesystem behind that cannot be closed.
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
        // A snapshot then records files that are open as they are.
        conf.setBoolean("dfs.namenode.snapshot.capture.openfiles", true);
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

    private static Map<String, String> recount(FSNamesystem namesystem) {
        count(namesystem);
        return currentCounts(namesystem);
    }

    private static void count(FSNamesystem namesystem) {
        namesystem.writeLock();
        try {
            namesystem.getFSDirectory().updateCountForQuota();
        } finally {
            namesystem.writeUnlock();
        }
    }

    private static Map<String, String> currentCounts(FSNamesystem namesystem) {
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
