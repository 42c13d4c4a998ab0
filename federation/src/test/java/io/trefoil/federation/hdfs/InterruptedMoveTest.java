/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.hdfs.FaultInjectingProxyProvider.CallFault;
import io.trefoil.federation.hdfs.FaultInjectingProxyProvider.ClientProcess;
import io.trefoil.federation.hdfs.move.HdfsSubtreeMoves;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.SnapshottableDirectoryStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A move to which something happens at each of its changing calls in turn: its process dies before or after the call, or the call fails,
 * executed or not. A call that reads changes nothing, so a process that dies at one leaves what the change before it left. The same for the
 * process that carries on, or undoes it, after a process that died just before or after the switch.
 *
 * <p>A build tries some of the calls, each with one {@link CallFault}, and another one others; {@code -Dseed} repeats what it did. The nightly
 * run tries more of them, and {@code -Dtrefoil.test.interrupted.step=1} each call with each, which takes hours.
 */
class InterruptedMoveTest {

    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    private static final int STEP = Integer.getInteger("trefoil.test.interrupted.step", 20);
    private static final long SEED = Long.getLong("seed", System.nanoTime());

    private static final FsPermission OPEN = new FsPermission((short) 0750);
    private static final Path ROOT = new Path("/");
    private static final Path SNAPSHOTS = new Path("/.snapshot");
    private static final Path LOCK = new Path("moves/lock");
    private static final String END = "The process ends";
    /** For processes that make few calls. */
    private static final int FEW = Math.min(STEP, 10);

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static DistributedFileSystem first;
    private static DistributedFileSystem second;
    private static DistributedFileSystem firstOfAlice;
    private static DistributedFileSystem secondOfAlice;

    private Path kept;
    private SubtreePath path;
    /** Times of what is moved, by the path in the subtree. */
    private Map<String, Long> modified;
    /** Whether the process that ran last may have made the version: then it does not open the source. */
    private boolean mayHaveMadeVersion;

    private boolean targetWasThere;
    /** Why the process that met its fate last ended, if it lived on until the end. */
    private Optional<Throwable> failure = Optional.empty();

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
    void repeatedCommandCompletesMoveInterruptedAtAnyCall() throws Exception {
        assertCompletes("refused");
    }

    @Test
    void undoesMoveInterruptedBeforeSwitch() throws Exception {
        assertUndoes("refused", () -> {});
    }

    @Test
    void undoRestoresExistingTargetDirectory() throws Exception {
        assertUndoes("there", this::makeTarget);
    }

    @Test
    void undoIsResumableWhenInterruptedAtAnyCall() throws Exception {
        assertUndoIsResumable("refused");
    }

    @Test
    void undoIsResumableAtAnyCallWhenClientsWait() throws Exception {
        federation.enableGate("ns1");
        try {
            assertUndoIsResumable("waiting");
        } finally {
            federation.disableGates();
        }
    }

    @Test
    void resumptionIsResumableWhenInterruptedAtAnyCall() throws Exception {
        assertResumptionIsResumable("refused", TableVersionOutcome.MISSING);
        assertResumptionIsResumable("refused", TableVersionOutcome.MADE);
    }

    @Test
    void resumptionIsResumableAtAnyCallWhenClientsWait() throws Exception {
        federation.enableGate("ns1");
        try {
            assertResumptionIsResumable("waiting", TableVersionOutcome.MISSING);
            assertResumptionIsResumable("waiting", TableVersionOutcome.MADE);
        } finally {
            federation.disableGates();
        }
    }

    @Test
    void completesMoveInterruptedAtAnyCallWhenClientsWait() throws Exception {
        federation.enableGate("ns1");
        try {
            assertCompletes("waiting");
        } finally {
            federation.disableGates();
        }
    }

    @Test
    void undoesMoveInterruptedBeforeSwitchWhenClientsWait() throws Exception {
        federation.enableGate("ns1");
        try {
            assertUndoes("waiting", () -> {});
        } finally {
            federation.disableGates();
        }
    }

    /** Where the root has snapshots, as for protected checkpoints, and the directories are kept in their places by marks. */
    @Test
    void completesMoveInterruptedAtAnyCallUnderRootSnapshots() throws Exception {
        runUnderSnapshots(() -> assertCompletes("protected"));
    }

