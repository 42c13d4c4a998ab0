/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.marks.SealMark;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreeHandover;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Subtrees of nameservices whose root may have snapshots, as protected checkpoints take them. */
class ProtectedRootTest extends SubtreeMoveFixture {

    private static final Path ROOT = new Path("/");
    private static final Path SNAPSHOTS = new Path("/.snapshot");

    @AfterEach
    void disallowSnapshots() throws IOException {
        for (DistributedFileSystem one : List.of(federation.fileSystem("ns1"), federation.fileSystem("ns2"))) {
            try (one) {
                for (FileStatus snapshot : snapshots(one)) {
                    one.deleteSnapshot(ROOT, snapshot.getPath().getName());
                }
                one.disallowSnapshot(ROOT);
            }
        }
    }

    private static FileStatus[] snapshots(DistributedFileSystem fileSystem) throws IOException {
        return fileSystem.listStatus(SNAPSHOTS);
    }

    private void snapshotRoots(String name) throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            one.allowSnapshot(ROOT);
            one.createSnapshot(ROOT, name);
        }
    }

    private void enableBothGates() throws IOException {
        federation.enableGate("ns1");
        federation.enableGate("ns2");
    }

    private static void assertSnapshots(DistributedFileSystem fileSystem, String... names) throws IOException {
        assertThat(snapshots(fileSystem))
                .extracting(one -> one.getPath().getName())
                .containsExactlyInAnyOrder(names);
    }

    private void assertSealed(DistributedFileSystem fileSystem, String nameservice) throws Exception {
        assertThat(table.inspect(nameservice, path)).isEqualTo(DirectoryState.SEALED);
        assertThat(fileSystem.getXAttrs(pathOf(""))).containsKey(SealMark.NAME);
        Path above = pathOf("").getParent();
        assertThatThrownBy(() -> fileSystem.delete(pathOf(""), true)).hasMessageContaining(path + " is sealed");
        assertThatThrownBy(() -> fileSystem.rename(above, new Path("/elsewhere"), Rename.NONE))
                .hasMessageContaining(path + " is sealed");
        assertThatThrownBy(() -> write(fileSystem, "/stale", "x")).hasMessageContaining("quota");
    }

    @Test
    void protectedSubtreeMovesAndSnapshotsStayIntact() throws Exception {
        enableBothGates();
        makeTree();
        snapshotRoots("before");

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(read(first, new Path("/.snapshot/before" + path + "/small"))).isEqualTo("small");
        assertSnapshots(first, "before");
        assertSnapshots(second, "before");
        assertSealed(first, "ns1");
        assertThat(second.getXAttrs(pathOf(""))).doesNotContainKey(SealMark.NAME);
        runAs("alice", () -> write(second, "/new", "new"));

        // What is appended at the new owner is not in the snapshot's blocks.
        try (FSDataOutputStream out = second.append(pathOf("/small"))) {
            out.write(bytes(" change"));
        }
        assertThat(read(first, new Path("/.snapshot/before" + path + "/small"))).isEqualTo("small");

        first.createSnapshot(ROOT, "after");
        second.createSnapshot(ROOT, "after");
        MoveRecord back = MoveRecord.newMove("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
        moves.connect(back, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(first, "/small")).isEqualTo("small change");
        assertThat(read(second, new Path("/.snapshot/after" + path + "/new"))).isEqualTo("new");
        assertSealed(second, "ns2");
    }

    @Test
    void rootIsSnapshottableAfterSubtreeIsHandedOver() throws Exception {
        enableBothGates();
        makeTree();
        run(SourceCleanup.DELETE_SOURCE);
        assertSealed(first, "ns1");

        snapshotRoots("after");

        assertThat(read(second, new Path("/.snapshot/after" + path + "/small"))).isEqualTo("small");
        assertThat(first.exists(new Path("/.snapshot/after" + path + "/small"))).isFalse();
    }

    @Test
    void abortRestoresSubtreeUnderRootSnapshots() throws Exception {
        enableBothGates();
        makeTree();
        second.mkdirs(pathOf(""));
        snapshotRoots("before");
        MoveRecord record = record();
        try (SubtreeMoves dying = movesWithTable(interceptingTable("append", made -> made, () -> {
            throw new IllegalStateException("The process ends");
        }))) {
            assertThatThrownBy(() -> dying.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessage("The process ends");
        }
        // A checkpoint has the directories as they are in the pause, once the freeze, which it waits for, is over.
        federation.expireFreezes();
        first.createSnapshot(ROOT, "during");
        second.createSnapshot(ROOT, "during");

        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();

        assertSnapshots(first, "before", "during");
        assertThat(read(first, new Path("/.snapshot/during" + path + "/small"))).isEqualTo("small");
        runAs("alice", () -> write(first, "/new", "new"));
        assertThat(table.inspect("ns2", path)).isEqualTo(DirectoryState.EMPTY);
        assertThat(first.delete(pathOf(""), true)).isTrue();
        assertThat(second.delete(pathOf(""), true)).isTrue();
    }

    @Test
    void detectsChangesDuringPauseInRootSnapshots() throws Exception {
        enableBothGates();
        makeTree();
        snapshotRoots("before");
        String changed = path + "/small";
        federation.hideEvents(changed);
        federation.runBefore("getEditsFromTxid", () -> {});
        try (SubtreeMoves late = movesWithTable(interceptingTable("append", made -> made, () -> {}))) {
            late.connect(record(), new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.KEEP_SOURCE);
        }
        try (FSDataOutputStream out = first.append(pathOf("/small"))) {
            out.write(bytes(" change"));
        }
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("A superuser changed");
        assertThat(read(first, "/small")).isEqualTo("small change");
    }

    @Test
    void refusesMoveWhenOnlySomeNameNodesHaveGates() throws Exception {
        makeTree();
        snapshotRoots("before");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("Snapshots are allowed in /, whose files would keep their blocks")
                .hasMessageContaining("set trefoil.federation.gate at all NameNodes of ns1")
                .hasMessageContaining("set trefoil.federation.gate at all NameNodes of ns2");
        federation.enableGate("ns1");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("all NameNodes of ns2");
        assertThat(second.exists(pathOf("").getParent())).isFalse();
    }

    @Test
    void tableHandsProtectedDirectoryOverAndBack() throws Exception {
        enableBothGates();
        first.mkdirs(pathOf(""));
        second.mkdirs(pathOf(""));
        snapshotRoots("before");

        SubtreeHandover.plan(table, table.requireNewest().table(), TableChange.add(path, "ns2"))
                .run(NOW);
        assertSealed(first, "ns1");
        write(second, "/new", "new");
        second.delete(pathOf("/new"), false);
        SubtreeHandover.plan(table, table.requireNewest().table(), TableChange.remove(path))
                .run(NOW);

        assertSealed(second, "ns2");
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.EMPTY);
        assertThat(table.sealRemovalCommands("ns1", path)).isEmpty();
        write(first, "/new", "new");
    }
}
