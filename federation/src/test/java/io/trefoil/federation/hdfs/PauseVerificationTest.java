/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.rules.MovePhase;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.junit.jupiter.api.Test;

/** What a move knows of the last changes to a subtree, by which proof, before it changes the owner and before it deletes the source. */
class PauseVerificationTest extends SubtreeMoveFixture {

    private static final String FAILED_CHECK = "The role goes to another NameNode";
    private static final FsPermission CHANGED = new FsPermission((short) 0640);
    private static final String LATE = "edits were not to be read within 3000 ms";

    /** What the mover prints goes there. */
    private Consumer<String> said = progress::add;

    /** HDFS tells no edits of quotas, so the snapshots are compared. */
    @Test
    void movesChangesMadeBetweenLastRoundAndPause() throws Exception {
        moveWhileChanging(() -> {});

        assertThat(comparedPaths()).hasSize(1).allMatch(line -> line.contains("tells no edits of quotas"));
    }

    /** All edits are told, so nothing visits the whole tree while clients wait. */
    @Test
    void moveReliesOnEditsWhenNameNodesReportAllChanges() throws Exception {
        federation.enableGate("ns1");
        federation.enableGate("ns2");

        moveWhileChanging(() -> {});

        assertThat(comparedPaths()).isEmpty();
    }

    /** As the role goes to a NameNode without a gate. */
    @Test
    void comparesSnapshotsWhenNextActiveReportsFewerEdits() throws Exception {
        federation.enableGate("ns1");

        moveWhileChanging(federation::disableGates);

        assertThat(comparedPaths()).hasSize(1).allMatch(line -> line.contains("tells no edits of quotas"));
    }

    /** What was told before does not tell all, even if what is told later does. */
    @Test
    void comparesSnapshotsWhenNextActiveReportsMoreEdits() throws Exception {
        moveWhileChanging(() -> federation.enableGate("ns1"));

        assertThat(comparedPaths()).hasSize(1).allMatch(line -> line.contains("tells no edits of quotas"));
    }