    @Test
    void undoesMoveInterruptedBeforeSwitchUnderRootSnapshots() throws Exception {
        runUnderSnapshots(() -> assertUndoes("protected", this::makeTarget));
    }

    @Test
    void resumptionIsResumableAtAnyCallUnderRootSnapshots() throws Exception {
        runUnderSnapshots(() -> assertResumptionIsResumable("protected", TableVersionOutcome.MADE));
    }

    private void runUnderSnapshots(SubtreeMoveFixture.Action action) throws Exception {
        federation.enableGate("ns1");
        federation.enableGate("ns2");
        try {
            for (DistributedFileSystem one : new DistributedFileSystem[] {first, second}) {
                // Seals of earlier trials, and what moves left that had switched.
                disallowSnapshots(one);
                one.allowSnapshot(ROOT);
                one.createSnapshot(ROOT, "before");
            }
            action.run();
        } finally {
            disallowSnapshots(first);
            disallowSnapshots(second);
            federation.disableGates();
        }
    }

    private static void disallowSnapshots(DistributedFileSystem files) throws IOException {
        SnapshottableDirectoryStatus[] all = files.getSnapshottableDirListing();
        for (SnapshottableDirectoryStatus one : all == null ? new SnapshottableDirectoryStatus[0] : all) {
            for (FileStatus snapshot : files.listStatus(new Path(one.getFullPath(), ".snapshot"))) {
                files.deleteSnapshot(one.getFullPath(), snapshot.getPath().getName());
            }
            files.disallowSnapshot(one.getFullPath());
        }
    }

    /** What happens at a call. */
    private interface Trial {
        /** Returns false if the move was over, or had switched and could not go on, when it came to the call. */
        boolean runAt(int call, CallFault fault, String name) throws Exception;
    }

    /** What a process does. */
    private interface Command {
        void run(Configuration conf) throws IOException;
    }

    /** What there is before a move. */
    private interface Setup {
        void create() throws IOException;
    }

    /** What a process that ended in the pause has made of the table. */
    private enum TableVersionOutcome {
        MISSING,
        MADE
    }

    /** Returns how many calls there were. */
    private static int tryAll(String name, Trial trial) throws Exception {
        return tryAll(name, STEP, trial);
    }

    private static int tryAll(String name, int step, Trial trial) throws Exception {
        Random random = new Random(SEED);
        System.out.println(name + ": -Dseed=" + SEED + " repeats what happens at which call");
        int call = random.nextInt(step);
        while (true) {
            List<CallFault> fates = new ArrayList<>(EnumSet.range(CallFault.DIES_BEFORE, CallFault.FAILS_AFTER));
            Collections.shuffle(fates, random);
            for (CallFault fault : step == 1 ? fates : fates.subList(0, 1)) {
                String trialName = name + step + "-" + call + "-" + fault.name().replace('_', '-');
                try {
                    if (!trial.runAt(call, fault, trialName)) {
                        return call;
                    }
                } catch (Exception | AssertionError e) {
                    throw new AssertionError("-Dseed=" + SEED + ", " + trialName, e);
                }
            }
            call += step;
        }
    }

    private void assertCompletes(String clients) throws Exception {
        SortedSet<String> undisturbed = stateAfterUndisturbedMove("undisturbed-" + clients, () -> {});
        int calls = tryAll("completed-" + clients, (call, fate, name) -> {
            setUp(name);
            boolean wasMet = reachesFault(call, fate);
            boolean isRepeatedAtOnce = call / STEP % 2 == 1;
            if (!isRepeatedAtOnce) {
                // As half a minute does it: what was frozen is not any more, whichever process ended.
                federation.expireFreezes();
            }
            String description = federation.frozenMarks().isEmpty() ? writeDelayed() : "";
            if (!hasMoveEnded()) {
                run(federation.clientConfiguration(), SourceCleanup.DELETE_SOURCE);
            }
            SortedSet<String> state = state();
            assertMoved(description);
            assertThat(state).isEqualTo(undisturbed);
            return wasMet;
        });
        assertThat(calls).as("calls of a whole move").isGreaterThan(40);
    }

