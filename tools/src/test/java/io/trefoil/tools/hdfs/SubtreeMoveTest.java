/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.subtrees.SubtreeFileSystem;
import io.trefoil.tools.hdfs.subtree.HdfsSubtreeMoves;
import io.trefoil.tools.hdfs.tree.FollowedTree;
import io.trefoil.tools.subtree.model.MoveLimits;
import io.trefoil.tools.subtree.model.MoveRecord;
import io.trefoil.tools.subtree.model.MoveStore;
import io.trefoil.tools.subtree.model.SubtreeMove;
import io.trefoil.tools.subtree.model.SubtreeMove.Afterwards;
import io.trefoil.tools.subtree.model.SubtreeMoves;
import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.SubtreeTable;
import io.trefoil.tools.table.model.TableRecord;
import io.trefoil.tools.table.model.TableRefusedException;
import io.trefoil.tools.table.model.TableStore;
import io.trefoil.tools.table.model.TableStore.Folder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Moves between two stock nameservices with a DataNode that links blocks. */
class SubtreeMoveTest {

    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int BLOCK = 1 << 20;
    private static final String LATE = "edits were not to be read within 3000 ms";
    private static final int HOT = HdfsConstants.StoragePolicy.HOT.value();
    private static final AtomicInteger NAMES = new AtomicInteger();

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;

    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private TableStore table;
    private SubtreeMoves moves;
    private SubtreePath path;
    private final List<String> progress = new ArrayList<>();

    @BeforeAll
    static void startFederation() throws IOException {
        federation = StockFederation.start(directory);
    }

    @AfterAll
    static void stopFederation() {
        federation.close();
    }

    @BeforeEach
    void begin() throws IOException {
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        int number = NAMES.incrementAndGet();
        HadoopInstallation installation = new HadoopInstallation(federation.client());
        Optional<String> folder = Optional.of("hdfs://ns1/tables/" + number);
        table = installation.subtrees(folder);
        table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
        // However long a thread stands still, edits are told in time.
        moves = moves(LIMIT);
        path = SubtreePath.parse("/data" + number + "/sales");
    }

    /** @param toldWithin how long one question for edits may take while clients wait */
    private SubtreeMoves moves(Duration toldWithin) {
        return new HdfsSubtreeMoves(federation.client(), table, HdfsTableStore.SEAL, rate -> () -> {}, toldWithin);
    }

    @AfterEach
    void end() throws IOException {
        federation.ungate();
        moves.close();
        table.close();
        first.close();
        second.close();
    }

    @Test
    void aQuietSubtreeHasTheSameFilesAtItsNewOwner() throws Exception {
        makeTree();
        FileChecksum checksum = first.getFileChecksum(in("/deep/large"));
        long modified = first.getFileStatus(in("/deep/large")).getModificationTime();

        run(Afterwards.DELETE_SOURCE);

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
        assertThat(table.look("ns1", path)).isEqualTo(Folder.SEALED);
        assertThat(first.getFileStatus(in("")).getOwner()).isEqualTo("alice");
        assertThat(moves.store().current()).isEmpty();
        as("alice", () -> write(second, "/new", "new"));
    }

    @Test
    void theSubtreeGoesBack() throws Exception {
        makeTree();
        federation.gate("ns1");
        run(Afterwards.DELETE_SOURCE);

        MoveRecord back = MoveRecord.wanted("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
        moves.connect(back, new Limits(), 2, progress::add).run(back, Afterwards.DELETE_SOURCE);

        assertThat(read(first, "/small")).isEqualTo("small");
        assertThat(table.newest().orElseThrow().table().owners()).hasSize(1);
        assertThat(table.look("ns2", path)).isEqualTo(Folder.SEALED);
        as("alice", () -> write(first, "/new", "new"));
    }

    @Test
    void aFileThatIsBeingWrittenEndsTheMoveAndIsNotLost() throws Exception {
        makeTree();
        try (OutputStream out = first.create(in("/open"))) {
            out.write(bytes("half"));

            assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE))
                    .isInstanceOf(TableRefusedException.class)
                    .hasMessageContaining("still writing 1 files")
                    .hasMessageContaining(path + "/open");

            assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
            as("alice", () -> write(first, "/meanwhile", "new"));
            out.write(bytes(" and half"));
        }

