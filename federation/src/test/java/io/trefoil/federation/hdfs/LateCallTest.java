/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.DyingProxyProvider.Fate;
import io.trefoil.federation.hdfs.DyingProxyProvider.Life;
import io.trefoil.federation.hdfs.DyingProxyProvider.Sent;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMove.SourceCleanup;
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
class LateCallTest extends SubtreeMoveFixture {

    private static final int STEP = Integer.getInteger("trefoil.test.late.step", 36);
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    /** HDFS takes only paths for these: one that arrives late may leave a quota or a snapshot where there was none, or remove it. */
    private static final Set<String> BY_PATH =
            Set.of("setQuota", "allowSnapshot", "createSnapshot", "deleteSnapshot", "disallowSnapshot");

    /** What others do with the move of a process that has ended; false if there is nothing to do any more. */
    private interface Others {
        boolean goOn() throws Exception;
    }

    @Test
    void lateCallChangesNothingAtNewOwnerInUse() throws Exception {
        late(this::moveAndWork);
    }

    @Test
    void lateCallChangesNothingWhenSubtreeHasReturned() throws Exception {
        late(this::moveThereAndBackAndWork);
    }

    @Test
    void lateCallChangesNothingWhenMoveWasUndone() throws Exception {
        late(this::undoAndWork);
    }

    /** Its clocks do not tell it, so it takes for granted that it has the lock. */
    @Test
    void stalledMoverChangesNothingAtNewOwnerInUse() throws Exception {
        standStill(this::moveAndWork);
    }

    @Test
    void stalledMoverChangesNothingWhenSubtreeHasReturned() throws Exception {
        standStill(this::moveThereAndBackAndWork);
    }

    @Test
    void stalledMoverChangesNothingWhenMoveWasUndone() throws Exception {
        standStill(this::undoAndWork);
    }

    private boolean moveAndWork() throws IOException {
        complete();
        work(second);
        return true;
    }

    private boolean moveThereAndBackAndWork() throws IOException {
        moveAndWork();
        MoveRecord back = MoveRecord.wanted("back" + NAMES.incrementAndGet(), path, "ns2", "ns1", "test", NOW);
        moves.connect(back, new Limits(), 2, progress::add).run(SourceCleanup.DELETE_SOURCE);
        work(first);
        return true;
    }

    private boolean undoAndWork() throws IOException {
        if (ownerIs("ns2")) {
            return false;
        }
        try {
            moves.connect(record(), new Limits(), 2, progress::add).abort();
        } catch (TableRefusedException e) {
            assertThat(e).as("before the move began").hasMessage("No subtree is being moved");
        }
        work(first);
        return true;
    }