    private void assertUndoes(String clients, Setup setup) throws Exception {
        int calls = tryAll("undone-" + clients, (call, fate, name) -> {
            setUp(name);
            setup.create();
            SortedSet<String> before = state();
            boolean wasMet = reachesFault(call, fate);
            boolean isBeforeTheSwitch = wasMet && isOwner("ns1");
            if (isBeforeTheSwitch && abort(federation.clientConfiguration())) {
                assertThat(state()).isEqualTo(before);
                assertUndone();
            }
            // A move may go on after a call that failed, as a file that cannot be copied is left to the next round.
            return isBeforeTheSwitch || (wasMet && hasMoveEnded());
        });
        assertThat(calls).as("calls before the switch").isGreaterThan(30);
    }

    /**
     * Something happens to the process that undoes a move whose process ended in the pause; then it is undone again, or the
     * move is completed.
     */
    private void assertUndoIsResumable(String clients) throws Exception {
        SortedSet<String> undisturbed = stateAfterUndisturbedMove("undisturbed-onto-" + clients, this::makeTarget);
        int calls = tryAll("undone-again-" + clients, FEW, (call, fate, name) -> {
            setUp(name);
            makeTarget();
            SortedSet<String> before = state();
            runUntil(TableVersionOutcome.MISSING);
            boolean wasMet = reachesFault(call, fate, this::abort);
            if (call / FEW % 2 == 0) {
                abort(federation.clientConfiguration());
                assertThat(state()).isEqualTo(before);
                assertUndone();
            } else {
                run(federation.clientConfiguration(), SourceCleanup.DELETE_SOURCE);
                assertThat(state()).isEqualTo(undisturbed);
                assertMoved("");
            }
            return wasMet;
        });
        assertThat(calls).as("calls of whoever undoes a move").isGreaterThan(15);
    }

    /**
     * Something happens to the process that carries on after a process that ended in the pause; then the same command
     * completes the move.
     */
    private void assertResumptionIsResumable(String clients, TableVersionOutcome version) throws Exception {
        String made = version == TableVersionOutcome.MADE ? "-switched" : "-paused";
        SortedSet<String> undisturbed = stateAfterUndisturbedMove("undisturbed-again-" + clients + made, () -> {});
        int calls = tryAll(
                "again-" + clients + made, version == TableVersionOutcome.MADE ? FEW : STEP, (call, fate, name) -> {
                    setUp(name);
                    runUntil(version);
                    boolean wasMet = reachesFault(call, fate, conf -> run(conf, SourceCleanup.DELETE_SOURCE));
                    if (!hasMoveEnded()) {
                        run(federation.clientConfiguration(), SourceCleanup.DELETE_SOURCE);
                    }
                    assertThat(state()).isEqualTo(undisturbed);
                    assertMoved("");
                    return wasMet;
                });
        assertThat(calls).as("calls of whoever carries on").isGreaterThan(15);
    }

    private SortedSet<String> stateAfterUndisturbedMove(String name, Setup setup) throws IOException {
        setUp(name);
        setup.create();
        run(federation.clientConfiguration(), SourceCleanup.DELETE_SOURCE);
        return state();
    }

    private boolean hasMoveEnded() throws IOException {
        return isOwner("ns2") && !first.exists(new Path(kept, "moves/current"));
    }

    private void setUp(String name) throws IOException {
        targetWasThere = false;
        kept = new Path("/tables/" + name);
        path = SubtreePath.parse("/above-" + name + "/below/data");
        try (TableStore table = table(federation.clientConfiguration())) {
            table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
        }
        Path directory = new Path(path + "/folder");
        first.mkdirs(directory);
        write(first, "/folder/file");
        first.setXAttr(directory, "user.color", new byte[] {1});
        first.setQuota(directory, 10, 1 << 30);
        createAncestors(first);
        first.setOwner(new Path(path.text()), "alice", "staff");
        first.setPermission(new Path(path.text()), OPEN);
        modified = new TreeMap<>();
        for (String relativePath : new String[] {"", "/folder", "/folder/file"}) {
            modified.put(
                    relativePath,
                    first.getFileStatus(new Path(path + relativePath)).getModificationTime());
        }
    }

    private void createAncestors(DistributedFileSystem files) throws IOException {
        Path above = new Path(path.text()).getParent();
        files.setOwner(above, "alice", "staff");
        files.setAcl(above, AclEntry.parseAclSpec("user::rwx,user:bob:r-x,group::---,mask::r-x,other::---", true));
        files.setOwner(above.getParent(), "alice", "staff");
        files.setPermission(above.getParent(), OPEN);
    }

