/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.subtrees.SubtreeMovedException;
import io.trefoil.tools.subtree.model.MoveRecord;
import io.trefoil.tools.subtree.model.SubtreeMove;
import io.trefoil.tools.subtree.model.SubtreeMove.Afterwards;
import io.trefoil.tools.subtree.model.SubtreeMoves;
import io.trefoil.tools.table.model.SubtreePath;
import io.trefoil.tools.table.model.SubtreeTable;
import io.trefoil.tools.table.model.TableRecord;
import io.trefoil.tools.table.model.TableStore;
import io.trefoil.tools.table.model.TableStore.Folder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A move that ends before each of its calls in turn, and what becomes of what clients were told meanwhile. */
class InterruptedMoveTest {

    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    /** A build tries some of the calls; 1 is each, and takes minutes. */
    private static final int STEP = Integer.getInteger("trefoil.test.interrupted.step", 12);

    private static final Path LOCK = new Path("moves/lock");

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static DistributedFileSystem first;
    private static DistributedFileSystem second;
    private static DistributedFileSystem firstOfAlice;
    private static DistributedFileSystem secondOfAlice;

    private Path kept;
    private SubtreePath path;

    @BeforeAll
    static void startFederation() throws Exception {
        federation = StockFederation.start(directory);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        UserGroupInformation alice = UserGroupInformation.createUserForTesting("alice", new String[] {"staff"});
        firstOfAlice =
                alice.doAs((PrivilegedExceptionAction<DistributedFileSystem>) () -> federation.fileSystem("ns1"));
        secondOfAlice =
                alice.doAs((PrivilegedExceptionAction<DistributedFileSystem>) () -> federation.fileSystem("ns2"));
    }

    @AfterAll
    static void stopFederation() {
        federation.close();
    }

    @Test
    void aMoveThatEndsAnywhereIsCompletedByTheSameCommand() throws Exception {
        complete("refused", 0, STEP);
    }

    @Test
    void aMoveThatEndsBeforeTheSwitchIsUndone() throws Exception {
        undo("refused", 1, STEP);
    }

    @Test
    void aMoveThatEndsAnywhereIsCompletedWhereClientsWait() throws Exception {
        federation.gate("ns1");
        try {
            complete("waiting", STEP / 2, STEP);
        } finally {
            federation.ungate();
        }
    }

    @Test
    void aMoveThatEndsBeforeTheSwitchIsUndoneWhereClientsWait() throws Exception {
        federation.gate("ns1");
        try {
            undo("waiting", STEP / 2 + 1, STEP);
        } finally {
            federation.ungate();
        }
    }

    private void complete(String clients, int from, int step) throws Exception {
        int calls = from;
        boolean died = true;
        for (; died; calls += step) {
            begin("completed-" + clients + step + "-" + calls);
            died = dies(calls);
            boolean isRepeatedAtOnce = calls / step % 2 == 1;
            if (!isRepeatedAtOnce) {
                // As half a minute does it: what was frozen is not any more, whoever ended.
                federation.endFreezes();
            }
            String late = federation.frozen().isEmpty() ? writeLate() : "";
            boolean hasEnded = ownerIs("ns2") && !first.exists(new Path(kept, "moves/current"));
            if (!hasEnded) {
                run(federation.client(), Afterwards.DELETE_SOURCE);
            }
            assertMoved(late);
        }
        assertThat(calls).as("calls of a whole move").isGreaterThan(40);
    }

    private void undo(String clients, int from, int step) throws Exception {
        int calls = from;
        boolean isBeforeTheSwitch = true;
        for (; isBeforeTheSwitch; calls += step) {
            begin("undone-" + clients + step + "-" + calls);
            boolean died = dies(calls);
            isBeforeTheSwitch = died && ownerIs("ns1");
            if (isBeforeTheSwitch && abort()) {
                assertUndone();
            }
        }
        assertThat(calls).as("calls before the switch").isGreaterThan(30);
    }

    private void begin(String name) throws IOException {
        kept = new Path("/tables/" + name);
        path = SubtreePath.parse("/data-" + name);
        try (TableStore table = table(federation.client())) {
            table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
        }
        first.mkdirs(new Path(path + "/folder"));
        write(first, "/folder/file");
        first.setOwner(new Path(path.text()), "alice", "staff");
        first.setPermission(new Path(path.text()), new FsPermission((short) 0750));
    }

    private TableStore table(Configuration conf) {
        return new HadoopInstallation(conf).subtrees(Optional.of("hdfs://ns1" + kept));
    }

