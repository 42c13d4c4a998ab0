/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.SubtreeMoveFixture;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;

/** Rounds and attempts that follow others, and tables that change meanwhile. */
class RepeatedMovesTest extends SubtreeMoveFixture {

    private static final int HOT = HdfsConstants.StoragePolicy.HOT.value();

    @Test
    void delayedMoverDoesNotChangeOwner() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        MoveRecord record = record();
        SingleQueryLimits late = new SingleQueryLimits() {
            @Override
            public List<String> awaitNone(ServerQuery query) throws IOException {
                federation.expireFreezes();
                return query.query();
            }
        };

        assertThatThrownBy(() -> moves.connect(record, late, 2, progress::add).run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("Nothing is frozen for move");

        assertThat(table.newest().orElseThrow().table().ownerOf(path)).isEqualTo("ns1");
        assertThat(federation.frozenMarks()).isEmpty();
        assertThat(first.getFileStatus(pathOf("")).isSnapshotEnabled()).isFalse();
        runAs("alice", () -> write(first, "/new", "new"));
    }

    @Test
    void movePausesAgainWhenTableChangedConcurrently() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        AtomicInteger pauses = new AtomicInteger();
        SingleQueryLimits twice = new SingleQueryLimits() {
            @Override
            public int maxPauses() {
                return 2;
            }

            @Override
            public List<String> awaitNone(ServerQuery query) throws IOException {
                int pause = pauses.incrementAndGet();
                assertThat(federation.frozenMarks()).hasSize(1);
                if (pause == 1) {
                    handOver("/others");
                }
                return query.query();
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
        assertThat(progress).contains("The table was changed meanwhile");
        SubtreeTable newest = table.requireNewest().table();
        assertThat(newest.version()).isEqualTo(3);
        assertThat(newest.ownerOf(path)).isEqualTo("ns2");
        assertThat(newest.ownerOf(SubtreePath.parse("/others"))).isEqualTo("ns2");
        assertThat(read(second, "/made0")).isEqualTo("text");
        assertThat(read(second, "/made1")).isEqualTo("text");
    }

    @Test
    void moveFailsWhenTableChangesInLastPause() throws Exception {
        makeTree();
        SingleQueryLimits changing = new SingleQueryLimits() {
            @Override
            public List<String> awaitNone(ServerQuery query) throws IOException {
                handOver("/others");
                return query.query();
            }
        };
        MoveRecord record = record();

        assertThatThrownBy(
                        () -> moves.connect(record, changing, 2, progress::add).run(SourceCleanup.DELETE_SOURCE))
                .hasMessage(
                        "The table was changed meanwhile; clients work at the source again. Repeat the" + " command");

        runAs("alice", () -> write(first, "/new", "new"));
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/new")).isEqualTo("new");
    }

    /** An earlier attempt has given it to the target, and the owner takes it from the source again. */
    @Test
    void policySeenOnlyByEarlierAttemptIsNotApplied() throws Exception {
        makeTree();
        first.setStoragePolicy(pathOf(""), "HOT");
        // With that of the directory around it, it would look as if it had none.
        first.setStoragePolicy(pathOf("/deep"), "HOT");
        AtomicInteger pauses = new AtomicInteger();
        SingleQueryLimits twice = new SingleQueryLimits() {
            @Override
            public int maxPauses() {
                return 2;
            }

            @Override
            public List<String> awaitNone(ServerQuery query) throws IOException {
                if (pauses.incrementAndGet() == 1) {
                    handOver("/others");
                }
                return query.query();
            }
        };
        List<Integer> given = new ArrayList<>();
        Consumer<String> unsetting = line -> {
            if (line.startsWith("The table was changed")) {
                assertThatCode(() -> {
                            given.add(policyAtTarget(""));
                            first.unsetStoragePolicy(pathOf(""));
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

    /** The first attempt as well: the directory at the target had the policy before. */
    @Test
    void policyOfTargetDirectoryDoesNotHideSourcePolicy() throws Exception {
        makeTree();
        first.setStoragePolicy(pathOf("/deep"), "HOT");
        second.mkdirs(pathOf(""));
        second.setStoragePolicy(pathOf(""), "HOT");

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(policyAtTarget("")).isZero();
        assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
    }

    /** A directory below with the same policy would look as if it had none of its own, and the move would be refused. */
    @Test
    void repeatedMoveDropsPolicyOfPreviousAttempt() throws Exception {
        makeTree();
        first.setStoragePolicy(pathOf(""), "HOT");
        first.setStoragePolicy(pathOf("/deep"), "HOT");
        MoveRecord record = record();
        SingleQueryLimits changing = new SingleQueryLimits() {
            @Override
            public List<String> awaitNone(ServerQuery query) throws IOException {
                handOver("/others");
                return query.query();
            }
        };
        assertThatThrownBy(
                        () -> moves.connect(record, changing, 2, progress::add).run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("The table was changed meanwhile");
        assertThat(policyAtTarget("")).isEqualTo(HOT);
        first.unsetStoragePolicy(pathOf(""));

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(policyAtTarget("")).isZero();
        assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
    }

    /** Whatever an owner sets while a round copies, and takes away before the next one. */
    @Test
    void removalsBetweenRoundsAreAppliedAtTarget() throws Exception {
        makeTree();
        first.setStoragePolicy(pathOf("/deep"), "HOT");
        first.setStoragePolicy(pathOf("/small"), "COLD");
        first.setXAttr(pathOf("/deep"), "user.colour", bytes("red"));
        first.setAcl(
                pathOf("/deep"), AclEntry.parseAclSpec("user::rwx,group::r-x,other::---,default:user:bob:rwx", true));
        first.setPermission(pathOf("/deep"), new FsPermission((short) 01750));
        Consumer<String> taking = line -> {
            progress.add(line);
            if (line.startsWith("Round 1")) {
                assertThatCode(() -> {
                            assertThat(policyAtTarget("/deep")).isEqualTo(HOT);
                            first.unsetStoragePolicy(pathOf("/deep"));
                            first.unsetStoragePolicy(pathOf("/small"));
                            first.removeXAttr(pathOf("/deep"), "user.colour");
                            first.removeXAttr(pathOf("/small"), "user.colour");
                            first.removeAcl(pathOf("/deep"));
                            first.removeAcl(pathOf("/deep/large"));
                            first.setQuota(pathOf("/deep"), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_RESET);
                            first.setPermission(pathOf("/deep"), new FsPermission((short) 0700));
                            first.setReplication(pathOf("/small"), (short) 2);
                            first.setTimes(pathOf("/small"), 1000, -1);
                        })
                        .doesNotThrowAnyException();
            }
        };
        MoveRecord record = record();

        moves.connect(record, new SingleQueryLimits(), 2, taking).run(SourceCleanup.DELETE_SOURCE);

        assertThat(policyAtTarget("/deep")).isZero();
        assertThat(policyAtTarget("/small")).isZero();
        assertThat(second.listXAttrs(pathOf("/deep"))).isEmpty();
        assertThat(second.listXAttrs(pathOf("/small"))).isEmpty();
        assertThat(second.getAclStatus(pathOf("/deep")).getEntries()).isEmpty();
        assertThat(second.getAclStatus(pathOf("/deep/large")).getEntries()).isEmpty();
        assertThat(second.getQuotaUsage(pathOf("/deep")).getQuota()).isEqualTo(HdfsConstants.QUOTA_RESET);
        assertThat(second.getQuotaUsage(pathOf("/deep")).getSpaceQuota()).isEqualTo(HdfsConstants.QUOTA_RESET);
        assertThat(second.getFileStatus(pathOf("/deep")).getPermission().toShort())
                .isEqualTo((short) 0700);
        assertThat(second.getFileStatus(pathOf("/small")).getReplication()).isEqualTo((short) 2);
        assertThat(second.getFileStatus(pathOf("/small")).getModificationTime()).isEqualTo(1000);
    }

    private int policyAtTarget(String relativePath) throws IOException {
        return second.getClient().getFileInfo(path + relativePath).getStoragePolicy();
    }

    private void handOver(String newOwner) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        SubtreeTable next = SubtreeMover.change(table, newest, SubtreePath.parse(newOwner), "ns2")
                .applyTo(newest, table.nameservices(), table.tableDirectory());
        assertThat(table.append(TableRecord.of(next, "give", "test", NOW))).isTrue();
    }
}