    /** An empty directory at the target, with an ACL, an attribute and a storage policy of its own. */
    private void makeTarget() throws IOException {
        targetWasThere = true;
        Path directory = new Path(path.text());
        second.mkdirs(directory);
        createAncestors(second);
        second.setXAttr(directory, "user.shape", new byte[] {'o'});
        second.setStoragePolicy(directory, "COLD");
        second.setQuota(directory, HdfsConstants.QUOTA_DONT_SET, 1 << 30);
        second.setOwner(directory, "carol", "guests");
        second.setAcl(
                directory,
                AclEntry.parseAclSpec(
                        "user::rwx,user:bob:r-x,group::--x,mask::r-x,other::---,default:user:eve:r--", true));
    }

    /** What both nameservices have of the subtree and of the move, but for what was written late. */
    private SortedSet<String> state() throws IOException {
        SortedSet<String> lines = new TreeSet<>();
        describe(lines, "ns1", first, "");
        describe(lines, "ns2", second, "");
        for (DistributedFileSystem one : new DistributedFileSystem[] {first, second}) {
            for (FileStatus snapshot : one.listStatus(SNAPSHOTS)) {
                lines.add(one.getUri() + " has a snapshot " + snapshot.getPath().getName());
            }
        }
        // Drafts of processes that ended stay, and are never read.
        for (FileStatus one : first.globStatus(new Path(kept, "mount-table.*"))) {
            lines.add("table " + one.getPath().getName());
        }
        if (first.exists(new Path(kept, "moves/current"))) {
            lines.add("a move has begun");
        }
        return lines;
    }

    private void describe(SortedSet<String> lines, String nameservice, DistributedFileSystem files, String relativePath)
            throws IOException {
        Path one = new Path(path + relativePath);
        if (!files.exists(one)) {
            return;
        }
        FileStatus status = files.getFileStatus(one);
        StringBuilder line = new StringBuilder(nameservice + " " + relativePath + ":");
        line.append(status.isDirectory() ? " directory" : " file of " + status.getLen());
        line.append(", ").append(status.getOwner()).append(':').append(status.getGroup());
        line.append(' ').append(status.getPermission());
        line.append(", ACL ").append(files.getAclStatus(one).getEntries());
        line.append(", policy ")
                .append(files.getClient().getFileInfo(path + relativePath).getStoragePolicy());
        // The directory's own time changes with what is written late, and with a seal.
        boolean isMoved = !relativePath.isEmpty();
        line.append(isMoved && status.getModificationTime() != modified.get(relativePath) ? ", of another time" : "");
        line.append(", attributes");
        files.getXAttrs(one)
                .forEach((name, value) ->
                        line.append(' ').append(name).append('=').append(new String(value, StandardCharsets.UTF_8)));
        if (status.isDirectory()) {
            QuotaUsage quotas = files.getQuotaUsage(one);
            line.append(", quotas ").append(quotas.getQuota()).append(' ').append(quotas.getSpaceQuota());
        }
        if (status.isSnapshotEnabled()) {
            line.append(", snapshots");
            for (FileStatus snapshot : files.listStatus(new Path(one, ".snapshot"))) {
                line.append(' ').append(snapshot.getPath().getName());
            }
        }
        lines.add(line.toString());
        if (status.isDirectory()) {
            for (FileStatus child : files.listStatus(one)) {
                String name = relativePath + "/" + child.getPath().getName();
                if (!name.equals("/late")) {
                    describe(lines, nameservice, files, name);
                }
            }
        }
    }

    private TableStore table(Configuration conf) {
        return new HdfsTableStore(conf, "hdfs://ns1" + kept);
    }

    private void run(Configuration conf, SourceCleanup cleanup) throws IOException {
        try (TableStore table = table(conf);
                SubtreeMoves moves = new HdfsSubtreeMoves(conf, tableReportingFailures(table), HdfsTableStore.SEAL)) {
            moves.connect(record(moves), new SubtreeMoveFixture.SingleQueryLimits(), 1, line -> {})
                    .run(cleanup);
        }
    }

