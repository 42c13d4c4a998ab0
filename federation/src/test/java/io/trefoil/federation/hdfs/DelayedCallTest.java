/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.FaultInjectingProxyProvider.CallFault;
import io.trefoil.federation.hdfs.FaultInjectingProxyProvider.CallInTransit;
import io.trefoil.federation.hdfs.FaultInjectingProxyProvider.ClientProcess;
import io.trefoil.federation.hdfs.directory.SealMarks;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreeHandover;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * One call of a process that stood still, or was cut off, arrives when others have gone on, and changes nothing any more; nor do the calls
 * that follow it, if that process goes on. Each call that changes something in turn; a build tries some of them, which {@code -Dseed} repeats,
 * the nightly run more, and {@code -Dtrefoil.test.late.step=1} all.
 */
class DelayedCallTest extends SubtreeMoveFixture {

    private static final int STEP = Integer.getInteger("trefoil.test.late.step", 36);
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /** HDFS takes only paths for these: one that arrives late may leave a quota or a snapshot where there was none, or remove it. */
    private static final Set<String> PATH_ONLY_CALLS =
            Set.of("setQuota", "allowSnapshot", "createSnapshot", "deleteSnapshot", "disallowSnapshot");

    /** What others do with the move of a process that has ended; false if there is nothing to do any more. */
    private interface OtherProcesses {
        boolean proceed() throws Exception;
    }

    @Test
    void delayedCallChangesNothingWhenNewOwnerIsInUse() throws Exception {
        runDelayedCall(this::moveAndUse);
    }

    @Test
    void delayedCallChangesNothingWhenSubtreeHasReturned() throws Exception {
        runDelayedCall(this::moveThereAndBackAndUse);
    }

    @Test
    void delayedCallChangesNothingWhenMoveWasUndone() throws Exception {
        runDelayedCall(this::undoAndUse);
    }

    /** Its clocks do not tell it, so it takes for granted that it has the lock. */
    @Test
    void stalledMoverChangesNothingWhenNewOwnerIsInUse() throws Exception {
        runStalledMover(this::moveAndUse);
    }

    @Test
    void stalledMoverChangesNothingWhenSubtreeHasReturned() throws Exception {
        runStalledMover(this::moveThereAndBackAndUse);
    }

    @Test
    void stalledMoverChangesNothingWhenMoveWasUndone() throws Exception {
        runStalledMover(this::undoAndUse);
    }

    private boolean moveAndUse() throws IOException {
        complete();
        useAsClient(second);
        return true;
    }