    /** A process stands still before one of its calls, and then goes on with all that follow it. */
    private void standStill(Others others) throws Exception {
        Random random = new Random(SEED);
        int tried = 0;
        boolean isLast = false;
        for (int call = random.nextInt(STEP); !isLast; call += STEP) {
            end();
            begin();
            federation.gate("ns1");
            plant();
            Configuration conf = federation.client();
            Life life = DyingProxyProvider.live(conf, path.text(), call, Fate.STANDS_STILL);
            ExecutorService process = Executors.newSingleThreadExecutor();
            try {
                Future<?> end = process.submit(() -> move(conf));
                Awaitility.await()
                        .atMost(LIMIT)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> life.hasStoodStill() || end.isDone());
                isLast = !life.hasStoodStill();
                // Before it has the lock it may wait for it.
                if (!isLast && isLocked()) {
                    takeLock();
                    isLast = !others.goOn();
                    if (!isLast) {
                        SortedSet<String> before = state(life.last());
                        life.goOn();
                        awaitEnd(end);
                        endFreezes();
                        assertThat(state(life.last()))
                                .as("-Dseed=%d, call %d: %s", SEED, call, life.last())
                                .isEqualTo(before);
                        tried++;
                    }
                }
                life.goOn();
                awaitEnd(end);
            } finally {
                life.goOn();
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
        Path lock = new Path(table.kept() + "/moves/lock");
        return first.exists(lock) && !first.isFileClosed(lock);
    }

    private void endFreezes() throws IOException {
        if (!federation.frozen().isEmpty()) {
            federation.endFreezes();
        }
    }

    private void late(Others others) throws Exception {
        Random random = new Random(SEED);
        int tried = 0;
        for (int call = random.nextInt(STEP); ; call += STEP) {
            end();
            begin();
            federation.gate("ns1");
            plant();
            Optional<Sent> sent = sentAsThe(call);
            if (sent.isEmpty() || !others.goOn()) {
                break;
            }
            SortedSet<String> before = state(sent.get());
            sent.get()
                    .arrive((sent.get().nameservice().equals("ns1") ? first : second)
                            .getClient()
                            .getNamenode());
            // It was the one that freezes; nobody prolongs that.
            endFreezes();
            assertThat(state(sent.get()))
                    .as("-Dseed=%d, call %d: %s", SEED, call, sent.get())
                    .isEqualTo(before);
            tried++;
        }
        assertThat(tried).isGreaterThan(30 / STEP);
    }

    private void plant() throws IOException {
        for (String file : List.of("/folder/file", "/gone", "/kept")) {
            write(first, file, "old");
        }
        first.mkdirs(in("/hollow"));
        first.setQuota(in("/folder"), 10, 1 << 30);
        first.setXAttr(in("/kept"), "user.colour", bytes("blue"), EnumSet.of(XAttrSetFlag.CREATE));
        first.setPermission(in("/kept"), new FsPermission((short) 0604));
        first.setPermission(in(""), new FsPermission((short) 0755));
        first.setOwner(in(""), "alice", "staff");
    }

    /** What clients do as long as a late call has not arrived; none of it may be undone. */
    private void work(DistributedFileSystem owner) throws IOException {
        write(owner, "/folder/file", "new");
        write(owner, "/new", "new");
        owner.delete(in("/gone"), false);
        owner.delete(in("/hollow"), true);
        owner.setPermission(in("/kept"), new FsPermission((short) 0640));
        owner.setXAttr(in("/kept"), "user.colour", bytes("red"), EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
        owner.setOwner(in("/kept"), "bob", "staff");
    }

    /** The call with this number of a move whose process ends with it; empty if there are fewer. */
    private Optional<Sent> sentAsThe(int call) throws Exception {
        Configuration conf = federation.client();
        Life life = DyingProxyProvider.live(conf, path.text(), call);
        ExecutorService process = Executors.newSingleThreadExecutor();
        try {
            process.submit(() -> move(conf)).get();
        } catch (ExecutionException e) {
            if (!life.hasMetItsFate()) {
                throw new AssertionError("ended by itself", e);
            }
        } finally {
            process.shutdown();
        }
        takeLock();
        return life.hasMetItsFate() ? Optional.of(life.last()) : Optional.empty();
    }

    /** As a minute without a sign of life does it; freezes end before. */
    private void takeLock() throws IOException {
        Path lock = new Path(table.kept() + "/moves/lock");
        if (first.exists(lock)) {
            Awaitility.await().atMost(LIMIT).until(() -> first.recoverLease(lock));
        }
        endFreezes();
    }

    private Void move(Configuration conf) throws IOException {
        try (TableStore own = new HdfsTableStore(conf, where());
                SubtreeMoves ownMoves = new HdfsSubtreeMoves(conf, own, HdfsTableStore.SEAL)) {
            MoveRecord record = record();
            ownMoves.connect(record, new Limits(), 1, line -> {}).run(SourceCleanup.DELETE_SOURCE);
        }
        return null;
    }

    private void complete() throws IOException {
        if (ownerIs("ns1") || moves.store().current().isPresent()) {
            run(SourceCleanup.DELETE_SOURCE);
        }
    }

    private boolean ownerIs(String nameservice) throws IOException {
        return table.requireNewest().table().ownerOf(path).equals(nameservice);
    }

    private SortedSet<String> state(Sent sent) throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        describe(lines, "ns1", first, in(""), sent);
        describe(lines, "ns2", second, in(""), sent);
        lines.add("versions of the table: " + table.history().size());
        lines.add("a move is under way: " + moves.store().current().isPresent());
        return lines;
    }

    private void describe(SortedSet<String> lines, String nameservice, DistributedFileSystem files, Path one, Sent sent)
            throws IOException {
        if (!files.exists(one) || isMadeBy(sent, nameservice, files, one)) {
            return;
        }
        FileStatus status = files.getFileStatus(one);
        StringBuilder line = new StringBuilder(nameservice + one.toUri().getPath() + ": " + status.getOwner() + ":"
                + status.getGroup() + " " + status.getPermission() + " "
                + files.getAclStatus(one).getEntries());
        files.getXAttrs(one)
                .forEach((name, value) ->
                        line.append(' ').append(name).append('=').append(new String(value, StandardCharsets.UTF_8)));
        if (status.isDirectory() && !BY_PATH.contains(sent.method())) {
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
                describe(lines, nameservice, files, child.getPath(), sent);
            }
        }
    }