        run(Afterwards.DELETE_SOURCE);

        assertThat(read(second, "/open")).isEqualTo("half and half");
        assertThat(read(second, "/meanwhile")).isEqualTo("new");
    }

    @Test
    void anAbortedMoveLeavesEverythingAsItWas() throws Exception {
        makeTree();
        MoveRecord record = record();
        SubtreeMove move = moves.connect(record, new Limits(), 2, progress::add);
        try (OutputStream out = first.create(in("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> move.run(record, Afterwards.DELETE_SOURCE)).hasMessageContaining("still writing");
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
    void whatASuperuserChangesAtTheClosedSourceIsNotDeleted() throws Exception {
        makeTree();
        run(Afterwards.KEEP_SOURCE);
        assertThatThrownBy(() -> as("alice", () -> write(first, "/small", "stale")))
                .isInstanceOf(AccessControlException.class);
        try (FSDataOutputStream out = first.append(in("/small"))) {
            out.write(bytes(" change"));
        }

        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("superuser changed");

        assertThat(read(first, "/small")).isEqualTo("small change");
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void aFolderAboveIsNoMoreOpenAtTheTargetThanAtTheSource() throws Exception {
        makeTree();
        Path above = in("").getParent();
        first.setOwner(above, "alice", "staff");
        first.setAcl(above, AclEntry.parseAclSpec("user::rwx,user:bob:rwx,group::---,mask::rwx,other::---", true));

        run(Afterwards.DELETE_SOURCE);

        assertThat(second.getAclStatus(above).getEntries())
                .isEqualTo(first.getAclStatus(above).getEntries())
                .contains(AclEntry.parseAclEntry("group::---", true));
        assertThat(second.getFileStatus(above).getPermission())
                .isEqualTo(first.getFileStatus(above).getPermission());
        assertThat(second.getFileStatus(above).getOwner()).isEqualTo("alice");
    }

    /** HDFS gives each new folder the default ACL of the one around it. */
    @Test
    void whatIsMadeAtTheTargetInheritsNoAcl() throws Exception {
        makeTree();
        Path above = in("").getParent();
        first.setAcl(
                in("/deep"), AclEntry.parseAclSpec("user::rwx,user:bob:r-x,group::---,mask::r-x,other::---", true));
        List<AclEntry> wanted = first.getAclStatus(in("/deep")).getEntries();
        FsPermission root = first.getFileStatus(in("")).getPermission();
        second.modifyAclEntries(new Path("/"), AclEntry.parseAclSpec("default:user:eve:rwx", true));
        try {
            run(Afterwards.DELETE_SOURCE);

            assertThat(second.getAclStatus(above).getEntries()).isEmpty();
            assertThat(second.getAclStatus(in("")).getEntries()).isEmpty();
            assertThat(second.getFileStatus(in("")).getPermission()).isEqualTo(root);
            assertThat(second.getAclStatus(in("/deep")).getEntries()).isEqualTo(wanted);
            assertThat(second.getFileStatus(in("/small")).hasAcl()).isFalse();
        } finally {
            second.removeDefaultAcl(new Path("/"));
        }
    }

    @Test
    void anOwnerWhoIsNoSuperuserMovesNothing() throws Exception {
        makeTree();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        for (String command : List.of("move", "status", "abort")) {
            List<String> words = new ArrayList<>(List.of("subtree", command, "--table", where().get()));
            if (command.equals("move")) {
                words.addAll(List.of(path.text(), "--to", "ns2"));
            }
            PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
            int code = ofAlice(() -> TrefoilMain.run(federation.client(), out, out, words.toArray(String[]::new)));
            assertThat(code).as(command + ": " + said).isNotZero();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("Wanted a superuser of hdfs://ns1, found alice; nothing was changed");
        assertThat(second.exists(in("").getParent())).isFalse();
        assertThat(first.exists(new Path(table.kept() + "/moves"))).isFalse();
        assertThat(table.history()).hasSize(1);
    }

    @Test
    void refusesWhatCannotBeMoved() throws Exception {
        makeTree();
        first.allowSnapshot(in("/deep"));

        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("Snapshots are allowed in");

        first.disallowSnapshot(in("/deep"));
        first.mkdirs(in("/.trefoil-moving"));
        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("has the name of the folder");

        first.delete(in("/.trefoil-moving"), false);
        write(second, "/there", "already");
        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("is not an empty folder");
        assertThat(moves.store().current()).isEmpty();
    }

    @Test
    void whatClientsWereToldDuringTheMoveIsThereOnce() throws Exception {
        makeTree();
        try (TableStore own = new HadoopInstallation(federation.client()).subtrees(where())) {
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
    void clientsOfAFrozenSubtreeWaitAndAreNeverRefused() throws Exception {
        makeTree();
        federation.gate("ns1");
        Configuration conf = federation.client();
        conf.set("fs.viewfs.mounttable.path", where().get());
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
    void aMoverThatWasLateDoesNotChangeTheOwner() throws Exception {
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

        assertThatThrownBy(() -> moves.connect(record, late, 2, progress::add).run(record, Afterwards.DELETE_SOURCE))
                .hasMessageContaining("Nothing is frozen for move");

        assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
        assertThat(federation.frozen()).isEmpty();
        assertThat(first.getFileStatus(in("")).isSnapshotEnabled()).isFalse();
        as("alice", () -> write(first, "/new", "new"));
    }

    /** HDFS tells no edits of quotas, so the snapshots are compared. */
    @Test
    void whatChangesBetweenTheLastRoundAndThePauseIsMoved() throws Exception {
        moveWhatChanges(() -> {});

        assertThat(compared()).hasSize(1).allMatch(line -> line.contains("tells no edits of quotas"));
    }

    /** All edits are told, so nothing visits the whole tree while clients wait. */
    @Test
    void editsAloneProveWhatHasChangedWhereNameNodesTellAll() throws Exception {
        federation.gate("ns1");
        federation.gate("ns2");

        moveWhatChanges(() -> {});

        assertThat(compared()).isEmpty();
    }

    /** As the role goes to a NameNode without a gate. */
    @Test
    void ifTheNextActiveTellsLessSnapshotsAreCompared() throws Exception {
        federation.gate("ns1");

        moveWhatChanges(federation::ungate);

        assertThat(compared()).hasSize(1).allMatch(line -> line.contains("tells no edits of quotas"));
    }

    /** What was told before does not tell all, even if what is told later does. */
    @Test
    void ifTheNextActiveTellsMoreSnapshotsAreComparedAsWell() throws Exception {
        moveWhatChanges(() -> federation.gate("ns1"));

        assertThat(compared()).hasSize(1).allMatch(line -> line.contains("tells no edits of quotas"));
    }

    /** What it sets after the last snapshot is not moved, so the owner must not change. */
    @Test
    void whatASuperuserSetsBesideTheGateInThePauseIsSeen() throws Exception {
        makeTree();
        federation.gate("ns1");
        String folder = path + "/deep";
        NamenodeProtocols besideTheGate = federation.calls("ns1");
        List<StockFederation.Action> changes = List.of(
                () -> besideTheGate.setQuota(folder, 55, HdfsConstants.QUOTA_DONT_SET, null),
                () -> besideTheGate.setPermission(folder, new FsPermission((short) 0711)),
                () -> besideTheGate.setStoragePolicy(folder, "COLD"));
        for (StockFederation.Action change : changes) {
            progress.clear();
            // The mover becomes the owner when it closes the folder.
            federation.before("setOwner", change);

            assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("A superuser changed");

            assertThat(compared()).hasSize(1).allMatch(line -> line.contains("edits tell of /deep"));
            assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
            moves.connect(record(), new Limits(), 2, progress::add).abort();
        }
        as("alice", () -> write(first, "/new", "new"));
    }

    @Test
    void theSourceIsKeptIfItsSnapshotsContradictWhatWasMoved() throws Exception {
        makeTree();
        federation.gate("ns1");
        MoveRecord record = record();
        Limits changing = changing(() -> {
            federation.hideEventsOf(path + "/small");
            first.setPermission(in("/small"), new FsPermission((short) 0640));
        });

        assertThatThrownBy(
                        () -> moves.connect(record, changing, 2, progress::add).run(record, Afterwards.DELETE_SOURCE))
                .hasMessageContaining(path + " is kept, because edits do not tell that /small was changed");

        assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns2");
        assertThat(first.getFileStatus(in("/small")).getPermission()).isEqualTo(new FsPermission((short) 0640));
        // Another process does not know it from the edits.
        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("is kept, because");
        for (FileStatus one : first.listStatus(in(""))) {
            first.delete(one.getPath(), true);
        }
        run(Afterwards.DELETE_SOURCE);
        assertThat(moves.store().current()).isEmpty();
    }

    /** Another process has no edits; it must not delete what was not moved. */
    @Test
    void whoeverCarriesOnChecksWhatWasMovedByEditsAlone() throws Exception {
        makeTree();
        federation.gate("ns1");
        MoveRecord record = record();
        Limits changing = changing(() -> {
            federation.hideEventsOf(path + "/small");
            first.setTimes(in("/small"), 54_321, -1);
        });
        Consumer<String> dying = line -> {
            progress.add(line);
            if (line.startsWith("Version ")) {
                throw new IllegalStateException("The process ends");
            }
        };

        assertThatThrownBy(() -> moves.connect(record, changing, 2, dying).run(record, Afterwards.DELETE_SOURCE))
                .hasMessage("The process ends");

        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE))
                .hasMessageContaining("is kept, because its last snapshot is not what was moved");
        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("is kept, because");
        assertThat(first.getFileStatus(in("/small")).getModificationTime()).isEqualTo(54_321);
        as("alice", () -> write(second, "/new", "new"));
    }

    @Test
    void aCheckThatFailedIsMadeAgain() throws Exception {
        makeTree();
        federation.gate("ns1");
        MoveRecord record = record();
        Limits changing = changing(() -> {
            federation.hideEventsOf(path + "/small");
            first.setPermission(in("/small"), new FsPermission((short) 0640));
            federation.before("getSnapshotDiffReportListing", () -> {
                throw new IOException("The role goes to another NameNode");
            });
        });
        assertThatThrownBy(
                        () -> moves.connect(record, changing, 2, progress::add).run(record, Afterwards.DELETE_SOURCE))
                .hasMessageContaining("The role goes to another NameNode");

        assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("is kept, because");

        assertThat(first.getFileStatus(in("/small")).getPermission()).isEqualTo(new FsPermission((short) 0640));
    }

    /** Clients of the new owner change what they want; that says nothing of what was moved. */
    @Test
    void whatWasMovedIsDeletedByWhoeverCarriesOn() throws Exception {
        makeTree();
        federation.gate("ns1");
        MoveRecord record = record();
        Limits changing = changing(() -> {
            write(first, "/made", "text");
            first.delete(in("/deep/empty"), false);
            federation.before("getSnapshotDiffReportListing", () -> {
                throw new IOException("The role goes to another NameNode");
            });
        });
        assertThatThrownBy(
                        () -> moves.connect(record, changing, 2, progress::add).run(record, Afterwards.DELETE_SOURCE))
                .hasMessageContaining("The role goes to another NameNode");
        as("alice", () -> write(second, "/new", "new"));

        run(Afterwards.DELETE_SOURCE);

        assertThat(progress).anyMatch(line -> line.contains("did not check what it moved"));
        assertThat(moves.store().current()).isEmpty();
        assertThat(read(second, "/made")).isEqualTo("text");
    }

    /** Asked from which edit on nobody may change anything. */
    @Test
    void aPauseWhoseFirstQuestionForEditsIsLateListsAll() throws Exception {
        moveAtASlowJournal(slow -> federation.before("getEditsFromTxid", slow));

        assertThat(progress).anyMatch(line -> line.startsWith("The pause lists all") && line.endsWith(LATE));
    }

    /** Asked what has changed until the last snapshot. */
    @Test
    void aPauseThatIsToldOfItsChangesTooLateListsAll() throws Exception {
        moveAtASlowJournal(
                slow -> federation.before("createSnapshot", () -> federation.before("getEditsFromTxid", slow)));

        assertThat(progress).anyMatch(line -> line.startsWith("The pause lists all") && line.endsWith(LATE));
    }

    /** Asked whether nothing followed the last snapshot. */
    @Test
    void whatEditsProveTooLateADifferenceProves() throws Exception {
        moveAtASlowJournal(slow -> federation.before("setOwner", () -> federation.before("getEditsFromTxid", slow)));

        assertThat(compared()).hasSize(1).allMatch(line -> line.endsWith(LATE));
        assertThat(progress).noneMatch(line -> line.startsWith("The pause lists all"));
    }

    /** The NameNode holds a question for edits until the move is over. */
    private void moveAtASlowJournal(Consumer<StockFederation.Action> asked) throws Exception {
        makeTree();
        federation.gate("ns1");
        CountDownLatch over = new CountDownLatch(1);
        List<String> calls = Collections.synchronizedList(new ArrayList<>());
        StockFederation.Action slow = () -> {
            calls.add("held");
            try {
                over.await(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            calls.add("read");
        };
        Limits changing = changing(() -> {
            write(first, "/made", "text");
            asked.accept(slow);
        });
        MoveRecord record = record();
        SubtreeMoves hurried = moves(FollowedTree.TOLD_WITHIN);
        try {
            hurried.connect(record, changing, 2, progress::add).run(record, Afterwards.DELETE_SOURCE);

            assertThat(calls).containsExactly("held");
            await().atMost(LIMIT).until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(one -> one.getName().equals("subtree-edits")));
            assertThat(calls).containsExactly("held");
        } finally {
            over.countDown();
            hurried.close();
        }
        assertThat(read(second, "/made")).isEqualTo("text");
        assertThat(moves.store().current()).isEmpty();
        as("alice", () -> write(second, "/new", "new"));
    }

    @Test
    void aMovePausesAgainIfSomebodyElseChangedTheTable() throws Exception {
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

        moves.connect(record, twice, 2, progress::add).run(record, Afterwards.KEEP_SOURCE);

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
    void aStoragePolicyThatOnlyAnEarlierAttemptFoundIsNotMoved() throws Exception {
        makeTree();
        first.setStoragePolicy(in(""), "HOT");
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

        moves.connect(record, twice, 2, unsetting).run(record, Afterwards.DELETE_SOURCE);

        assertThat(given).containsExactly(HOT);
        assertThat(policyAtTarget("")).isZero();
    }

    /** A folder below with the same policy would look as if it had none of its own, and the move would be refused. */
    @Test
    void aRepeatedCommandBeginsWithoutTheStoragePolicyOfTheOneBefore() throws Exception {
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
                        () -> moves.connect(record, changing, 2, progress::add).run(record, Afterwards.DELETE_SOURCE))
                .hasMessageContaining("Somebody else changed the table meanwhile");
        assertThat(policyAtTarget("")).isEqualTo(HOT);
        first.unsetStoragePolicy(in(""));

        run(Afterwards.DELETE_SOURCE);

        assertThat(policyAtTarget("")).isZero();
        assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
    }

    private int policyAtTarget(String inside) throws IOException {
        return second.getClient().getFileInfo(path + inside).getStoragePolicy();
    }

    @Test
    void aMoveEndsIfSomebodyElseChangesTheTableInItsLastPause() throws Exception {
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
                        () -> moves.connect(record, changing, 2, progress::add).run(record, Afterwards.DELETE_SOURCE))
                .hasMessage(
                        "Somebody else changed the table meanwhile; clients work at the source again. Repeat the command");

        as("alice", () -> write(first, "/new", "new"));
        run(Afterwards.DELETE_SOURCE);
        assertThat(read(second, "/new")).isEqualTo("new");
    }

    private void giveAway(String other) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        SubtreeTable next = SubtreeMove.change(table, newest, SubtreePath.parse(other), "ns2")
                .applyTo(newest, table.nameservices(), table.kept());
        assertThat(table.append(TableRecord.of(next, "give", "test", NOW))).isTrue();
    }

    private List<String> compared() {
        return progress.stream()
                .filter(line -> line.startsWith("The pause compares"))
                .toList();
    }

    /** When the mover has followed the edits, just before it freezes the subtree. */
    private static Limits changing(Action change) {
        AtomicBoolean changed = new AtomicBoolean();
        return new Limits() {
            @Override
            public long nanos() {
                if (!changed.getAndSet(true)) {
                    assertThatCode(change::run).doesNotThrowAnyException();
                }
                return super.nanos();
            }
        };
    }

    /** @param meanwhile happens after what is changed first */
    private void moveWhatChanges(Action meanwhile) throws Exception {
        makeTree();
        first.mkdirs(in("/again"));
        write(first, "/again/file", "old");
        write(first, "/cut", "text");
        write(first, "/gone", "gone");
        first.mkdirs(in("/outer/inner"));
        MoveRecord record = record();
        Limits changing = changing(() -> {
            changeTree();
            meanwhile.run();
        });

        moves.connect(record, changing, 2, progress::add).run(record, Afterwards.DELETE_SOURCE);

        assertThat(progress).noneMatch(line -> line.startsWith("The pause lists all"));
        assertThat(second.getXAttrs(in("/small"))).containsOnlyKeys("user.shape");
        assertThat(second.getFileStatus(in("/small")).getModificationTime()).isEqualTo(12_345);
        assertThat(second.getAclStatus(in("/deep/large")).getEntries()).isEmpty();
        assertThat(second.getQuotaUsage(in("/deep")).getQuota()).isEqualTo(77);
        assertThat(read(second, "/cut")).isEqualTo("teXT");
        assertThat(second.exists(in("/gone"))).isFalse();
        assertThat(read(second, "/again/file")).isEqualTo("new");
        assertThat(second.getXAttrs(in("/again/file"))).containsOnlyKeys("user.new");
        assertThat(second.getXAttrs(in("/outer/inner"))).containsOnlyKeys("user.inner");
        assertThat(second.getFileStatus(in("/deep/moved")).getLen()).isZero();
    }

    private void changeTree() throws Exception {
        first.removeXAttr(in("/small"), "user.colour");
        first.setXAttr(in("/small"), "user.shape", bytes("round"), EnumSet.of(XAttrSetFlag.CREATE));
        first.setTimes(in("/small"), 12_345, -1);
        first.removeAcl(in("/deep/large"));
        first.setQuota(in("/deep"), 77, Long.MAX_VALUE);
        first.rename(in("/deep/empty"), in("/deep/moved"));
        // HDFS's difference does not show it: the length is that of before.
        first.truncate(in("/cut"), 2);
        await().atMost(LIMIT).until(() -> first.isFileClosed(in("/cut")));
        try (FSDataOutputStream out = first.append(in("/cut"))) {
            out.write(bytes("XT"));
        }
        first.delete(in("/gone"), false);
        first.delete(in("/again"), true);
        first.mkdirs(in("/again"));
        write(first, "/again/file", "new");
        first.setXAttr(in("/again/file"), "user.new", bytes("1"), EnumSet.of(XAttrSetFlag.CREATE));
        first.setXAttr(in("/outer/inner"), "user.inner", bytes("1"), EnumSet.of(XAttrSetFlag.CREATE));
    }

    /** Moves while somebody writes, and compares what there is at the end with what the writer was told. */
    private MoveRecord moveUnderAWriter(Writer writer) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Future<?> writing = thread.submit(writer);
        MoveRecord moved;
        try {
            await().atMost(LIMIT).until(() -> writer.done.get() > 20 || writing.isDone());
            MoveRecord record = record();
            moved = moves.connect(record, new PatientLimits(), 2, progress::add).run(record, Afterwards.DELETE_SOURCE);
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

    private Optional<String> where() {
        return Optional.of("hdfs://ns1" + table.kept());
    }

    private static <T> T ofAlice(PrivilegedExceptionAction<T> action) throws Exception {
        return UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
                .doAs(action);
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
    void theCommandsSayWhatTheyDo() throws Exception {
        makeTree();

        assertThat(command("subtree", "move", path.text(), "--to", "ns2", "--dry-run"))
                .contains(
                        path + " from ns1 to ns2: 3 files, 2 folders,",
                        "Clients will be refused while the owner changes: the active NameNode of ns1 has no trefoil.ha.subtrees.",
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
        assertThat(command("subtree", "abort")).contains("belongs to ns2 already; complete the move instead");
        assertThat(command("subtree", "move", path + "x", "--to", "ns2")).contains("has begun and not ended");

        assertThat(command("subtree", "move", path.text(), "--to", "ns2")).contains(": moved");
        assertThat(command("table", "history")).contains("move " + path + " ns2 ");
    }

    @Test
    void aRateHoldsTheRoundsAndNotThePause() throws Exception {
        makeTree();
        federation.gate("ns1");
        try (OutputStream out = first.create(in("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> run(Afterwards.DELETE_SOURCE)).hasMessageContaining("still writing");
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
                rate -> {
                    assertThat(rate).isEqualTo(70);
                    return () -> {
                        turns.incrementAndGet();
                        assertThatCode(() -> {
                                    frozen.addAll(federation.frozen());
                                    recorded.add(store.current().orElseThrow().rate());
                                })
                                .doesNotThrowAnyException();
                    };
                },
                LIMIT)) {
            paced.connect(record, new Limits(), 2, progress::add).run(record, Afterwards.DELETE_SOURCE);
        }

        // Five nodes are read four times, of which four are copied, and all are finished.
        assertThat(turns).hasValueGreaterThan(4 * 5 + 4 + 5);
        assertThat(recorded).containsExactly(OptionalInt.of(70));
        assertThat(frozen).isEmpty();
    }

    @Test
    void anInterruptedMoveKeepsItsRate() throws Exception {
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

    private void makeTree() throws IOException {
        first.mkdirs(in("/deep"));
        write(first, "/small", "small");
        first.setXAttr(in("/small"), "user.colour", bytes("blue"), EnumSet.of(XAttrSetFlag.CREATE));
        try (OutputStream out = first.create(in("/deep/large"), true, 4096, (short) 1, BLOCK)) {
            out.write(new byte[2 * BLOCK + 100_001]);
        }
        first.setAcl(
                in("/deep/large"),
                AclEntry.parseAclSpec("user::rw-,group::r--,other::---,user:bob:rw-,mask::rw-", true));
        first.create(in("/deep/empty")).close();
        first.setPermission(in("/deep"), new FsPermission((short) 01750));
        first.setQuota(in("/deep"), 100, 1L << 40);
        first.setQuota(in(""), 1_000, Long.MAX_VALUE);
        first.setPermission(in(""), new FsPermission((short) 0755));
        first.setOwner(in(""), "alice", "staff");
    }

    private MoveRecord record() {
        return MoveRecord.wanted("move" + NAMES.incrementAndGet(), path, "ns1", "ns2", "test", NOW);
    }

    private void run(Afterwards afterwards) throws IOException {
        MoveRecord record = record();
        moves.connect(record, new Limits(), 2, progress::add).run(record, afterwards);
    }

    private Path in(String inside) {
        return new Path(path + inside);
    }

    private void write(FileSystem fileSystem, String inside, String text) throws IOException {
        try (OutputStream out = fileSystem.create(in(inside))) {
            out.write(bytes(text));
        }
    }

    private String read(FileSystem fileSystem, String inside) throws IOException {
        return read(fileSystem, in(inside));
    }

    private static String read(FileSystem fileSystem, Path file) throws IOException {
        try (FSDataInputStream in = fileSystem.open(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private interface Action {
        void run() throws Exception;
    }

    /** With connections of the user's own. */
    private void as(String user, Action action) throws Exception {
        DistributedFileSystem firstBefore = first;
        DistributedFileSystem secondBefore = second;
        UserGroupInformation.createUserForTesting(user, new String[] {"staff"})
                .doAs((PrivilegedExceptionAction<Void>) () -> {
                    try {
                        first = federation.fileSystem("ns1");
                        second = federation.fileSystem("ns2");
                        action.run();
                    } finally {
                        first.close();
                        second.close();
                        first = firstBefore;
                        second = secondBefore;
                    }
                    return null;
                });
    }

    /** Waits for writers. */
    private static final class PatientLimits extends Limits {
        @Override
        public List<String> awaitNone(Question question) throws IOException {
            await().atMost(LIMIT).until(() -> question.ask().isEmpty());
            return question.ask();
        }
    }

    /** Asks once, so that nobody waits for a writer. */
    static class Limits implements MoveLimits {
        @Override
        public int rounds() {
            return 3;
        }

        @Override
        public int fewFiles() {
            return 0;
        }

        @Override
        public int pauses() {
            return 1;
        }

        @Override
        public Instant now() {
            return NOW;
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public List<String> awaitNone(Question question) throws IOException {
            return question.ask();
        }
    }
}
