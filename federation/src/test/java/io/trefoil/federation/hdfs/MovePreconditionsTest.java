/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreePath;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is around a subtree's new place, and what single files have: found before anything changes, or moved. */
final class MovePreconditionsTest extends SubtreeMoveFixture {

    private static final String CODING = "XOR-2-1-1024k";
    private static final Path ROOT = new Path("/");

    @TempDir
    private static java.nio.file.Path place;

    @BeforeAll
    public static void startFederation() throws IOException {
        federation = StockFederation.start(
                place,
                1,
                Map.of(
                        "fs.protected.directories",
                        "/kept/sales/db1",
                        "dfs.namenode.ec.policies.max.cellsize",
                        "4194304",
                        "dfs.namenode.snapshot.deletion.ordered",
                        "true",
                        "ns2/dfs.namenode.fs-limits.max-xattrs-per-inode",
                        "3",
                        "ns2/dfs.namenode.fs-limits.max-xattr-size",
                        "100"));
    }

    private List<String> blockers() throws IOException {
        SubtreeMover move = moves.connect(newRecord(), new SingleQueryLimits(), 2, progress::add);
        return move.blockers(move.size()).stream().map(MoveBlocker::text).toList();
    }

    @Test
    void refusesMoveWhenTargetIsErasureCoded() throws IOException {
        makeTree();
        second.mkdirs(pathOf("").getParent());
        second.enableErasureCodingPolicy(CODING);
        second.setErasureCodingPolicy(pathOf("").getParent(), CODING);
        assertThat(blockers())
                .singleElement()
                .asString()
                .contains("hdfs://ns2" + pathOf("").getParent() + " is erasure-coded", "hdfs ec");
    }

    @Test
    void refusesMoveWhenTargetHasAnotherStoragePolicy() throws IOException {
        makeTree();
        second.mkdirs(pathOf("").getParent());
        second.setStoragePolicy(pathOf("").getParent(), "COLD");
        assertThat(blockers())
                .anySatisfy(one -> assertThat(one).contains("storage policy COLD", "hdfs storagepolicies"));
        second.mkdirs(pathOf(""));
        assertThat(blockers())
                .anySatisfy(one -> assertThat(one).contains("storage policy COLD", "hdfs storagepolicies"));
        first.setStoragePolicy(pathOf(""), "COLD");
        assertThat(blockers()).noneMatch(one -> one.contains("hdfs storagepolicies"));
    }