    /** The first call at the target may leave an empty folder there, which the move was to have: it has no number yet. */
    private boolean isMadeBy(Sent sent, String nameservice, DistributedFileSystem files, Path one) throws IOException {
        return sent.method().equals("mkdirs")
                && sent.path().equals(path.text())
                && nameservice.equals("ns2")
                && files.listStatus(one).length == 0;
    }

    /** No freeze holds it back: HDFS executes it after the seal, and refuses it. */
    @Test
    void oldOwnerRefusesCallAdmittedBeforeTableChange() throws Exception {
        try (DistributedFileSystem alices = ofAlice(() -> federation.fileSystem("ns1"))) {
            for (String method : List.of("create", "mkdirs", "rename2")) {
                end();
                begin();
                Path other = new Path(in("").getParent(), "other");
                beEmptyAtBoth(other);
                givenAwayBefore(method);
                assertThatThrownBy(() -> addAs(method, alices, other))
                        .as(method)
                        .isInstanceOf(NSQuotaExceededException.class);
                assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
            }
        }
    }

    private void addAs(String method, DistributedFileSystem files, Path other) throws IOException {
        switch (method) {
            case "create" -> write(files, "/late", "late");
            case "mkdirs" -> files.mkdirs(in("/late"));
            default -> files.rename(other, in("/late"), Options.Rename.NONE);
        }
    }

    @Test
    void tableClientCreatesLateFileOnceAtNewOwner() throws Exception {
        Path other = new Path(in("").getParent(), "other");
        beEmptyAtBoth(other);
        Configuration conf = federation.clientOfTable(where());
        try (FileSystem files = ofAlice(() -> FileSystem.newInstance(URI.create("hdfs://cluster"), conf))) {
            givenAwayBefore("create");
            write(files, "/late", "late");
            assertThat(read(files, "/late")).isEqualTo("late");
        }
        assertThat(read(second, "/late")).isEqualTo("late");
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
    }

    private void beEmptyAtBoth(Path other) throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            one.mkdirs(in(""));
            one.setOwner(in(""), "alice", "staff");
            one.setPermission(in(""), new FsPermission((short) 0777));
            one.setPermission(in("").getParent(), new FsPermission((short) 0777));
        }
        first.mkdirs(other);
        first.setOwner(other, "alice", "staff");
    }

    /** The owner changes when the gate has let the next call of a method through, and HDFS has not executed it yet. */
    private void givenAwayBefore(String method) throws Exception {
        federation.gate("ns1");
        // Its thread has begun here, so it is not the user's whose call waits.
        ExecutorService operator = Executors.newSingleThreadExecutor();
        operator.submit(() -> null).get();
        federation.before(method, () -> {
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
