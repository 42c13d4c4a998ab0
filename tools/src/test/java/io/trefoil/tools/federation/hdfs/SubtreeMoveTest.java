/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.SubtreeMoveFixture;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.SubtreeMove;
import io.trefoil.federation.move.SubtreeMove.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Moves between two stock nameservices with a DataNode that links blocks. */
class SubtreeMoveTest extends SubtreeMoveFixture {

    private static final int HOT = HdfsConstants.StoragePolicy.HOT.value();

    @Test
    void movedSubtreeHasSameFilesAtNewOwner() throws Exception {
        makeTree();
        FileChecksum checksum = first.getFileChecksum(in("/deep/large"));
        long modified = first.getFileStatus(in("/deep/large")).getModificationTime();

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(second.getFileChecksum(in("/deep/large"))).isEqualTo(checksum);
        assertThat(second.getFileStatus(in("/deep/large")).getModificationTime())
                .isEqualTo(modified);
        assertThat(second.getFileStatus(in("/deep/empty")).getLen()).isZero();
        assertThat(second.getFileStatus(in("")).getOwner()).isEqualTo("alice");
        assertThat(second.getFileStatus(in("")).getPermission()).isEqualTo(new FsPermission((short) 0755));
        assertThat(second.getFileStatus(in("/deep")).getPermission()).isEqualTo(new FsPermission((short) 01750));
        assertThat(second.getAclStatus(in("/deep/large")).getEntries())
                .isEqualTo(List.of(
                        AclEntry.parseAclEntry("user:bob:rw-", true), AclEntry.parseAclEntry("group::r--", true)));
        assertThat(second.getXAttrs(in("/small")).get("user.colour")).isEqualTo(bytes("blue"));
        assertThat(second.getQuotaUsage(in("/deep")).getQuota()).isEqualTo(100);
        assertThat(second.getQuotaUsage(in("")).getQuota()).isEqualTo(1_000);
        assertThat(second.getFileStatus(in("")).isSnapshotEnabled()).isFalse();
        assertThat(second.listStatus(in(""))).hasSize(2);

        assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns2");
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
        assertThat(first.getFileStatus(in("")).getOwner()).isEqualTo("alice");
        assertThat(moves.store().current()).isEmpty();
        as("alice", () -> write(second, "/new", "new"));
    }

    @Test
    void movesSubtreeBack() throws Exception {
        makeTree();
        federation.gate("ns1");
        run(SourceCleanup.DELETE_SOURCE);

        MoveRecord back = MoveRecord.wanted("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
        moves.connect(back, new Limits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(first, "/small")).isEqualTo("small");
        assertThat(table.newest().orElseThrow().table().owners()).hasSize(1);
        assertThat(table.inspect("ns2", path)).isEqualTo(DirectoryState.SEALED);
        as("alice", () -> write(first, "/new", "new"));
    }

    @Test
    void openFileFailsMoveWithoutLosingData() throws Exception {
        makeTree();
        try (OutputStream out = first.create(in("/open"))) {
            out.write(bytes("half"));

            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                    .isInstanceOf(TableRefusedException.class)
                    .hasMessageContaining("still writing 1 files")
                    .hasMessageContaining(path + "/open");

            assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
            as("alice", () -> write(first, "/meanwhile", "new"));
            out.write(bytes(" and half"));
        }

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(second, "/open")).isEqualTo("half and half");
        assertThat(read(second, "/meanwhile")).isEqualTo("new");
    }

