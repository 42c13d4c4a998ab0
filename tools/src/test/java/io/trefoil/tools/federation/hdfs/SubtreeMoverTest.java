/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.SubtreeMoveFixture;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.progress.MoveStep;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

/** Moves between two stock nameservices with a DataNode that links blocks. */
class SubtreeMoverTest extends SubtreeMoveFixture {

    @Test
    void movedSubtreeHasSameFilesAtNewOwner() throws Exception {
        makeTree();
        FileChecksum checksum = first.getFileChecksum(pathOf("/deep/large"));
        long modified = first.getFileStatus(pathOf("/deep/large")).getModificationTime();

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(second.getFileChecksum(pathOf("/deep/large"))).isEqualTo(checksum);
        assertThat(second.getFileStatus(pathOf("/deep/large")).getModificationTime())
                .isEqualTo(modified);
        assertThat(second.getFileStatus(pathOf("/deep/empty")).getLen()).isZero();
        assertThat(second.getFileStatus(pathOf("")).getOwner()).isEqualTo("alice");
        assertThat(second.getFileStatus(pathOf("")).getPermission()).isEqualTo(new FsPermission((short) 0755));
        assertThat(second.getFileStatus(pathOf("/deep")).getPermission()).isEqualTo(new FsPermission((short) 01750));
        assertThat(second.getAclStatus(pathOf("/deep/large")).getEntries())
                .isEqualTo(List.of(
                        AclEntry.parseAclEntry("user:bob:rw-", true), AclEntry.parseAclEntry("group::r--", true)));
        assertThat(second.getXAttrs(pathOf("/small")).get("user.colour")).isEqualTo(bytes("blue"));
        assertThat(second.getQuotaUsage(pathOf("/deep")).getQuota()).isEqualTo(100);
        assertThat(second.getQuotaUsage(pathOf("")).getQuota()).isEqualTo(1_000);
        assertThat(second.getFileStatus(pathOf("")).isSnapshotEnabled()).isFalse();
        assertThat(second.listStatus(pathOf(""))).hasSize(2);

        assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns2");
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
        assertThat(first.getFileStatus(pathOf("")).getOwner()).isEqualTo("alice");
        assertThat(moves.store().current()).isEmpty();
        runAs("alice", () -> write(second, "/new", "new"));
    }

    @Test
    void movesSubtreeBack() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        run(SourceCleanup.DELETE_SOURCE);

        MoveRecord back = MoveRecord.newMove("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
        moves.connect(back, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(first, "/small")).isEqualTo("small");
        assertThat(table.newest().orElseThrow().table().owners()).hasSize(1);
        assertThat(table.inspect("ns2", path)).isEqualTo(DirectoryState.SEALED);
        runAs("alice", () -> write(first, "/new", "new"));
    }

    @Test
    void openFileFailsMoveWithoutLosingData() throws Exception {
        makeTree();
        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(bytes("half"));

            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                    .isInstanceOf(TableRefusedException.class)
                    .hasMessageContaining("still writing 1 files")
                    .hasMessageContaining(path + "/open");

            assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
            runAs("alice", () -> write(first, "/meanwhile", "new"));
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
        SubtreeMover move = moves.connect(record, new SingleQueryLimits(), 2, progress::add);
        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(1);
            assertThatThrownBy(() -> move.run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("still writing");
        }

        move.abort();

        assertThat(second.exists(pathOf(""))).isFalse();
        assertThat(moves.store().current()).isEmpty();
        assertThat(first.getFileStatus(pathOf("")).isSnapshotEnabled()).isFalse();
        assertThat(first.getQuotaUsage(pathOf("")).getQuota()).isEqualTo(1_000);
        assertThat(first.getFileStatus(pathOf("")).getPermission()).isEqualTo(new FsPermission((short) 0755));
        runAs("alice", () -> write(first, "/new", "new"));
    }

    /** Another process may be undoing it; the next round must not go on beside that. */
    @Test
    void moveEndsAtNextRoundWhenLockIsLost() throws Exception {
        makeTree();
        Consumer<String> taken = line -> {
            if (line.startsWith("Round 1")) {
                assertThatCode(() -> {
                            write(first, "/more", "more");
                            Path lock = new Path(table.tableDirectory() + "/moves/lock");
                            await().atMost(LIMIT).until(() -> first.recoverLease(lock));
                        })
                        .doesNotThrowAnyException();
            }
        };
        MoveRecord record = record();
        assertThatThrownBy(() -> moves.connect(record, new SingleQueryLimits(), 2, line -> {
                            progress.add(line);
                            taken.accept(line);
                        })
                        .run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("lock");
        assertThat(progress).noneMatch(line -> line.startsWith("Round 2"));
        assertThat(table.requireNewest().table().ownerOf(path)).isEqualTo("ns1");
    }

    @Test
    void countsFilesDirectoriesAndBlocks() throws Exception {
        makeTree();
        // Whenever a file or directory is about to be dealt with.
        List<String> seen = new CopyOnWriteArrayList<>();
        AtomicReference<SubtreeMover> move = new AtomicReference<>();
        MoveRecord record = record().withRate(1);
        try (SubtreeMoves paced = new HdfsSubtreeMoves(
                federation.clientConfiguration(),
                table,
                HdfsTableStore.SEAL,
                tuning().limiters(rate ->
                                () -> seen.add(move.get().currentProgress().text()))
                        .build())) {
            move.set(paced.connect(record, new SingleQueryLimits(), 2, progress::add));
            move.get().run(SourceCleanup.DELETE_SOURCE);
        }
        for (String wanted : List.of(
                "Checks, checking: 0 of 3 files, 0 of 1 directories;",
                "Round 1, reading: 0 of 3 files, 0 of 1 directories;",
                "Round 1, reading: 1 of 3 files, 1 of 1 directories;",
                // The large file has three blocks, the small one has one, and the other has none.
                "Round 1, copying: 0 of 3 files, 0 of 4 blocks;",
                "Round 1, finishing: 0 of 3 files, 0 of 1 directories;",
                "Last round, reading: 0 of 3 files, 0 of 1 directories;",
                "Last round, comparing: 0 of 3 files, 0 of 1 directories;")) {
            assertThat(seen).anyMatch(line -> line.startsWith(wanted));
        }
        assertThat(seen).anyMatch(line -> line.matches("Round 1, finishing: [123] of 3 files.*"));
        assertThat(move.get().currentProgress().step()).isEqualTo(MoveStep.ENDED);
    }
}