    /** As the command does: the move that has begun, or else a new one. */
    private MoveRecord record(SubtreeMoves moves) throws IOException {
        Optional<MoveRecord> current = moves.store().current();
        return current.isPresent()
                ? current.get()
                : MoveRecord.newMove(UUID.randomUUID().toString(), path, "ns1", "ns2", "test", NOW);
    }

    /** Runs the move until its pause is over and the version is, or is not, made; there the process ends. */
    private void runUntil(TableVersionOutcome version) throws IOException {
        Configuration conf = federation.clientConfiguration();
        try (TableStore table = table(conf);
                SubtreeMoves moves =
                        new HdfsSubtreeMoves(conf, tableEndingProcess(table, version), HdfsTableStore.SEAL)) {
            SubtreeMover move = moves.connect(record(moves), new SubtreeMoveFixture.SingleQueryLimits(), 1, line -> {});
            assertThatThrownBy(() -> move.run(SourceCleanup.DELETE_SOURCE)).hasMessage(END);
        }
        assertThat(isOwner(version == TableVersionOutcome.MADE ? "ns2" : "ns1")).isTrue();
    }

    private static TableStore tableEndingProcess(TableStore table, TableVersionOutcome version) {
        return (TableStore) Proxy.newProxyInstance(
                TableStore.class.getClassLoader(), new Class<?>[] {TableStore.class}, (proxy, method, arguments) -> {
                    boolean isEnd = method.getName().equals("append");
                    Object answer =
                            isEnd && version == TableVersionOutcome.MISSING ? null : invoke(method, table, arguments);
                    if (isEnd) {
                        throw new IllegalStateException(END);
                    }
                    return answer;
                });
    }

