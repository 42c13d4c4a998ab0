/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.hdfs.move.MoveTuning;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.AccessControlException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a move must not do: change anything after another process has taken it over, or undo what others have changed meanwhile. */
class StaleMoverTest extends SubtreeMoveFixture {

    private static final FsPermission SECRET = new FsPermission((short) 0600);

    @Test
    void stalledMoverChangesNothingAfterAnotherFinishedMove() throws Exception {
        stallWhileAnotherMovesAll(Duration.ZERO);
    }

    /** As with a virtual machine that was stopped, all of whose clocks stand still. */
    @Test
    void stalledMoverWithFrozenClocksChangesNothing() throws Exception {
        stallWhileAnotherMovesAll(LIMIT);
    }

    /** @param lockGoodFor until then it takes for granted that it has its lock */
    private void stallWhileAnotherMovesAll(Duration lockGoodFor) throws Exception {
        makeTree();
        AtomicInteger turns = new AtomicInteger();
        MoveRecord record = record().withRate(70);
        try (SubtreeMoves slow = new HdfsSubtreeMoves(
                federation.clientConfiguration(),
                table,
                HdfsTableStore.SEAL,
                MoveTuning.builder()
                        .limiters(rate -> () -> {
                            // The last file is about to be copied.
                            if (turns.incrementAndGet() == 8) {
                                moveAllAndUseTarget();
                            }
                        })
                        .editPollTimeout(LIMIT)
                        .lockValidity(lockGoodFor)
                        .sliceSize(SLICE)
                        .build())) {
            assertThatThrownBy(() -> slow.connect(record, new SingleQueryLimits(), 1, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .isInstanceOf(IOException.class);
        }

        assertThat(turns).hasValueGreaterThanOrEqualTo(8);
        assertThat(read(second, "/new")).isEqualTo("new");
        assertThat(read(second, "/small")).isEqualTo("changed");
        assertThat(second.getFileStatus(pathOf("/small")).getPermission()).isEqualTo(SECRET);
        assertThat(second.exists(pathOf("/deep/large"))).isTrue();
        assertThat(moves.store().current()).isEmpty();
    }

    private void moveAllAndUseTarget() {
        try {
            takeOverLock();
            run(SourceCleanup.DELETE_SOURCE);
            write(second, "/new", "new");
            write(second, "/small", "changed");
            second.setPermission(pathOf("/small"), SECRET);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void keepsOwnersAndQuotasSetDuringLastRound() throws Exception {
        makeTree();
        try (OutputStream out = first.create(pathOf("/open"))) {
            out.write(1);
            MoveRecord record = record();
            assertThatThrownBy(() -> moves.connect(record, new SingleQueryLimits(), 2, line -> {
                                if (line.startsWith("Last round")) {
                                    setOwnersAndQuotas();
                                }
                            })
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessageContaining("still writing");
        }

        assertOwnersAndQuotas();
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        assertOwnersAndQuotas();
    }

    private void setOwnersAndQuotas() {
        try {
            first.setOwner(pathOf(""), "bob", "sellers");
            first.setQuota(pathOf(""), 2_000, 1L << 40);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertOwnersAndQuotas() throws IOException {
        assertThat(first.getFileStatus(pathOf("")).getOwner()).isEqualTo("bob");
        assertThat(first.getFileStatus(pathOf("")).getGroup()).isEqualTo("sellers");
        QuotaUsage quotas = first.getQuotaUsage(pathOf(""));
        assertThat(quotas.getQuota()).isEqualTo(2_000);
        assertThat(quotas.getSpaceQuota()).isEqualTo(1L << 40);
    }

    @Test
    void keepsContentsOfReopenedSource() throws Exception {
        makeTree();
        run(SourceCleanup.KEEP_SOURCE);
        MoveStore store = moves.store();
        Map<String, String> lines = store.current().orElseThrow().encode();
        lines.put("phase", MovePhase.COPYING.name());
        try (Closeable ignored = store.lock()) {
            store.update(MoveRecord.decode(lines));
        }

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("may have worked at both");
        assertThat(first.exists(pathOf("/small"))).isTrue();
        assertThat(second.exists(pathOf("/small"))).isTrue();
    }

    @Test
    void keepsContentsOfSourceOwningSubtreeAgain() throws Exception {
        makeTree();
        run(SourceCleanup.KEEP_SOURCE);
        TableRecord newest = table.requireNewest();
        table.append(TableRecord.of(
                TableChange.assignOwner(newest.table(), path, "ns1")
                        .applyTo(newest.table(), table.nameservices(), table.tableDirectory()),
                "set by hand",
                "test",
                NOW));

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("belongs to ns1");
        assertThat(first.exists(pathOf("/small"))).isTrue();
    }

    /** It stands still when all is ready for the version; meanwhile the move is undone. */
    @Test
    void moverWithoutLockDoesNotCreateVersion() throws Exception {
        makeTree();
        MoveRecord record = record();
        try (SubtreeMoves stale = movesWithTable(interceptingTable("append", made -> made, this::undo))) {
            assertThatThrownBy(() -> stale.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .isInstanceOf(IOException.class);
        }

        assertThat(table.requireNewest().table().ownerOf(path)).isEqualTo("ns1");
        assertThat(read(first, "/small")).isEqualTo("small");
        runAs("alice", () -> write(first, "/new", "new"));
        assertThat(second.exists(pathOf(""))).isFalse();
    }

    /** It stands still when it has made the version, until the subtree has come back in another move. */
    @Test
    void omitsMarkWhenSubtreeHasReturned() throws Exception {
        federation.enableGate("ns1");
        makeTree();
        MoveRecord record = record();
        try (SubtreeMoves stale = movesWithTable(interceptingTable(
                "append",
                made -> {
                    federation.expireFreezes();
                    moveAllAndUseTarget();
                    moveBack();
                    return made;
                },
                () -> {}))) {
            assertThatThrownBy(() -> stale.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .isInstanceOf(IOException.class);
        }

        assertThat(table.requireNewest().table().ownerOf(path)).isEqualTo("ns1");
        assertThat(first.getXAttrs(pathOf(""))).isEmpty();
        assertThat(first.getFileStatus(pathOf("")).getOwner()).isEqualTo("alice");
        runAs("alice", () -> write(first, "/newer", "newer"));
        assertThat(read(first, "/new")).isEqualTo("new");
    }

    private void moveBack() throws IOException {
        MoveRecord back = MoveRecord.newMove("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
        moves.connect(back, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
    }

    /** The target was the owner before, so it has a seal, and is used when the stale process comes to seal it. */
    @Test
    void refusesToSealDirectoryInUse() throws Exception {
        sealTargetDelayed(interceptingTable("seal", result -> result, this::moveAllAndUseTarget));
    }

    /** All calls of the seal arrive late. */
    @Test
    void delayedSealOfUsedDirectoryIsRemoved() throws Exception {
        TableStore late = (TableStore) Proxy.newProxyInstance(
                TableStore.class.getClassLoader(), new Class<?>[] {TableStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("seal")) {
                        moveAllAndUseTarget();
                        table.seal((String) arguments[0], (SubtreePath) arguments[1]);
                        assertThat(second.getFileStatus(pathOf("")).isSnapshotEnabled())
                                .isTrue();
                        return null;
                    }
                    return invoke(method, arguments);
                });
        sealTargetDelayed(late);
    }

    private void sealTargetDelayed(TableStore itsTable) throws Exception {
        makeTree();
        // With a quota of names nothing would be sealed.
        first.setQuota(pathOf(""), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);
        run(SourceCleanup.DELETE_SOURCE);
        moveBack();
        assertThat(table.inspect("ns2", path)).isEqualTo(DirectoryState.SEALED);
        MoveRecord record = record();
        try (SubtreeMoves stale = movesWithTable(itsTable)) {
            assertThatThrownBy(() -> stale.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .isInstanceOf(IOException.class);
        }

        assertThat(table.requireNewest().table().ownerOf(path)).isEqualTo("ns2");
        assertThat(second.getFileStatus(pathOf("")).isSnapshotEnabled()).isFalse();
        assertThat(second.getFileStatus(pathOf("")).getOwner()).isEqualTo("alice");
        runAs("alice", () -> write(second, "/newer", "newer"));
        assertThat(read(second, "/new")).isEqualTo("new");
    }

    /** The owner may do so, even if no user can enter the directory yet. */
    @Test
    void keepsPermissionSetByOwnerDuringOpening() throws Exception {
        federation.enableGate("ns2");
        makeTree();
        MoveRecord record = record();
        AtomicInteger tried = new AtomicInteger();
        AtomicBoolean isSet = new AtomicBoolean();
        // Its thread has begun here, so it is not the mover's, whose call waits.
        ExecutorService user = Executors.newSingleThreadExecutor();
        user.submit(() -> null).get();
        try (DistributedFileSystem alices = callAsAlice(() -> federation.fileSystem("ns2"))) {
            PreCallAction close = () -> {
                tried.incrementAndGet();
                isSet.set(isPermitted(user, () -> alices.setPermission(pathOf(""), SECRET)));
            };
            moves.connect(record, new SingleQueryLimits(), 2, line -> {
                        if (line.startsWith("Version")) {
                            federation.runBefore("setPermission", close::run);
                        }
                    })
                    .run(SourceCleanup.DELETE_SOURCE);
        } finally {
            user.shutdown();
        }

        assertThat(tried).hasValue(1);
        assertThat(second.getFileStatus(pathOf("")).getPermission())
                .isEqualTo(isSet.get() ? SECRET : new FsPermission((short) 0755));
        assertThat(second.getFileStatus(pathOf("")).getOwner()).isEqualTo("alice");
    }

    /** False if that is not permitted. */
    private static boolean isPermitted(ExecutorService user, PreCallAction call) throws IOException {
        try {
            return user.submit(() -> {
                        try {
                            call.run();
                            return true;
                        } catch (AccessControlException e) {
                            return false;
                        }
                    })
                    .get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e);
        }
    }

    private void undo() throws IOException {
        takeOverLock();
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
    }

    private void takeOverLock() {
        Path lock = new Path(table.tableDirectory().text(), "moves/lock");
        Awaitility.await().atMost(LIMIT).until(() -> first.recoverLease(lock));
    }

    @Test
    void recognizesOwnVersionWhenAnswerIsLost() throws Exception {
        makeTree();
        MoveRecord record = record();
        try (SubtreeMoves forgetful = movesWithTable(interceptingTable("append", made -> false, () -> {}))) {
            forgetful.connect(record, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        }

        assertThat(table.requireNewest().table().ownerOf(path)).isEqualTo("ns2");
        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(moves.store().current()).isEmpty();
    }

    @Test
    void directoryUsedConcurrentlyKeepsQuotaAndSnapshotSettings() throws Exception {
        makeTree();
        second.mkdirs(pathOf(""));
        MoveRecord record = record();
        try (SubtreeMoves refused =
                movesWithTable(interceptingTable("seal", result -> result, () -> write(second, "/used", "used")))) {
            assertThatThrownBy(() -> refused.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessageContaining("is not empty any more");
        }

        assertThat(second.getQuotaUsage(pathOf("")).getQuota()).isEqualTo(HdfsConstants.QUOTA_RESET);
        assertThat(second.getFileStatus(pathOf("")).isSnapshotEnabled()).isFalse();
        write(second, "/more", "more");
    }
}
