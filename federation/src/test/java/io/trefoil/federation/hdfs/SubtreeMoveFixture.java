/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.hdfs.move.MoveTuning;
import io.trefoil.federation.move.MoveLimits;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A subtree of one of two stock nameservices, with a DataNode that links blocks, and what moves it to the other. */
public abstract class SubtreeMoveFixture {

    protected static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    protected static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int BLOCK = 1 << 20;
    protected static final AtomicInteger NAMES = new AtomicInteger();

    /** So few that even a small subtree is deleted in several. */
    protected static final long SLICE = 2;

    @TempDir
    protected static java.nio.file.Path directory;

    protected static StockFederation federation;
    protected DistributedFileSystem first;
    protected DistributedFileSystem second;
    protected TableStore table;
    protected SubtreeMoves moves;
    protected SubtreePath path;
    protected final List<String> progress = new ArrayList<>();

    @BeforeAll
    protected static void startFederation() throws IOException {
        federation = StockFederation.start(directory);
    }

    @AfterAll
    protected static void stopFederation() {
        federation.close();
    }

    @BeforeEach
    protected void setUp() throws IOException {
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        int number = NAMES.incrementAndGet();
        table = new HdfsTableStore(federation.clientConfiguration(), "hdfs://ns1/tables/" + number);
        table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
        // However long a thread stands still, edits are told in time.
        moves = moves(LIMIT);
        path = SubtreePath.parse("/data" + number + "/sales");
    }

    /** @param toldWithin how long one question for edits may take while clients wait */
    protected SubtreeMoves moves(Duration toldWithin) {
        return movesCheckingLock(toldWithin, Duration.ofSeconds(20));
    }

    /** @param lockGoodFor how long they go on without asking whether they have their lock */
    protected HdfsSubtreeMoves movesCheckingLock(Duration toldWithin, Duration lockGoodFor) {
        return movesWithTuning(
                table,
                tuning().editPollTimeout(toldWithin).lockValidity(lockGoodFor).build());
    }

    private HdfsSubtreeMoves movesWithTuning(TableStore itsTable, MoveTuning tuning) {
        return new HdfsSubtreeMoves(federation.clientConfiguration(), itsTable, HdfsTableStore.SEAL, tuning);
    }

    /** At no rate, with a lock that is taken for granted, and so few at a time that even a small subtree is deleted in several. */
    protected static MoveTuning.Builder tuning() {
        return MoveTuning.builder()
                .limiters(rate -> () -> {})
                .editPollTimeout(LIMIT)
                .lockValidity(LIMIT)
                .sliceSize(SLICE);
    }

    /** Moves that take for granted that they have their lock, with a table of which a test has changed something. */
    protected HdfsSubtreeMoves movesWithTable(TableStore itsTable) {
        return movesWithTuning(itsTable, tuning().build());
    }

    protected interface PreCallAction {
        void run() throws IOException;
    }

    protected interface ResultMapper {
        Object map(Object result) throws IOException;
    }

    /** The table, but for one method. */
    protected TableStore interceptingTable(String name, ResultMapper answer, PreCallAction before) {
        return (TableStore) Proxy.newProxyInstance(
                TableStore.class.getClassLoader(), new Class<?>[] {TableStore.class}, (proxy, method, arguments) -> {
                    boolean isMeant = method.getName().equals(name);
                    if (isMeant) {
                        before.run();
                    }
                    Object result = invoke(method, arguments);
                    return isMeant ? answer.map(result) : result;
                });
    }

    protected Object invoke(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(table, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @AfterEach
    protected void tearDown() throws IOException {
        federation.disableGates();
        moves.close();
        table.close();
        first.close();
        second.close();
    }

    protected String describeLocations() {
        return "hdfs://ns1" + table.tableDirectory();
    }

    protected static <T> T callAsAlice(PrivilegedExceptionAction<T> action) throws Exception {
        return UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
                .doAs(action);
    }

    protected void makeTree() throws IOException {
        first.mkdirs(pathOf("/deep"));
        write(first, "/small", "small");
        first.setXAttr(pathOf("/small"), "user.colour", bytes("blue"), EnumSet.of(XAttrSetFlag.CREATE));
        try (OutputStream out = first.create(pathOf("/deep/large"), true, 4096, (short) 1, BLOCK)) {
            out.write(new byte[2 * BLOCK + 100_001]);
        }
        first.setAcl(
                pathOf("/deep/large"),
                AclEntry.parseAclSpec("user::rw-,group::r--,other::---,user:bob:rw-,mask::rw-", true));
        first.create(pathOf("/deep/empty")).close();
        first.setPermission(pathOf("/deep"), new FsPermission((short) 01750));
        first.setQuota(pathOf("/deep"), 100, 1L << 40);
        first.setQuota(pathOf(""), 1_000, Long.MAX_VALUE);
        first.setPermission(pathOf(""), new FsPermission((short) 0755));
        first.setOwner(pathOf(""), "alice", "staff");
    }

    /** As the command does: the move that has begun, or else a new one. */
    protected MoveRecord record() throws IOException {
        return moves.store().current().orElseGet(this::newRecord);
    }

    protected MoveRecord newRecord() {
        return MoveRecord.newMove("move" + NAMES.incrementAndGet(), path, "ns1", "ns2", "test", NOW);
    }

    protected void run(SourceCleanup cleanup) throws IOException {
        MoveRecord record = record();
        moves.connect(record, new SingleQueryLimits(), 2, progress::add).run(cleanup);
    }

    protected Path pathOf(String relativePath) {
        return new Path(path + relativePath);
    }

    protected void write(FileSystem fileSystem, String relativePath, String text) throws IOException {
        try (OutputStream out = fileSystem.create(pathOf(relativePath))) {
            out.write(bytes(text));
        }
    }

    protected String read(FileSystem fileSystem, String relativePath) throws IOException {
        return read(fileSystem, pathOf(relativePath));
    }

    protected static String read(FileSystem fileSystem, Path file) throws IOException {
        try (FSDataInputStream in = fileSystem.open(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected interface Action {
        void run() throws Exception;
    }

    /** With connections of the user's own. */
    protected void runAs(String user, Action action) throws Exception {
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

    /** Asks once, so that no move waits for a writer. */
    public static class SingleQueryLimits implements MoveLimits {
        @Override
        public int maxRounds() {
            return 3;
        }

        @Override
        public int fewFilesThreshold() {
            return 0;
        }

        @Override
        public Duration openFileTimeout() {
            return Duration.ZERO;
        }

        @Override
        public int maxPauses() {
            return 1;
        }

        @Override
        public long heapBytes() {
            return Long.MAX_VALUE;
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
        public List<String> awaitNone(ServerQuery query) throws IOException {
            return query.query();
        }

        @Override
        public List<String> awaitReplicas(ServerQuery query) throws IOException {
            return query.query();
        }
    }
}