    /** The file was written before its directory had the policy, so its replica is on a disk. */
    @Test
    void refusesMoveWhenNoDataNodeHasStorageOfPolicy() throws IOException {
        makeTree();
        for (DistributedFileSystem one : List.of(first, second)) {
            one.mkdirs(pathOf("").getParent());
            one.setStoragePolicy(pathOf("").getParent(), "COLD");
        }
        assertThat(blockers())
                .singleElement()
                .asString()
                .contains("storage policy COLD", "[ARCHIVE]", "hdfs://ns2", "0 DataNodes");
        first.setStoragePolicy(pathOf("").getParent(), "ALL_SSD");
        second.setStoragePolicy(pathOf("").getParent(), "ALL_SSD");
        assertThat(blockers()).as("it falls back to disks").isEmpty();
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void refusesMoveWhenDirectoryInSubtreeIsProtected() throws IOException {
        path = SubtreePath.parse("/kept/sales");
        first.mkdirs(new Path("/kept/sales/db1/table"));
        assertThat(blockers())
                .hasSize(2)
                .allSatisfy(one -> assertThat(one).contains("protects /kept/sales/db1"))
                .anySatisfy(one -> assertThat(one).contains("of ns1"))
                .anySatisfy(one -> assertThat(one).contains("of ns2"));
    }

    private void setAttributes(Path file, int number) throws IOException {
        for (int i = 0; i < number; i++) {
            first.setXAttr(file, "user.number" + i, null);
        }
    }

    @Test
    void refusesMoveWhenTargetAllowsFewerAttributes() throws IOException {
        makeTree();
        setAttributes(pathOf("/deep/large"), 4);
        first.setXAttr(pathOf("/deep"), "user.large", new byte[96]);
        assertThat(blockers())
                .hasSize(2)
                .anySatisfy(one -> assertThat(one).contains("/deep/large has 4 attributes", "hdfs://ns2 would refuse"))
                .anySatisfy(one -> assertThat(one).contains("/deep has 101 bytes in attribute large"));
    }

    /** HDFS refused the mark that tells clients where the subtree is when its owner had changed. */
    @Test
    void refusesMoveWhenSourceCannotHoldMarks() throws IOException {
        makeTree();
        federation.enableGate("ns1");
        setAttributes(pathOf(""), 32);
        assertThat(blockers()).anySatisfy(one -> assertThat(one)
                .contains(path + " has 34 attributes, with those of a move, which hdfs://ns1 would refuse"));

        setAttributes(ROOT, 31);
        try {
            assertThat(blockers()).anySatisfy(one -> assertThat(one).contains("hdfs://ns1/ has 33 attributes"));
        } finally {
            for (int i = 0; i < 31; i++) {
                first.removeXAttr(ROOT, "user.number" + i);
            }
        }
    }

    /** NameNodes refused the list with the entry when the owner had changed, and the move could not end. */
    @Test
    void refusesMoveWhenTargetForbidsLongerEntryList() throws IOException {
        makeTree();
        federation.enableGate("ns1");
        federation.enableGate("ns2");
        String list = EntryMark.directoriesAttributeName("x");
        second.setXAttr(ROOT, list, MovedMark.encodeDirectories(Set.of("/an-entry-with-a-long-name-indeed")));
        try {
            assertThat(blockers()).anySatisfy(one -> assertThat(one)
                    .contains("hdfs://ns2/ has", "bytes in attribute trefoil.entry-folders", "max-xattr-size"));
        } finally {
            second.removeXAttr(ROOT, list);
        }
    }

    @Test
    void refusesMoveWhenItExceedsAncestorQuotas() throws IOException {
        makeTree();
        federation.enableGate("ns2");
        Path above = pathOf("").getParent();
        second.mkdirs(above);
        second.setQuota(above, 7, 1L << 20);
        assertThat(blockers())
                .hasSize(2)
                .anySatisfy(one -> assertThat(one)
                        .contains("hdfs://ns2" + above + " has a quota of 7 names, of which 1 are used", "need 7"))
                .anySatisfy(one -> assertThat(one).contains("has a quota of 1048576 bytes on disks"));
        second.setQuota(above, 8, 1L << 30);
        assertThat(blockers()).isEmpty();
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void movesFileWhenItHasNoChecksums() throws IOException {
        makeTree();
        Configuration conf = federation.clientConfiguration();
        conf.set("dfs.checksum.type", "NULL");
        try (DistributedFileSystem without = new DistributedFileSystem()) {
            without.initialize(first.getUri(), conf);
            try (OutputStream out = without.create(pathOf("/unchecked"))) {
                out.write(bytes("unchecked"));
            }
        }
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/unchecked")).isEqualTo("unchecked");
    }

    @Test
    void movesFileWhenSuperusersMayNotReadIt() throws Exception {
        makeTree();
        first.setXAttr(
                pathOf("/small"), "security.hdfs.unreadable.by.superuser", null, EnumSet.of(XAttrSetFlag.CREATE));
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(second.getXAttrs(pathOf("/small"))).containsKey("security.hdfs.unreadable.by.superuser");
    }

    @Test
    void movedDirectoryKeepsItsModificationTime() throws IOException {
        makeTree();
        first.setTimes(pathOf(""), 1_000_000_000_000L, -1);
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(second.getFileStatus(pathOf("")).getModificationTime()).isEqualTo(1_000_000_000_000L);
    }

    /** HDFS only hides a snapshot that has an older one, and its directory then counts as one with snapshots of others. */
    @Test
    void deletesSnapshotWhenPauseEndsUnderOrderedDeletion() throws IOException {
        makeTree();
        try (SubtreeMoves dying = movesWithTable(interceptingTable("append", made -> made, () -> {
            throw new IllegalStateException("The process ends");
        }))) {
            assertThatThrownBy(() -> dying.connect(record(), new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessage("The process ends");
        }
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        assertThat(first.getFileStatus(pathOf("")).isSnapshotEnabled()).isFalse();

        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void reportsUnknownValuesWhenNameNodeHasNoPage() throws IOException {
        makeTree();
        federation.hidePages();
        moves.close();
        moves = moves(LIMIT);
        try {
            assertThat(blockers()).isEmpty();
            assertThat(progress).anySatisfy(one -> assertThat(one).contains("could not be read", "ns2"));
        } finally {
            federation.showPages();
        }
    }
}