    private boolean moveThereAndBackAndUse() throws IOException {
        moveAndUse();
        MoveRecord back = MoveRecord.newMove("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
        moves.connect(back, new SingleQueryLimits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        useAsClient(first);
        return true;
    }

    private boolean undoAndUse() throws IOException {
        if (isOwner("ns2")) {
            return false;
        }
        try {
            moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        } catch (TableRefusedException e) {
            assertThat(e).as("before the move began").hasMessage("No subtree is being moved");
        }
        useAsClient(first);
        return true;
    }

    /** A process stands still before one of its calls, and then goes on with all that follow it. */
    private void runStalledMover(OtherProcesses otherProcesses) throws Exception {
        Random random = new Random(SEED);
        int tried = 0;
        boolean isLast = false;
        for (int call = random.nextInt(STEP); !isLast; call += STEP) {
            tearDown();
            setUp();
            federation.enableGate("ns1");
            createSubtree();
            Configuration conf = federation.clientConfiguration();
            ClientProcess life =
                    FaultInjectingProxyProvider.startProcess(conf, path.text(), call, CallFault.STANDS_STILL);
            ExecutorService process = Executors.newSingleThreadExecutor();
            try {
                Future<?> end = process.submit(() -> move(conf));
                Awaitility.await()
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> life.hasPaused() || end.isDone());
                isLast = !life.hasPaused();
                // Before it has the lock it may wait for it.
                if (!isLast && isLocked()) {
                    takeOverLock();
                    isLast = !otherProcesses.proceed();
                    if (!isLast) {
                        SortedSet<String> before = state(life.lastCall());
                        life.resume();
                        awaitEnd(end);
                        endFreezes();
                        assertThat(state(life.lastCall()))
                                .as("-Dseed=%d, call %d: %s", SEED, call, life.lastCall())
                                .isEqualTo(before);
                        tried++;
                    }
                }
                life.resume();
                awaitEnd(end);
            } finally {
                life.resume();
                process.shutdown();
            }
        }
        assertThat(tried).isGreaterThan(30 / STEP);
    }

    private static void awaitEnd(Future<?> end) throws InterruptedException {
        try {
            end.get();
        } catch (ExecutionException e) {
            System.out.println("It ended with " + e.getCause());
        }
    }

    private boolean isLocked() throws IOException {
        Path lock = new Path(table.tableDirectory() + "/moves/lock");
        return first.exists(lock) && !first.isFileClosed(lock);
    }

    private void endFreezes() throws IOException {
        if (!federation.frozenMarks().isEmpty()) {
            federation.expireFreezes();
        }
    }

    private void runDelayedCall(OtherProcesses otherProcesses) throws Exception {
        Random random = new Random(SEED);
        int tried = 0;
        for (int call = random.nextInt(STEP); ; call += STEP) {
            tearDown();
            setUp();
            federation.enableGate("ns1");
            createSubtree();
            Optional<CallInTransit> sent = callNumber(call);
            if (sent.isEmpty() || !otherProcesses.proceed()) {
                break;
            }
            SortedSet<String> before = state(sent.get());
            sent.get()
                    .deliver((sent.get().nameservice().equals("ns1") ? first : second)
                            .getClient()
                            .getNamenode());
            // It was the one that freezes; no process prolongs that.
            endFreezes();
            assertThat(state(sent.get()))
                    .as("-Dseed=%d, call %d: %s", SEED, call, sent.get())
                    .isEqualTo(before);
            tried++;
        }
        assertThat(tried).isGreaterThan(30 / STEP);
    }

    private void createSubtree() throws IOException {
        for (String file : List.of("/folder/file", "/gone", "/kept")) {
            write(first, file, "old");
        }
        first.mkdirs(pathOf("/hollow"));
        first.setQuota(pathOf("/folder"), 10, 1 << 30);
        first.setXAttr(pathOf("/kept"), "user.colour", bytes("blue"), EnumSet.of(XAttrSetFlag.CREATE));
        first.setPermission(pathOf("/kept"), new FsPermission((short) 0604));
        first.setPermission(pathOf(""), new FsPermission((short) 0755));
        first.setOwner(pathOf(""), "alice", "staff");
    }

    /** What clients do as long as a late call has not arrived; none of it may be undone. */
    private void useAsClient(DistributedFileSystem owner) throws IOException {
        write(owner, "/folder/file", "new");
        write(owner, "/new", "new");
        owner.delete(pathOf("/gone"), false);
        owner.delete(pathOf("/hollow"), true);
        owner.setPermission(pathOf("/kept"), new FsPermission((short) 0640));
        owner.setXAttr(
                pathOf("/kept"), "user.colour", bytes("red"), EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
        owner.setOwner(pathOf("/kept"), "bob", "staff");
    }

    /** The call with this number of a move whose process ends with it; empty if there are fewer. */
    private Optional<CallInTransit> callNumber(int call) throws Exception {
        Configuration conf = federation.clientConfiguration();
        ClientProcess life = FaultInjectingProxyProvider.startProcess(conf, path.text(), call);
        ExecutorService process = Executors.newSingleThreadExecutor();
        try {
            process.submit(() -> move(conf)).get();
        } catch (ExecutionException e) {
            if (!life.hasReachedFault()) {
                throw new AssertionError("ended by itself", e);
            }
        } finally {
            process.shutdown();
        }
        takeOverLock();
        return life.hasReachedFault() ? Optional.of(life.lastCall()) : Optional.empty();
    }

    /** As a minute without a sign of life does it; freezes end before. */
    private void takeOverLock() throws IOException {
        Path lock = new Path(table.tableDirectory() + "/moves/lock");
        if (first.exists(lock)) {
            Awaitility.await().atMost(LIMIT).until(() -> first.recoverLease(lock));
        }
        endFreezes();
    }

    private Void move(Configuration conf) throws IOException {
        try (TableStore own = new HdfsTableStore(conf, describeLocations());
                SubtreeMoves ownMoves = new HdfsSubtreeMoves(conf, own, HdfsTableStore.SEAL)) {
            MoveRecord record = record();
            ownMoves.connect(record, new SingleQueryLimits(), 1, line -> {}).run(SourceCleanup.DELETE_SOURCE);
        }
        return null;
    }

    private void complete() throws IOException {
        if (isOwner("ns1") || moves.store().current().isPresent()) {
            run(SourceCleanup.DELETE_SOURCE);
        }
    }

    private boolean isOwner(String nameservice) throws IOException {
        return table.requireNewest().table().ownerOf(path).equals(nameservice);
    }

    private SortedSet<String> state(CallInTransit call) throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        describe(lines, "ns1", first, pathOf(""), call);
        describe(lines, "ns2", second, pathOf(""), call);
        lines.add("versions of the table: " + table.history().size());
        lines.add("a move is under way: " + moves.store().current().isPresent());
        return lines;
    }

    private void describe(
            SortedSet<String> lines, String nameservice, DistributedFileSystem files, Path one, CallInTransit call)
            throws IOException {
        if (!files.exists(one) || isCreatedBy(call, nameservice, files, one)) {
            return;
        }
        FileStatus status = files.getFileStatus(one);
        StringBuilder line = new StringBuilder(nameservice + one.toUri().getPath() + ": " + status.getOwner() + ":"
                + status.getGroup() + " " + status.getPermission() + " "
                + files.getAclStatus(one).getEntries());
        // The mark of a seal that came late is on no list, and NameNodes heed only both together.
        boolean isSealed =
                SealMarks.hasMark(files.getClient().getNamenode(), one.toUri().getPath());
        files.getXAttrs(one).forEach((name, value) -> {
            if (isSealed || !name.equals(SealMark.NAME)) {
                line.append(' ').append(name).append('=').append(new String(value, StandardCharsets.UTF_8));
            }
        });
        if (status.isDirectory() && !PATH_ONLY_CALLS.contains(call.method())) {
            QuotaUsage quotas = files.getQuotaUsage(one);
            line.append(", quotas ").append(quotas.getQuota()).append(' ').append(quotas.getSpaceQuota());
            line.append(status.isSnapshotEnabled() ? ", snapshots" : "");
        }
        if (status.isFile()) {
            line.append(' ').append(status.getModificationTime()).append(' ').append(read(files, one));
        }
        lines.add(line.toString());
        if (status.isDirectory()) {
            for (FileStatus child : files.listStatus(one)) {
                describe(lines, nameservice, files, child.getPath(), call);
            }
        }
    }

    /** The first call at the target may leave an empty directory there, which the move was to have: it has no number yet. */
    private boolean isCreatedBy(CallInTransit call, String nameservice, DistributedFileSystem files, Path one)
            throws IOException {
        return call.method().equals("mkdirs")
                && call.firstPath().equals(path.text())
                && nameservice.equals("ns2")
                && files.listStatus(one).length == 0;
    }

    /** No freeze holds it back: HDFS executes it after the seal, and refuses it. */
    @Test
    void oldOwnerRefusesCallAdmittedBeforeTableChange() throws Exception {
        try (DistributedFileSystem alices = callAsAlice(() -> federation.fileSystem("ns1"))) {
            for (String method : List.of("create", "mkdirs", "rename2")) {
                tearDown();
                setUp();
                Path otherPath = new Path(pathOf("").getParent(), "other");
                emptyBoth(otherPath);
                handOverBefore(method);
                assertThatThrownBy(() -> addByMethod(method, alices, otherPath))
                        .as(method)
                        .isInstanceOf(NSQuotaExceededException.class);
                assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
            }
        }
    }

    private void addByMethod(String method, DistributedFileSystem files, Path otherPath) throws IOException {
        switch (method) {
            case "create" -> write(files, "/late", "late");
            case "mkdirs" -> files.mkdirs(pathOf("/late"));
            default -> files.rename(otherPath, pathOf("/late"), Options.Rename.NONE);
        }
    }

    @Test
    void tableClientCreatesDelayedFileOnceAtNewOwner() throws Exception {
        Path otherPath = new Path(pathOf("").getParent(), "other");
        emptyBoth(otherPath);
        Configuration conf = federation.tableClientConfiguration(describeLocations());
        try (FileSystem files = callAsAlice(() -> FileSystem.newInstance(URI.create("hdfs://cluster"), conf))) {
            handOverBefore("create");
            write(files, "/late", "late");
            assertThat(read(files, "/late")).isEqualTo("late");
        }
        assertThat(read(second, "/late")).isEqualTo("late");
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
    }

    private void emptyBoth(Path otherPath) throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            one.mkdirs(pathOf(""));
            one.setOwner(pathOf(""), "alice", "staff");
            one.setPermission(pathOf(""), new FsPermission((short) 0777));
            one.setPermission(pathOf("").getParent(), new FsPermission((short) 0777));
        }
        first.mkdirs(otherPath);
        first.setOwner(otherPath, "alice", "staff");
    }

    /** The owner changes when the gate has let the next call of a method through, and HDFS has not executed it yet. */
    private void handOverBefore(String method) throws Exception {
        federation.enableGate("ns1");
        // Its thread has begun here, so it is not the user's whose call waits.
        ExecutorService operator = Executors.newSingleThreadExecutor();
        operator.submit(() -> null).get();
        federation.runBefore(method, () -> {
            try {
                operator.submit(() -> {
                            SubtreeHandover.plan(table, table.requireNewest().table(), TableChange.add(path, "ns2"))
                                    .run(NOW);
                            return null;
                        })
                        .get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IOException(e);
            } finally {
                operator.shutdown();
            }
        });
    }
}