    private static Object invoke(Method method, TableStore table, Object[] arguments) throws Throwable {
        try {
            return method.invoke(table, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Runs the move until it is over, or has met its fate; returns whether it came to the call. */
    private boolean reachesFault(int call, CallFault fault) throws Exception {
        boolean wasMet = reachesFault(call, fault, conf -> run(conf, SourceCleanup.DELETE_SOURCE));
        if (failure.isPresent() && isOwner("ns1") && !mayHaveMadeVersion) {
            assertClientsWorkAfter(failure.get());
        }
        return wasMet;
    }

    private boolean reachesFault(int call, CallFault fault, Command command) throws Exception {
        failure = Optional.empty();
        Configuration conf = federation.clientConfiguration();
        ClientProcess life = FaultInjectingProxyProvider.startProcess(conf, kept.getName(), call, fault);
        // On a thread of its own, since a call that does not arrive leaves its number in Hadoop's thread-locals.
        ExecutorService process = Executors.newSingleThreadExecutor();
        try {
            process.submit(() -> {
                        command.run(conf);
                        return null;
                    })
                    .get();
        } catch (ExecutionException e) {
            if (!life.hasReachedFault()) {
                throw new AssertionError("ended by itself", e);
            }
            failure = fault.isDeath() ? Optional.empty() : Optional.of(e.getCause());
        } finally {
            process.shutdown();
        }
        Path lock = new Path(kept, LOCK);
        if (life.hasReachedFault() && first.exists(lock)) {
            // As a minute without a sign of life does it.
            Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> first.recoverLease(lock));
        }
        return life.hasReachedFault();
    }

    private void assertClientsWorkAfter(Throwable failure) throws IOException {
        try {
            assertThat(federation.frozenMarks()).isEmpty();
            assertThat(first.getFileStatus(new Path(path.text())).getPermission())
                    .isEqualTo(OPEN);
        } catch (AssertionError e) {
            e.addSuppressed(failure);
            throw e;
        }
    }

    /** The failure of a thread of HDFS's client that writes the version does not say what it is for. */
    private TableStore tableReportingFailures(TableStore table) {
        mayHaveMadeVersion = false;
        return (TableStore) Proxy.newProxyInstance(
                TableStore.class.getClassLoader(), new Class<?>[] {TableStore.class}, (proxy, method, arguments) -> {
                    mayHaveMadeVersion |= method.getName().equals("append");
                    return invoke(method, table, arguments);
                });
    }

    /** Returns false if there was nothing to undo. */
    private boolean abort(Configuration conf) throws IOException {
        try (TableStore table = table(conf);
                SubtreeMoves moves = new HdfsSubtreeMoves(conf, table, HdfsTableStore.SEAL)) {
            Optional<MoveRecord> current = moves.store().current();
            if (current.isPresent()) {
                SubtreeMover move =
                        moves.connect(current.get(), new SubtreeMoveFixture.SingleQueryLimits(), 1, line -> {});
                move.abort();
            }
            return current.isPresent();
        }
    }

    private boolean isOwner(String nameservice) throws IOException {
        try (TableStore table = table(federation.clientConfiguration())) {
            return table.requireNewest().table().ownerOf(path).equals(nameservice);
        }
    }

    /** A file that a client of the newest version makes, or of the one before; empty if it was refused. */
    private String writeDelayed() throws IOException {
        String description = "";
        for (DistributedFileSystem one : new DistributedFileSystem[] {firstOfAlice, secondOfAlice}) {
            // No client goes to the target by a version that is not there.
            if (one != firstOfAlice && isOwner("ns1")) {
                continue;
            }
            try {
                write(one, "/late");
                assertThat(description).as("the directory that accepted a file").isEmpty();
                description = "/late";
            } catch (AccessControlException | NSQuotaExceededException e) {
                assertThat(e).isInstanceOf(IOException.class);
            } catch (RemoteException e) {
                assertThat(e.unwrapRemoteException(SubtreeMovedException.class))
                        .isInstanceOf(SubtreeMovedException.class);
                assertThat(isOwner("ns2")).isTrue();
            }
        }
        return description;
    }

    private void write(DistributedFileSystem fileSystem, String relativePath) throws IOException {
        try (OutputStream out = fileSystem.createNonRecursive(
                new Path(path + relativePath), new FsPermission((short) 0644), false, 4096, (short) 1, 1 << 20, null)) {
            out.write(7);
        }
    }

    /** No process looks at a directory above again once it is there. */
    private void assertAncestorsAreIntact() throws IOException {
        for (Path one = new Path(path.text()).getParent(); !one.isRoot(); one = one.getParent()) {
            assertThat(second.globStatus(new Path(one.getParent(), ".trefoil-move-" + one.getName())))
                    .isNullOrEmpty();
            if (second.exists(one)) {
                FileStatus wanted = first.getFileStatus(one);
                FileStatus found = second.getFileStatus(one);
                assertThat(found.getOwner()).isEqualTo(wanted.getOwner());
                assertThat(found.getGroup()).isEqualTo(wanted.getGroup());
                assertThat(found.getPermission()).isEqualTo(wanted.getPermission());
                assertThat(second.getAclStatus(one).getEntries())
                        .isEqualTo(first.getAclStatus(one).getEntries());
            }
        }
    }

    private void assertMoved(String description) throws IOException {
        assertAncestorsAreIntact();
        assertThat(federation.frozenMarks()).isEmpty();
        assertThat(isOwner("ns2")).isTrue();
        assertThat(read(secondOfAlice, "/folder/file")).isEqualTo(7);
        if (!description.isEmpty()) {
            assertThat(read(secondOfAlice, description)).isEqualTo(7);
        }
        try (TableStore table = table(federation.clientConfiguration())) {
            assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
        }
        assertThat(second.getFileStatus(new Path(path.text())).isSnapshotEnabled())
                .isFalse();
        assertThat(first.exists(new Path(kept, "moves/current"))).isFalse();
        write(secondOfAlice, "/afterwards");
    }

    private void assertUndone() throws IOException {
        assertAncestorsAreIntact();
        assertThat(federation.frozenMarks()).isEmpty();
        assertThat(second.exists(new Path(path.text()))).isEqualTo(targetWasThere);
        assertThat(first.getFileStatus(new Path(path.text())).isSnapshotEnabled())
                .isFalse();
        assertThat(first.getQuotaUsage(new Path(path.text())).getQuota()).isNegative();
        assertThat(first.getFileStatus(new Path(path.text())).getPermission()).isEqualTo(OPEN);
        assertThat(read(firstOfAlice, "/folder/file")).isEqualTo(7);
        write(firstOfAlice, "/afterwards");
    }

    private int read(DistributedFileSystem fileSystem, String relativePath) throws IOException {
        try (InputStream in = fileSystem.open(new Path(path + relativePath))) {
            return in.read();
        } catch (FileNotFoundException e) {
            throw new AssertionError(relativePath + " is lost", e);
        }
    }
}