    private void run(Configuration conf, Afterwards afterwards) throws IOException {
        try (TableStore table = table(conf);
                SubtreeMoves moves = new HadoopInstallation(conf).moves(table)) {
            MoveRecord record = MoveRecord.wanted(kept.getName(), path, "ns1", "ns2", "test", NOW);
            moves.connect(record, new SubtreeMoveTest.Limits(), 1, line -> {}).run(record, afterwards);
        }
    }

    /** Whether the process ended before it was done. */
    private boolean dies(int calls) throws Exception {
        Configuration conf = federation.client();
        AtomicInteger left = DyingProxyProvider.live(conf, kept.getName(), calls);
        // On a thread of its own, since a call that does not arrive leaves its number in Hadoop's thread-locals.
        ExecutorService process = Executors.newSingleThreadExecutor();
        try {
            process.submit(() -> {
                        run(conf, Afterwards.DELETE_SOURCE);
                        return null;
                    })
                    .get();
        } catch (ExecutionException e) {
            assertThat(left.get()).as(() -> "calls left after " + e).isNegative();
        } finally {
            process.shutdown();
        }
        boolean died = left.get() < 0;
        Path lock = new Path(kept, LOCK);
        if (died && first.exists(lock)) {
            // As a minute without a sign of life does it.
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> first.recoverLease(lock));
        }
        return died;
    }

    private boolean abort() throws IOException {
        Configuration conf = federation.client();
        try (TableStore table = table(conf);
                SubtreeMoves moves = new HadoopInstallation(conf).moves(table)) {
            Optional<MoveRecord> current = moves.store().current();
            if (current.isPresent()) {
                SubtreeMove move = moves.connect(current.get(), new SubtreeMoveTest.Limits(), 1, line -> {});
                move.abort();
            }
            return current.isPresent();
        }
    }

    private boolean ownerIs(String nameservice) throws IOException {
        try (TableStore table = table(federation.client())) {
            return table.requireNewest().table().ownerOf(path).equals(nameservice);
        }
    }

    /** A file that a client of the newest version makes, or of the one before; empty if it was refused. */
    private String writeLate() throws IOException {
        String late = "";
        for (DistributedFileSystem one : new DistributedFileSystem[] {firstOfAlice, secondOfAlice}) {
            // Nobody goes to the target by a version that is not there.
            if (one != firstOfAlice && ownerIs("ns1")) {
                continue;
            }
            try {
                write(one, "/late");
                assertThat(late).as("the folder that accepted a file").isEmpty();
                late = "/late";
            } catch (AccessControlException | NSQuotaExceededException e) {
                assertThat(e).isInstanceOf(IOException.class);
            } catch (RemoteException e) {
                assertThat(e.unwrapRemoteException(SubtreeMovedException.class))
                        .isInstanceOf(SubtreeMovedException.class);
                assertThat(ownerIs("ns2")).isTrue();
            }
        }
        return late;
    }

    private void write(DistributedFileSystem fileSystem, String inside) throws IOException {
        try (OutputStream out = fileSystem.createNonRecursive(
                new Path(path + inside), new FsPermission((short) 0644), false, 4096, (short) 1, 1 << 20, null)) {
            out.write(7);
        }
    }

    private void assertMoved(String late) throws IOException {
        assertThat(federation.frozen()).isEmpty();
        assertThat(ownerIs("ns2")).isTrue();
        assertThat(read(secondOfAlice, "/folder/file")).isEqualTo(7);
        if (!late.isEmpty()) {
            assertThat(read(secondOfAlice, late)).isEqualTo(7);
        }
        try (TableStore table = table(federation.client())) {
            assertThat(table.look("ns1", path)).isEqualTo(Folder.SEALED);
        }
        assertThat(second.getFileStatus(new Path(path.text())).isSnapshotEnabled())
                .isFalse();
        assertThat(first.exists(new Path(kept, "moves/current"))).isFalse();
        write(secondOfAlice, "/afterwards");
    }

    private void assertUndone() throws IOException {
        assertThat(federation.frozen()).isEmpty();
        assertThat(second.exists(new Path(path.text()))).isFalse();
        assertThat(first.getFileStatus(new Path(path.text())).isSnapshotEnabled())
                .isFalse();
        assertThat(first.getQuotaUsage(new Path(path.text())).getQuota()).isNegative();
        assertThat(first.getFileStatus(new Path(path.text())).getPermission())
                .isEqualTo(new FsPermission((short) 0750));
        assertThat(read(firstOfAlice, "/folder/file")).isEqualTo(7);
        write(firstOfAlice, "/afterwards");
    }

    private int read(DistributedFileSystem fileSystem, String inside) throws IOException {
        try (InputStream in = fileSystem.open(new Path(path + inside))) {
            return in.read();
        } catch (FileNotFoundException e) {
            throw new AssertionError(inside + " is lost", e);
        }
    }
}