    /** What it sets after the last snapshot is not moved, so the owner must not change. */
    @Test
    void detectsSuperuserChangeBypassingGateDuringPause() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        String directory = path + "/deep";
        NamenodeProtocols besideTheGate = federation.rpcCalls("ns1");
        List<StockFederation.Action> changes = List.of(
                () -> besideTheGate.setQuota(directory, 55, HdfsConstants.QUOTA_DONT_SET, null),
                () -> besideTheGate.setPermission(directory, new FsPermission((short) 0711)),
                () -> besideTheGate.setStoragePolicy(directory, "COLD"),
                // No difference between snapshots shows it.
                () -> besideTheGate.setTimes(directory, 54_321, -1));
        for (StockFederation.Action change : changes) {
            progress.clear();
            // The mover becomes the owner when it closes the directory.
            federation.runBefore("setOwner", change);

            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                    .hasMessageContaining("A superuser changed")
                    .hasMessageContaining("[/deep]");

            assertThat(comparedPaths()).isEmpty();
            assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
            moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        }
        runAs("alice", () -> write(first, "/new", "new"));
    }

    /** The questions for upgrades are the last ones before it looks. */
    @Test
    void superuserChangeBeforeDeletionKeepsSource() throws Exception {
        makeTree();
        federation.enableGate("ns2");
        run(SourceCleanup.KEEP_SOURCE);
        MoveRecord again = record();
        SubtreeMover move = moves.connect(again, new SingleQueryLimits(), 2, progress::add);
        federation.runBefore("rollingUpgrade", () -> first.setPermission(pathOf("/small"), CHANGED));

        assertThatThrownBy(() -> move.run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("A superuser changed");

        assertThat(first.getFileStatus(pathOf("/small")).getPermission()).isEqualTo(CHANGED);
    }

    /** The process ended in the middle of it. */
    @Test
    void superuserChangeDuringDeletionKeepsRemainingSource() throws Exception {
        makeTree();
        run(SourceCleanup.KEEP_SOURCE);
        MoveStore store = moves.store();
        try (Closeable ignored = store.lock()) {
            SortedMap<String, String> lines = store.current().orElseThrow().encode();
            lines.put("phase", MovePhase.EMPTYING.name());
            store.update(MoveRecord.decode(lines));
        }
        first.delete(pathOf("/deep/empty"), false);
        first.setPermission(pathOf("/small"), CHANGED);

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("although it was closed: [M ./small]. It is kept");

        assertThat(first.getFileStatus(pathOf("/small")).getPermission()).isEqualTo(CHANGED);
        first.delete(pathOf("/small"), false);
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(moves.store().current()).isEmpty();
    }

    @Test
    void keepsSourceWhenSnapshotsContradictMovedTree() throws Exception {
        assertThatThrownBy(() -> moveWithHiddenChange(() -> first.setPermission(pathOf("/small"), CHANGED)))
                .hasMessageContaining(path + " is kept, because edits do not tell that /small was changed");

        assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns2");
        assertThat(first.getFileStatus(pathOf("/small")).getPermission()).isEqualTo(CHANGED);
        // Another process does not know it from the edits.
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("is kept, because");
        for (FileStatus one : first.listStatus(pathOf(""))) {
            first.delete(one.getPath(), true);
        }
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(moves.store().current()).isEmpty();
    }

    /** Another process has no edits; it must not delete what was not moved. */
    @Test
    void resumedMoveVerifiesChangesTakenOnlyFromEdits() throws Exception {
        said = line -> {
            progress.add(line);
            if (line.startsWith("Version ")) {
                throw new IllegalStateException("The process ends");
            }
        };

        assertThatThrownBy(() -> moveWithHiddenChange(() -> first.setTimes(pathOf("/small"), 54_321, -1)))
                .hasMessage("The process ends");
        federation.expireFreezes();

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("is kept, because its last snapshot is not what was moved");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("is kept, because");
        assertThat(first.getFileStatus(pathOf("/small")).getModificationTime()).isEqualTo(54_321);
        runAs("alice", () -> write(second, "/new", "new"));
    }

    /** The new owner may have lost it as well; what the old one has is of no use then. */
    @Test
    void corruptBlockDoesNotPreventComparison() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        said = line -> {
            progress.add(line);
            if (line.startsWith("Version ")) {
                throw new IllegalStateException("The process ends");
            }
        };
        assertThatThrownBy(() -> moveWithChange(() -> write(first, "/made", "text")))
                .hasMessage("The process ends");
        federation.expireFreezes();
        LocatedBlocks blocks = first.getClient().getLocatedBlocks(path + "/small", 0);
        first.getClient().reportBadBlocks(blocks.getLocatedBlocks().toArray(new LocatedBlock[0]));
        assertThat(first.getClient().getLocatedBlocks(path + "/small", 0).get(0).isCorrupt())
                .isTrue();

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(progress).anyMatch(line -> line.contains("did not check what it moved"));
        assertThat(moves.store().current()).isEmpty();
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void repeatsFailedCheck() throws Exception {
        assertThatThrownBy(() -> moveWithHiddenChange(() -> {
                    first.setPermission(pathOf("/small"), CHANGED);
                    failOneCheck();
                }))
                .hasMessageContaining(FAILED_CHECK);

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("is kept, because");

        assertThat(first.getFileStatus(pathOf("/small")).getPermission()).isEqualTo(CHANGED);
    }

    /** Clients of the new owner change what they want; that says nothing of what was moved. */
    @Test
    void resumedMoveDeletesSource() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        assertThatThrownBy(() -> moveWithChange(() -> {
                    write(first, "/made", "text");
                    first.delete(pathOf("/deep/empty"), false);
                    failOneCheck();
                }))
                .hasMessageContaining(FAILED_CHECK);
        runAs("alice", () -> write(second, "/new", "new"));

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(progress).anyMatch(line -> line.contains("did not check what it moved"));
        assertThat(moves.store().current()).isEmpty();
        assertThat(read(second, "/made")).isEqualTo("text");
    }

    /** Asked from which edit on no client may change anything. */
    @Test
    void pauseListsTreeWhenFirstEditsRequestIsLate() throws Exception {
        moveWithSlowJournal(slow -> federation.runBefore("getEditsFromTxid", slow));

        assertThat(progress).anyMatch(line -> line.startsWith("The pause lists all") && line.endsWith(LATE));
    }

    /** Asked what has changed until the last snapshot. */
    @Test
    void pauseListsTreeWhenEditsArriveLate() throws Exception {
        moveWithSlowJournal(
                slow -> federation.runBefore("createSnapshot", () -> federation.runBefore("getEditsFromTxid", slow)));

        assertThat(progress).anyMatch(line -> line.startsWith("The pause lists all") && line.endsWith(LATE));
    }

    /** Asked whether nothing followed the last snapshot. */
    @Test
    void snapshotDiffReplacesLateEdits() throws Exception {
        moveWithSlowJournal(
                slow -> federation.runBefore("setOwner", () -> federation.runBefore("getEditsFromTxid", slow)));

        assertThat(comparedPaths()).hasSize(1).allMatch(line -> line.endsWith(LATE));
        assertThat(progress).noneMatch(line -> line.startsWith("The pause lists all"));
    }

    /** The NameNode holds a question for edits until the move is over. */
    private void moveWithSlowJournal(Consumer<StockFederation.Action> asked) throws Exception {
        makeTree();
        federation.enableGate("ns1");
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
        moves.close();
        moves = moves(TrackedTree.TOLD_WITHIN);
        try {
            moveWithChange(() -> {
                write(first, "/made", "text");
                asked.accept(slow);
            });

            assertThat(calls).containsExactly("held");
            await().atMost(LIMIT).until(() -> Thread.getAllStackTraces().keySet().stream()
                    .noneMatch(one -> one.getName().equals("subtree-edits")));
            assertThat(calls).containsExactly("held");
        } finally {
            over.countDown();
        }
        assertThat(read(second, "/made")).isEqualTo("text");
        assertThat(moves.store().current()).isEmpty();
        runAs("alice", () -> write(second, "/new", "new"));
    }

    private List<String> comparedPaths() {
        return progress.stream()
                .filter(line -> line.startsWith("The pause compares"))
                .toList();
    }

    /** Moves a tree in which something changes when the mover has followed the edits, just before it freezes the subtree. */
    private void moveWithChange(Action change) throws IOException {
        AtomicBoolean changed = new AtomicBoolean();
        SingleQueryLimits changing = new SingleQueryLimits() {
            @Override
            public long nanos() {
                if (!changed.getAndSet(true)) {
                    assertThatCode(change::run).doesNotThrowAnyException();
                }
                return super.nanos();
            }
        };
        MoveRecord record = record();
        moves.connect(record, changing, 2, said).run(SourceCleanup.DELETE_SOURCE);
    }

    /** The same of a new tree with a change of {@code /small} of which NameNodes with gates tell nothing. */
    private void moveWithHiddenChange(Action change) throws IOException {
        makeTree();
        federation.enableGate("ns1");
        moveWithChange(() -> {
            federation.hideEvents(path + "/small");
            change.run();
        });
    }

    /** The next comparison of snapshots fails, as when the role goes to another NameNode. */
    private void failOneCheck() {
        federation.runBefore("getSnapshotDiffReportListing", () -> {
            throw new IOException(FAILED_CHECK);
        });
    }

    /** @param concurrentAction happens after what is changed first */
    private void moveWhileChanging(Action concurrentAction) throws Exception {
        makeTree();
        first.mkdirs(pathOf("/again"));
        write(first, "/again/file", "old");
        write(first, "/cut", "text");
        write(first, "/gone", "gone");
        first.mkdirs(pathOf("/outer/inner"));

        moveWithChange(() -> {
            changeTree();
            concurrentAction.run();
        });

        assertThat(progress).noneMatch(line -> line.startsWith("The pause lists all"));
        assertThat(second.getXAttrs(pathOf("/small"))).containsOnlyKeys("user.shape");
        assertThat(second.getFileStatus(pathOf("/small")).getModificationTime()).isEqualTo(12_345);
        assertThat(second.getAclStatus(pathOf("/deep/large")).getEntries()).isEmpty();
        assertThat(second.getQuotaUsage(pathOf("/deep")).getQuota()).isEqualTo(77);
        assertThat(read(second, "/cut")).isEqualTo("teXT");
        assertThat(second.exists(pathOf("/gone"))).isFalse();
        assertThat(read(second, "/again/file")).isEqualTo("new");
        assertThat(second.getXAttrs(pathOf("/again/file"))).containsOnlyKeys("user.new");
        assertThat(second.getXAttrs(pathOf("/outer/inner"))).containsOnlyKeys("user.inner");
        assertThat(second.getFileStatus(pathOf("/deep/moved")).getLen()).isZero();
    }

    private void changeTree() throws Exception {
        first.removeXAttr(pathOf("/small"), "user.colour");
        first.setXAttr(pathOf("/small"), "user.shape", bytes("round"), EnumSet.of(XAttrSetFlag.CREATE));
        first.setTimes(pathOf("/small"), 12_345, -1);
        first.removeAcl(pathOf("/deep/large"));
        first.setQuota(pathOf("/deep"), 77, Long.MAX_VALUE);
        first.rename(pathOf("/deep/empty"), pathOf("/deep/moved"));
        // HDFS's difference does not show it: the length is that of before.
        first.truncate(pathOf("/cut"), 2);
        await().atMost(LIMIT).until(() -> first.isFileClosed(pathOf("/cut")));
        try (FSDataOutputStream out = first.append(pathOf("/cut"))) {
            out.write(bytes("XT"));
        }
        first.delete(pathOf("/gone"), false);
        first.delete(pathOf("/again"), true);
        first.mkdirs(pathOf("/again"));
        write(first, "/again/file", "new");
        first.setXAttr(pathOf("/again/file"), "user.new", bytes("1"), EnumSet.of(XAttrSetFlag.CREATE));
        first.setXAttr(pathOf("/outer/inner"), "user.inner", bytes("1"), EnumSet.of(XAttrSetFlag.CREATE));
    }
}