    @Test
    void abortedMoveLeavesEverythingUnchanged() throws Exception {
        makeTree();
        MoveRecord record = record();
        SubtreeMove move = moves.connect(record, new Limits(), 2, progress::add);
        try (OutputStream out = first.create(in("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> move.run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("still writing");
        }

        move.abort();

        assertThat(second.exists(in(""))).isFalse();
        assertThat(moves.store().current()).isEmpty();
        assertThat(first.getFileStatus(in("")).isSnapshotEnabled()).isFalse();
        assertThat(first.getQuotaUsage(in("")).getQuota()).isEqualTo(1_000);
        assertThat(first.getFileStatus(in("")).getPermission()).isEqualTo(new FsPermission((short) 0755));
        as("alice", () -> write(first, "/new", "new"));
    }

    @Test
    void refusesUnmovableSubtree() throws Exception {
        makeTree();
        first.allowSnapshot(in("/deep"));

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("Snapshots are allowed in");

        first.disallowSnapshot(in("/deep"));
        first.mkdirs(in("/.trefoil-moving"));
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("has the name of the folder");

        first.delete(in("/.trefoil-moving"), false);
        write(second, "/there", "already");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("is not an empty folder");
        assertThat(moves.store().current()).isEmpty();
    }

    /** What a move would meet at its new owner is no business of a half-done move. */
    @Test
    void detectsTargetObstaclesBeforeMove() throws Exception {
        makeTree();
        Path above = new Path(path.text()).getParent();
        second.mkdirs(above);
        second.allowSnapshot(above);
        assertRefused("Snapshots are allowed in hdfs://ns2" + above + ", so HDFS allows none in " + path);
        second.disallowSnapshot(above);

        second.mkdirs(in(""));
        second.setQuota(in(""), 100, Long.MAX_VALUE);
        second.allowSnapshot(in(""));
        assertRefused("hdfs://ns2" + path + " has a quota of 100 names");
        assertRefused("Snapshots are allowed in hdfs://ns2" + path + ", which is to get everything of the subtree");
        second.disallowSnapshot(in(""));
        second.setQuota(in(""), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);

        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    private void assertRefused(String why) throws IOException {
        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains(why)
                .doesNotContain("It can be moved");
        assertThat(command("subtree", "move", path.text(), "--to", "ns2")).contains(why);
        assertThat(moves.store().current()).isEmpty();
    }

    @Test
    void unlinkableSubtreeIsRefusedWithCopyCommands() throws Exception {
        makeTree();
        first.setErasureCodingPolicy(in("/deep"), "RS-6-3-1024k");
        String table = " --table hdfs://ns1" + this.table.kept();
        assertRefused(path + "/deep is erasure-coded");
        assertRefused("  hdfs ec -fs hdfs://ns2 -enablePolicy -policy RS-6-3-1024k\n"
                + "  hadoop distcp -prbugpcaxte hdfs://ns1" + path + " hdfs://ns2" + path + "\n"
                + "  hdfs dfs -mv hdfs://ns1" + path + " hdfs://ns1" + path + ".old\n"
                + "  hdfs trefoil table add " + path + " ns2" + table + "\n");
        first.unsetErasureCodingPolicy(in("/deep"));

        first.allowSnapshot(in("/deep"));
        first.createSnapshot(in("/deep"), "monday");
        assertRefused("  hdfs dfs -deleteSnapshot hdfs://ns1" + path + "/deep monday\n"
                + "  hdfs dfsadmin -fs hdfs://ns1 -disallowSnapshot " + path + "/deep\n"
                + "  hdfs trefoil subtree move " + path + " --to ns2" + table + "\n");
        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--dry-run", "--json"))
                .contains("\"copying\":", "hadoop distcp -prbugpcaxt hdfs://ns1" + path);
    }

    /** What an operator does who has no links: the files are there, and nothing is in the way of the change. */
    @Test
    void copyCommandsLeadToNewOwner() throws Exception {
        makeTree();
        first.allowSnapshot(in("/deep"));
        first.createSnapshot(in("/deep"), "monday");
        // As hadoop distcp does, which needs a cluster of YARN.
        second.mkdirs(in("/deep"));
        first.deleteSnapshot(in("/deep"), "monday");
        first.disallowSnapshot(in("/deep"));
        assertThat(first.rename(in(""), new Path(path + ".old"))).isTrue();

        assertThat(command("table", "add", path.text(), "ns2")).contains(path + " went from ns1 to ns2.");
    }

    @Test
    void pauseIsLimitedToFreeze() throws Exception {
        makeTree();
        String[] move = {"subtree", "move", path.text(), "--to", "ns2", "--pause", "21"};
        assertThat(command(with(move, "--dry-run"))).contains("Clients will be refused", "It can be moved");
        federation.gate("ns1");
        String why = "Wanted --pause of at most 20, found 21: the NameNodes of hdfs://ns1 let clients wait, and end a"
                + " freeze after 30 s";
        assertThat(command(with(move, "--dry-run"))).contains(why).doesNotContain("It can be moved");
        assertThat(command(move)).contains(why);
        assertThat(moves.store().current()).isEmpty();

        try (OutputStream out = first.create(in("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("still writing");
            assertThat(command(move)).as("whoever carries on").contains(why);
        }
        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--pause", "20", "--keep-source"))
                .contains("moved, the source is kept; clients waited for at most");
        assertThat(command(move)).as("after the switch nobody waits").contains(": moved");
    }

    @Test
    void lockHolderReportsMoveProgress() throws Exception {
        makeTree();
        MoveRecord record = record();
        MoveStore store = moves.store();
        MoveCounts counts = new MoveCounts(record.id(), Clock.systemUTC());
        counts.begin("Round 1", MoveStep.COPYING, Amount.builder().files(3).build());
        counts.add(Amount.builder().files(2).build());
        try (Closeable ignored = store.lock()) {
            assertThat(store.begin(record)).isTrue();
            assertThat(command("subtree", "status")).doesNotContain("As of");
            store.keep(counts.now());
        }
        assertThat(command("subtree", "status")).containsPattern("As of \\S+: Round 1, copying: 2 of 3 files;");
        assertThatThrownBy(() -> store.keep(counts.now()))
                .as("without the lock")
                .isInstanceOf(IOException.class);
        assertThat(store.progress(newRecord())).as("of another move").isEmpty();

        run(SourceCleanup.DELETE_SOURCE);
        assertThat(command("subtree", "status")).isEqualTo("No subtree is being moved.\n");
    }

    /** Somebody else may be undoing it; the next round must not go on beside that. */
    @Test
    void moveEndsAtNextRoundWhenLockIsLost() throws Exception {
        makeTree();
        Consumer<String> taken = line -> {
            if (line.startsWith("Round 1")) {
                assertThatCode(() -> {
                            write(first, "/more", "more");
                            Path lock = new Path(table.kept() + "/moves/lock");
                            await().atMost(LIMIT).until(() -> first.recoverLease(lock));
                        })
                        .doesNotThrowAnyException();
            }
        };
        MoveRecord record = record();
        assertThatThrownBy(() -> moves.connect(record, new Limits(), 2, line -> {
                            progress.add(line);
                            taken.accept(line);
                        })
                        .run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("lock");
        assertThat(progress).noneMatch(line -> line.startsWith("Round 2"));
        assertThat(table.requireNewest().table().ownerOf(path)).isEqualTo("ns1");
    }

    @Test
    void filesDirectoriesAndBlocksAreCounted() throws Exception {
        makeTree();
        // Whenever a file or folder is about to be dealt with.
        List<String> seen = new CopyOnWriteArrayList<>();
        AtomicReference<SubtreeMove> move = new AtomicReference<>();
        MoveRecord record = record().atRate(1);
        try (SubtreeMoves paced = new HdfsSubtreeMoves(
                federation.client(),
                table,
                HdfsTableStore.SEAL,
                tuning().limiters(rate -> () -> seen.add(move.get().now().text()))
                        .build())) {
            move.set(paced.connect(record, new Limits(), 2, progress::add));
            move.get().run(SourceCleanup.DELETE_SOURCE);
        }
        for (String wanted : List.of(
                "Checks, checking: 0 of 3 files, 0 of 1 folders;",
                "Round 1, reading: 0 of 3 files, 0 of 1 folders;",
                "Round 1, reading: 1 of 3 files, 1 of 1 folders;",
                // The large file has three blocks, the small one has one, and the other has none.
                "Round 1, copying: 0 of 3 files, 0 of 4 blocks;",
                "Round 1, finishing: 0 of 3 files, 0 of 1 folders;",
                "Last round, reading: 0 of 3 files, 0 of 1 folders;",
                "Last round, comparing: 0 of 3 files, 0 of 1 folders;")) {
            assertThat(seen).anyMatch(line -> line.startsWith(wanted));
        }
        assertThat(seen).anyMatch(line -> line.matches("Round 1, finishing: [123] of 3 files.*"));
        assertThat(move.get().now().step()).isEqualTo(MoveStep.ENDED);
    }

    @Test
    void acknowledgedWritesDuringMoveExistExactlyOnce() throws Exception {
        makeTree();
        try (TableStore own = new HdfsTableStore(federation.client(), where())) {
            Map<String, FileSystem> files = new TreeMap<>();
            for (String name : List.of("ns1", "ns2")) {
                files.put(name, ofAlice(() -> federation.fileSystem(name)));
            }
            MoveRecord moved = moveUnderAWriter(new Writer() {
                private String owner = "ns1";

                @Override
                void attempt(Call call) throws IOException {
                    while (true) {
                        try {
                            assertThat(call.on(files.get(owner))).isTrue();
                            return;
                        } catch (AccessControlException | NSQuotaExceededException e) {
                            owner = own.requireNewest().table().ownerOf(path);
                        }
                    }
                }
            });

            assertThat(moved.pause()).containsEntry("clients", "were refused");
        }
    }

    /** Clients that follow the table, at NameNodes that freeze. */
    @Test
    void clientsOfFrozenSubtreeWaitWithoutRefusal() throws Exception {
        makeTree();
        federation.gate("ns1");
        Configuration conf = federation.client();
        conf.set("fs.viewfs.mounttable.path", where());
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        try (FileSystem files = ofAlice(() -> FileSystem.newInstance(URI.create("hdfs://cluster"), conf))) {
            AtomicBoolean stop = new AtomicBoolean();
            ExecutorService readers = Executors.newSingleThreadExecutor();
            Future<?> reading = readers.submit(() -> {
                while (!stop.get()) {
                    assertThat(read(files, "/small")).isEqualTo("small");
                }
                return null;
            });
            MoveRecord moved;
            try {
                moved = moveUnderAWriter(new Writer() {
                    @Override
                    void attempt(Call call) throws IOException {
                        assertThat(call.on(files)).isTrue();
                    }
                });
            } finally {
                stop.set(true);
                reading.get();
                readers.shutdown();
            }

            assertThat(moved.pause()).containsEntry("clients", "waited");
            assertThat(Long.parseLong(moved.pause().get("millis"))).isPositive();
            assertThat(federation.frozen()).isEmpty();
            as("alice", () -> assertThatThrownBy(() -> first.getFileStatus(in("/small")))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining(path + " belongs to nameservice ns2 since version 2"));
            assertThat(read(first, new Path(table.kept() + "/moves/ended-" + moved.id())))
                    .contains("pause.clients=waited");
        }
    }

    @Test
    void lateMoverDoesNotChangeOwner() throws Exception {
        makeTree();
        federation.gate("ns1");
        MoveRecord record = record();
        Limits late = new Limits() {
            @Override
            public List<String> awaitNone(Question question) throws IOException {
                federation.endFreezes();
                return question.ask();
            }
        };

        assertThatThrownBy(() -> moves.connect(record, late, 2, progress::add).run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("Nothing is frozen for move");

        assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
        assertThat(federation.frozen()).isEmpty();
        assertThat(first.getFileStatus(in("")).isSnapshotEnabled()).isFalse();
        as("alice", () -> write(first, "/new", "new"));
    }

    @Test
    void movePausesAgainWhenTableChangedConcurrently() throws Exception {
        makeTree();
        federation.gate("ns1");
        AtomicInteger pauses = new AtomicInteger();
        Limits twice = new Limits() {
            @Override
            public int pauses() {
                return 2;
            }

            @Override
            public List<String> awaitNone(Question question) throws IOException {
                int pause = pauses.incrementAndGet();
                assertThat(federation.frozen()).hasSize(1);
                if (pause == 1) {
                    giveAway("/others");
                }
                return question.ask();
            }

            @Override
            public long nanos() {
                // Once more when it is over.
                if (pauses.get() < 2) {
                    assertThatCode(() -> write(first, "/made" + pauses, "text")).doesNotThrowAnyException();
                }
                return super.nanos();
            }
        };
        MoveRecord record = record();

        moves.connect(record, twice, 2, progress::add).run(SourceCleanup.KEEP_SOURCE);

        assertThat(pauses).hasValue(2);
        assertThat(progress).contains("Somebody else changed the table meanwhile");
        SubtreeTable newest = table.requireNewest().table();
        assertThat(newest.version()).isEqualTo(3);
        assertThat(newest.ownerOf(path)).isEqualTo("ns2");
        assertThat(newest.ownerOf(SubtreePath.parse("/others"))).isEqualTo("ns2");
        assertThat(read(second, "/made0")).isEqualTo("text");
        assertThat(read(second, "/made1")).isEqualTo("text");
    }

    /** An earlier attempt has given it to the target, and the owner takes it from the source again. */
    @Test
    void policySeenOnlyByEarlierAttemptIsNotApplied() throws Exception {
        makeTree();
        first.setStoragePolicy(in(""), "HOT");
        // With that of the folder around it, it would look as if it had none.
        first.setStoragePolicy(in("/deep"), "HOT");
        AtomicInteger pauses = new AtomicInteger();
        Limits twice = new Limits() {
            @Override
            public int pauses() {
                return 2;
            }

            @Override
            public List<String> awaitNone(Question question) throws IOException {
                if (pauses.incrementAndGet() == 1) {
                    giveAway("/others");
                }
                return question.ask();
            }
        };
        List<Integer> given = new ArrayList<>();
        Consumer<String> unsetting = line -> {
            if (line.startsWith("Somebody else changed")) {
                assertThatCode(() -> {
                            given.add(policyAtTarget(""));
                            first.unsetStoragePolicy(in(""));
                        })
                        .doesNotThrowAnyException();
            }
        };
        MoveRecord record = record();

        moves.connect(record, twice, 2, unsetting).run(SourceCleanup.DELETE_SOURCE);

        assertThat(given).containsExactly(HOT);
        assertThat(policyAtTarget("")).isZero();
        assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
    }

    /** The first attempt as well: the folder at the target had the policy before. */
    @Test
    void policyOfTargetDirectoryHidesNoSourcePolicy() throws Exception {
        makeTree();
        first.setStoragePolicy(in("/deep"), "HOT");
        second.mkdirs(in(""));
        second.setStoragePolicy(in(""), "HOT");

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(policyAtTarget("")).isZero();
        assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
    }

    /** A folder below with the same policy would look as if it had none of its own, and the move would be refused. */
    @Test
    void repeatedMoveDropsPolicyOfPreviousAttempt() throws Exception {
        makeTree();
        first.setStoragePolicy(in(""), "HOT");
        first.setStoragePolicy(in("/deep"), "HOT");
        MoveRecord record = record();
        Limits changing = new Limits() {
            @Override
            public List<String> awaitNone(Question question) throws IOException {
                giveAway("/others");
                return question.ask();
            }
        };
        assertThatThrownBy(
                        () -> moves.connect(record, changing, 2, progress::add).run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("Somebody else changed the table meanwhile");
        assertThat(policyAtTarget("")).isEqualTo(HOT);
        first.unsetStoragePolicy(in(""));

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(policyAtTarget("")).isZero();
        assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
    }

    /** Whatever an owner sets while a round copies, and takes away before the next one. */
    @Test
    void removalsBetweenRoundsAreAppliedAtTarget() throws Exception {
        makeTree();
        first.setStoragePolicy(in("/deep"), "HOT");
        first.setStoragePolicy(in("/small"), "COLD");
        first.setXAttr(in("/deep"), "user.colour", bytes("red"));
        first.setAcl(in("/deep"), AclEntry.parseAclSpec("user::rwx,group::r-x,other::---,default:user:bob:rwx", true));
        first.setPermission(in("/deep"), new FsPermission((short) 01750));
        Consumer<String> taking = line -> {
            progress.add(line);
            if (line.startsWith("Round 1")) {
                assertThatCode(() -> {
                            assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
                            first.unsetStoragePolicy(in("/deep"));
                            first.unsetStoragePolicy(in("/small"));
                            first.removeXAttr(in("/deep"), "user.colour");
                            first.removeXAttr(in("/small"), "user.colour");
                            first.removeAcl(in("/deep"));
                            first.removeAcl(in("/deep/large"));
                            first.setQuota(in("/deep"), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
                            first.setPermission(in("/deep"), new FsPermission((short) 0700));
                            first.setReplication(in("/small"), (short) 2);
                            first.setTimes(in("/small"), 1000, -1);
                        })
                        .doesNotThrowAnyException();
            }
        };
        MoveRecord record = record();

        moves.connect(record, new Limits(), 2, taking).run(SourceCleanup.DELETE_SOURCE);

        assertThat(policyAtTarget("/deep")).isZero();
        assertThat(policyAtTarget("/small")).isZero();
        assertThat(second.listXAttrs(in("/deep"))).isEmpty();
        assertThat(second.listXAttrs(in("/small"))).isEmpty();
        assertThat(second.getAclStatus(in("/deep")).getEntries()).isEmpty();
        assertThat(second.getAclStatus(in("/deep/large")).getEntries()).isEmpty();
        assertThat(second.getQuotaUsage(in("/deep")).getQuota()).isEqualTo(HdfsConstants.QUOTA_RESET);
        assertThat(second.getQuotaUsage(in("/deep")).getSpaceQuota()).isEqualTo(HdfsConstants.QUOTA_RESET);
        assertThat(second.getFileStatus(in("/deep")).getPermission().toShort()).isEqualTo((short) 0700);
        assertThat(second.getFileStatus(in("/small")).getReplication()).isEqualTo((short) 2);
        assertThat(second.getFileStatus(in("/small")).getModificationTime()).isEqualTo(1000);
    }

    private int policyAtTarget(String inside) throws IOException {
        return second.getClient().getFileInfo(path + inside).getStoragePolicy();
    }

    @Test
    void moveFailsWhenTableChangesInLastPause() throws Exception {
        makeTree();
        Limits changing = new Limits() {
            @Override
            public List<String> awaitNone(Question question) throws IOException {
                giveAway("/others");
                return question.ask();
            }
        };
        MoveRecord record = record();

        assertThatThrownBy(
                        () -> moves.connect(record, changing, 2, progress::add).run(SourceCleanup.DELETE_SOURCE))
                .hasMessage("Somebody else changed the table meanwhile; clients work at the source again. Repeat the"
                        + " command");

        as("alice", () -> write(first, "/new", "new"));
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/new")).isEqualTo("new");
    }

    private void giveAway(String other) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        SubtreeTable next = SubtreeMove.change(table, newest, SubtreePath.parse(other), "ns2")
                .applyTo(newest, table.nameservices(), table.kept());
        assertThat(table.append(TableRecord.of(next, "give", "test", NOW))).isTrue();
    }

    /** Moves while somebody writes, and compares what there is at the end with what the writer was told. */
    private MoveRecord moveUnderAWriter(Writer writer) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<?> writing = thread.submit(writer);
        MoveRecord moved;
        try {
            await().atMost(LIMIT).until(() -> writer.done.get() > 20 || writing.isDone());
            MoveRecord record = record();
            moved = moves.connect(record, new PatientLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
            int before = writer.done.get();
            await().atMost(LIMIT).until(() -> writer.done.get() > before + 20 || writing.isDone());
        } finally {
            writer.stop = true;
            writing.get();
            thread.shutdown();
        }

        Map<String, String> found = new TreeMap<>();
        for (FileStatus one : second.listStatus(in("/" + Writer.FOLDER))) {
            String name = one.getPath().getName();
            found.put(name, read(second, "/" + Writer.FOLDER + "/" + name));
        }
        assertThat(found).isEqualTo(writer.acknowledged);
        assertThat(progress).anyMatch(line -> line.startsWith("Version 2"));
        return moved;
    }

    /** Makes, renames and deletes files. */
    private abstract class Writer implements Callable<Void> {
        static final String FOLDER = "written";

        final Map<String, String> acknowledged = new TreeMap<>();
        final AtomicInteger done = new AtomicInteger();
        volatile boolean stop;

        /** Makes a call until it is done, which must not fail then. */
        abstract void attempt(Call call) throws IOException;

        @Override
        public Void call() throws Exception {
            attempt(fileSystem -> fileSystem.mkdirs(in("/" + FOLDER)));
            for (int i = 0; !stop; i++) {
                change(i);
                done.incrementAndGet();
            }
            return null;
        }

        private void change(int number) throws IOException {
            String name = "new" + number;
            attempt(fileSystem -> {
                write(fileSystem, "/" + FOLDER + "/" + name, "text of " + name);
                return true;
            });
            acknowledged.put(name, "text of " + name);
            if (number % 3 == 0) {
                String other = "renamed" + number;
                attempt(one -> one.rename(in("/" + FOLDER + "/" + name), in("/" + FOLDER + "/" + other)));
                acknowledged.put(other, acknowledged.remove(name));
            } else if (number % 3 == 1) {
                attempt(fileSystem -> fileSystem.delete(in("/" + FOLDER + "/" + name), false));
                acknowledged.remove(name);
            }
        }
    }

    private interface Call {
        boolean on(FileSystem fileSystem) throws IOException;
    }

    @Test
    void commandsReportActions() throws Exception {
        makeTree();

        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains(
                        path + " from ns1 to ns2: 3 files, 2 folders,",
                        "Others wait about 1 ms at a time, while ns1 deletes a snapshot of it.",
                        "Clients will be refused while the owner changes: the active NameNode of ns1 has no"
                                + " trefoil.federation.gate.",
                        "It can be moved; nothing was changed.");
        federation.gate("ns1");
        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains("Clients will wait while the owner changes.");
        federation.ungate();
        assertThat(second.exists(in(""))).isFalse();
        assertThat(command("subtree", "status")).isEqualTo("No subtree is being moved.\n");
        assertThat(command("subtree", "abort")).isEqualTo("No subtree is being moved\n");

        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--keep-source"))
                .contains(
                        "Version 2: " + path + " belongs to ns2",
                        "moved, the source is kept; clients were refused for at most ");
        assertThat(command("subtree", "status")).contains("the source is closed and still has its files");
        assertThat(command("subtree", "status"))
                .contains("It cannot be aborted; this deletes them: hdfs trefoil subtree move " + path + " --to ns2");
        assertThat(command("subtree", "abort")).contains("belongs to ns2 already; complete the move instead");
        assertThat(command("subtree", "move", path + "x", "--to", "ns2"))
                .contains("has begun and not ended; ns2 has it, so it can only be completed")
                .doesNotContain("abort");

        assertThat(command("subtree", "move", path.text(), "--to", "ns2"))
                .containsPattern(
                        ": moved; clients were refused for at most [0-9]+ ms; others waited for at most [0-9]+ ms at ns1, [0-9]+ ms at ns2");
        assertThat(command("table", "history")).contains("move " + path + " ns2 ");
    }

    @Test
    void rateLimitsRoundsButNotPause() throws Exception {
        makeTree();
        federation.gate("ns1");
        try (OutputStream out = first.create(in("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("still writing");
        }
        List<String> frozen = Collections.synchronizedList(new ArrayList<>());
        Set<OptionalInt> recorded = ConcurrentHashMap.newKeySet();
        AtomicInteger turns = new AtomicInteger();
        // Several threads ask it.
        MoveStore store = moves.store();
        MoveRecord record = record().atRate(70);
        try (SubtreeMoves paced = new HdfsSubtreeMoves(
                federation.client(),
                table,
                HdfsTableStore.SEAL,
                tuning().limiters(rate -> {
                            assertThat(rate).isEqualTo(70);
                            return () -> {
                                turns.incrementAndGet();
                                assertThatCode(() -> {
                                            frozen.addAll(federation.frozen());
                                            recorded.add(store.current()
                                                    .orElseThrow()
                                                    .rate());
                                        })
                                        .doesNotThrowAnyException();
                            };
                        })
                        .build())) {
            paced.connect(record, new Limits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        }

        // Five nodes are read four times, of which four are copied, and all are finished.
        assertThat(turns).hasValueGreaterThan(4 * 5 + 4 + 5);
        assertThat(recorded).containsExactly(OptionalInt.of(70));
        assertThat(frozen).isEmpty();
    }

    /** Rather than end without memory while clients wait. */
    @Test
    void refusesMoveWhenHeapIsTooSmall() throws Exception {
        makeTree();
        SubtreeMove move = moves.connect(
                record(),
                new Limits() {
                    @Override
                    public long heapBytes() {
                        return 64 << 20;
                    }
                },
                2,
                progress::add);

        assertThatThrownBy(() -> move.run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("needs about 65 MB of heap for 5 files and folders, and has 64 MB")
                .hasMessageContaining("HADOOP_CLIENT_OPTS=-Xmx65m");

        assertThat(moves.store().current()).isEmpty();
        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains("The command needs about 65 MB of heap.");
    }

    @Test
    void interruptedMoveKeepsRate() throws Exception {
        makeTree();
        String[] move = {"subtree", "move", path.text(), "--to", "ns2", "--pause", "0"};
        try (OutputStream out = first.create(in("/open"))) {
            out.write(1);
            assertThat(command(with(move, "--rate", "100000"))).contains("still writing");
            assertThat(command(move)).contains("still writing");
            assertThat(command("subtree", "status")).contains("; at most 100000 files and folders a second");
            assertThat(command("subtree", "status", "--json")).contains("\"rate\": 100000");
        }
        assertThat(command(with(move, "--rate", "0")))
                .contains("Wanted --rate from 1 to 1000000 files a second, found 0");
    }

    private static String[] with(String[] words, String... more) {
        return Stream.of(words, more).flatMap(Stream::of).toArray(String[]::new);
    }

    /** What a command prints. */
    private String command(String... arguments) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--table", "hdfs://ns1" + table.kept()));
        TrefoilMain.run(federation.client(), out, out, all.toArray(String[]::new));
        return printed.toString(StandardCharsets.UTF_8);
    }

    /** Waits for writers. */
    private static final class PatientLimits extends Limits {
        @Override
        public List<String> awaitNone(Question question) throws IOException {
            await().atMost(LIMIT).until(() -> question.ask().isEmpty());
            return question.ask();
        }
    }
}
