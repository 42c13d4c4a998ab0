/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.client.hdfs.version.TableClientContext;
import io.trefoil.federation.gate.AccessedPaths;
import io.trefoil.federation.gate.EntryDirectories;
import io.trefoil.federation.gate.FederationDirectories;
import io.trefoil.federation.gate.FrozenSubtrees;
import io.trefoil.federation.gate.SealedDirectories;
import io.trefoil.federation.gate.Verdict;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.NormalizedPath;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.ha.hdfs.forward.DeferredCalls;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.SuperuserCheck;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ForwardedCall;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RetriedCall;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits changes of the namespace, or holds them while their subtree is frozen; knows which subtrees were handed over, and protects sealed
 * directories.
 *
 * <p>A change is admitted before the marks are looked at, and a freeze shuts the gate before it looks which changes were admitted. So a
 * change either sees the freeze, or the freeze waits for it.
 *
 * <p>Thread-safe. It holds no lock of its own while HDFS executes anything but a change of the marks.
 *
 * <p>Uses {@code NameNode.isActiveState}, {@code isObserverState}, {@code getNamesystem}, {@code getRpcServer}, {@code
 * getConf}; {@code Configuration.getStrings}, {@code getTrimmed}; {@code FSNamesystem.getRetryCache}; {@code
 * NameNodeRpcServer.removeXAttr}; {@code XAttrHelper}; {@code CallerContext.getCurrent}; {@code Server.getCurCall};
 * {@code AccessControlException}.
 */
public final class SubtreeGate implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SubtreeGate.class);

    /** The longest time that a freeze waits for changes in progress: HDFS rarely takes a second to execute a call. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private static final Duration HOLD_TIMEOUT = Duration.ofSeconds(20);

    /**
     * How long Routers may continue to ask here for subtrees that were handed over: a Router that is not notified reads its mount table
     * each minute by default, and the table must be mirrored first.
     */
    private static final Duration ROUTERS_FOLLOW = Duration.ofMinutes(2);

    /** The caller-context field that Routers set in each of their calls for clients. */
    private static final String ROUTER_CONTEXT_FIELD = "clientCallId:";

    private static final String KEPT =
            " is sealed, as its subtree was given to another nameservice or is being moved; when no client has an"
                    + " older table the seal may be removed (docs/operating/subtrees.md, \"Removing a seal\")";

    private static final long SWEEP_MILLIS = 50;
    private static final long AGAIN_MILLIS = 1_000;

    private final NameNode nameNode;
    private final LongSupplier clockMillis;
    private final Duration timeout;
    /** The users whose calls have ids in their caller contexts; null, as in HDFS, if there are none. */
    private final String[] ipProxyUsers;

    private final boolean hasAuthorizer;

    private final DeferredCalls held;
    private final InotifyEdits edits;
    private final DirectoryQuotas quotas;
    private final ScheduledExecutorService sweeper =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("mams-subtrees"));

    private final SubtreeMarks marks;
    private final InFlightChanges underWay = new InFlightChanges();

    /** The lock that serializes changes of marks, as each of them waits for calls. */
    private final ReentrantLock orders = new ReentrantLock();

    /** The time of the next expiry; confined to the sweeper's thread, and independent of the clock of freezes, which may be set back. */
    private long expireAgainNanos = System.nanoTime();

    /** @param <T> what the execution returns, @param <E> what it throws */
    interface Execution<T, E extends Exception> {
        T run() throws E, IOException;
    }

    public SubtreeGate(NameNode nameNode) {
        this(nameNode, System::currentTimeMillis);
    }

    /** @param clockMillis by which the time of a freeze is judged, in ms since 1970; any thread calls it */
    public SubtreeGate(NameNode nameNode, LongSupplier clockMillis) {
        this(nameNode, clockMillis, TIMEOUT);
    }

    /** @param timeout how long a freeze waits for changes in progress */
    SubtreeGate(NameNode nameNode, LongSupplier clockMillis, Duration timeout) {
        this.nameNode = nameNode;
        this.clockMillis = clockMillis;
        this.timeout = timeout;
        this.ipProxyUsers = nameNode.getConf().getStrings(DFSConfigKeys.DFS_NAMENODE_IP_PROXY_USERS);
        this.hasAuthorizer = !nameNode.getConf()
                .getTrimmed(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY, "")
                .isEmpty();
        this.held = new DeferredCalls(nameNode, HOLD_TIMEOUT);
        this.edits = new InotifyEdits(nameNode);
        this.quotas = new DirectoryQuotas(nameNode);
        this.marks = new SubtreeMarks(nameNode, clockMillis);
    }

    /** Starts watching for freezes that expire; must be called once. */
    public void start() {
        held.start();
        sweeper.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::sweep), SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    DeferredCalls heldCalls() {
        return held;
    }

    InotifyEdits edits() {
        return edits;
    }

    DirectoryQuotas quotas() {
        return quotas;
    }

    /** The NameNode's configuration. */
    Configuration conf() {
        return nameNode.getConf();
    }

    boolean isSuperuser() throws IOException {
        return SuperuserCheck.calls(nameNode.getNamesystem());
    }

    /** Admits a change, whatever its {@link #verdict} will be: a freeze that begins now waits for it. */
    InFlightChanges.Admission admit(Supplier<AccessedPaths> change) {
        return underWay.admit(change);
    }

    /**
     * The verdict on an admitted change.
     *
     * @param isMoveCall whether a move made it
     * @throws StandbyException if this NameNode is not active: it may not know all marks, and could become active before
     *     HDFS checks that
     */
    Verdict verdict(InFlightChanges.Admission admission, boolean isMoveCall) throws StandbyException {
        requireActive();
        FrozenSubtrees now = marks.freezes();
        if (now.isEmpty() && !isMoveCall) {
            return Verdict.PASS;
        }
        return now.verdict(admission.change());
    }

    /**
     * Returns why an admitted change outside HDFS's RPC, where none can wait, is refused: the client may retry it, or this NameNode is not
     * active. Empty if it is let through.
     */
    Optional<IOException> refusal(InFlightChanges.Admission admission) {
        try {
            Verdict verdict = verdict(admission, false);
            return verdict.kind() == Verdict.Kind.PASS
                    ? Optional.empty()
                    : Optional.of(new RetriableException(verdict.refusal()));
        } catch (StandbyException e) {
            return Optional.of(e);
        }
    }

    /** Whether read-only calls need a verdict by {@link #verdictOfRead} or {@link #verdictOfSum}. */
    boolean mustCheckReads() {
        return marks.freezes().mayHoldReads() && answersCalls();
    }

    /**
     * Refuses a call on an observer, which holds no calls: it learns only later that a freeze has ended.
     *
     * @throws StandbyException if this is one; upon that, clients ask the active, in the end
     */
    void refuseIfObserver(String reason) throws StandbyException {
        if (nameNode.isObserverState()) {
            throw new StandbyException(reason);
        }
    }

    /**
     * The verdict on a read-only call. A call that HDFS executes while its directory is being closed may still be
     * refused: no freeze waits for reads, as each of them would have to be counted.
     */
    Verdict verdictOfRead(AccessedPaths read) {
        return marks.freezes().verdictOfRead(read);
    }

    /** The verdict on a call that reads everything below its paths. */
    Verdict verdictOfSum(AccessedPaths sum) {
        return marks.freezes().verdictOfSum(sum);
    }

    /** Whether calls must be checked by {@link #requireOwnedHere}: some subtree was handed over, and this NameNode answers calls. */
    boolean hasMovedSubtrees() {
        return !marks.movedDirectories().isEmpty() && answersCalls();
    }

    /**
     * Checks that a call concerns no subtree that was handed over; superusers get HDFS's own answers, as they deal with the remains of the
     * directory. Not those whose client follows the table, or whose call was held while the subtree was moved: they mean the subtree,
     * wherever it is. A call with an answer in HDFS's retry cache gets that answer. How often a client has sent it says nothing: it counts
     * attempts at other NameNodes, too.
     *
     * <p>A Router passes the refusal on to its client, which knows nothing of it and would fail. So for a while its calls, and those of
     * superusers, get what clients repeat; then the Router follows the table.
     *
     * <p>Of a change it must be asked after {@link #verdict}: a subtree is handed over while it is frozen, and its mark is set
     * before the freeze ends. So a change that finds no freeze finds the mark.
     *
     * @throws SubtreeMovedException if one of the paths is in a subtree that belongs to another nameservice
     * @throws RetriableException with the same text, if a Router asks that may not know it yet
     */
    void requireOwnedHere(AccessedPaths call) throws IOException {
        for (String path : call.paths()) {
            for (String directory : marks.movedDirectories().ancestorsOf(path)) {
                Optional<MovedMark> mark = marks.movedMarkOf(directory);
                boolean mayFollow = mark.isPresent() && isRouterCallShortlyAfterMove();
                if (mark.isPresent() && (mayFollow || callerNamesSubtree() || !isSuperuser()) && !wasCallExecuted()) {
                    IOException moved = SubtreeMovedException.of(
                            directory, mark.get().owner(), mark.get().version());
                    throw mayFollow ? new RetriableException(moved.getMessage()) : moved;
                }
            }
        }
    }

    /**
     * Checks that a call deletes or renames no directory of an entry, nor one above it: clients of the table could no longer list its
     * parent. The same holds for a directory that a seal or a move keeps, and for {@link FederationDirectories}. Superusers are refused as
     * well, as with snapshots; moves deal with what is in such a directory.
     *
     * @param paths what the call deletes or renames
     * @throws IOException if one of the paths is such a directory; the text says what to do
     */
    void requireRemovable(Collection<String> paths) throws IOException {
        EntryDirectories entries = marks.entryDirectories();
        SealedDirectories sealedDirectories = marks.sealedDirectories();
        for (String path : resolveInodePaths(paths)) {
            Optional<String> reason = FederationDirectories.removalRefusal(path);
            if (!reason.isPresent()) {
                reason = entries.removalRefusal(path);
            }
            if (!reason.isPresent()) {
                reason = findSealedBelow(sealedDirectories, path)
                        .map(directory -> path + " is neither deleted nor renamed, as " + directory + KEPT);
            }
            if (reason.isPresent() && !wasCallExecuted()) {
                throw new IOException(reason.get());
            }
        }
    }

    private Optional<String> findSealedBelow(SealedDirectories sealedDirectories, String path) throws IOException {
        for (String directory : sealedDirectories.atOrBelow(path)) {
            if (marks.isSealed(directory)) {
                return Optional.of(directory);
            }
        }
        return Optional.empty();
    }

    /**
     * Checks that a call replaces no directory that a seal or a move protects, unless the move itself replaces it.
     *
     * @param replacement the path of what would be there then
     * @throws IOException if that is so
     */
    void requireReplaceable(String path, String replacement) throws IOException {
        SealedDirectories sealedDirectories = marks.sealedDirectories();
        if (sealedDirectories.isEmpty()) {
            return;
        }
        for (String replaced : resolveInodePaths(Collections.singleton(path))) {
            boolean isMoves =
                    resolveInodePaths(Collections.singleton(replacement)).contains(SealMark.replacementPath(replaced));
            if (findSealedBelow(sealedDirectories, replaced).isPresent()
                    && !(isMoves && isSuperuser())
                    && !wasCallExecuted()) {
                throw new IOException(replaced + " is not replaced, as it" + KEPT);
            }
        }
    }

    private Collection<String> resolveInodePaths(Collection<String> paths) {
        List<String> located = new ArrayList<>();
        paths.forEach(path -> located.add(marks.resolveInodePath(path)));
        return AccessedPaths.of(located, Optional.empty()).paths();
    }

    /**
     * Whether reads must be checked by {@link #requireNotClosed}: an authorizer may admit clients to directories that are closed by their
     * permission bits.
     */
    boolean mustCheckAccess() {
        return hasAuthorizer && mayBeClosed();
    }

    /** Whether changes must be checked by {@link #requireNotClosed}. */
    boolean mayBeClosed() {
        return !marks.sealedDirectories().isEmpty() && answersCalls();
    }

    /**
     * Checks that a call of a non-superuser concerns no directory that a move has closed, nor, if there is an authorizer, anything inside
     * one. While the bits of such a directory let no user in, only superusers change it, and not even its owner does, whatever an
     * authorizer says.
     *
     * @param paths of what the call needs a permission for
     */
    void requireNotClosed(Collection<String> paths) throws IOException {
        for (String path : resolveInodePaths(paths)) {
            for (String directory : marks.sealedDirectories().atOrAbove(path)) {
                // Without an authorizer HDFS keeps others from what is in it.
                boolean isConcerned = hasAuthorizer || directory.equals(path);
                if (isConcerned && marks.isClosed(directory) && !isSuperuser() && !wasCallExecuted()) {
                    throw new AccessControlException(
                            "Permission denied: " + directory + " is closed while its subtree is moved");
                }
            }
        }
    }

    /**
     * Waits for changes that were admitted before the directory was sealed and that might still remove it.
     *
     * @throws RetriableException if one has not in time; the directory is sealed
     */
    void awaitRemovals(String directory) throws IOException {
        for (String sealed : resolveInodePaths(Collections.singleton(directory))) {
            try {
                underWay.awaitEnd(
                        callPaths -> callPaths.paths().stream().anyMatch(path -> NormalizedPath.contains(path, sealed)),
                        timeout);
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                throw new RetriableException(e.getMessage());
            }
        }
    }

    private boolean isRouterCallShortlyAfterMove() {
        // A clock that was set back must not have clients come back for longer.
        long millis = Math.abs(clockMillis.getAsLong() - marks.movedChangedAtMillis());
        return millis < ROUTERS_FOLLOW.toMillis()
                && hasCallerContext(context -> context.contains(ROUTER_CONTEXT_FIELD));
    }

    private boolean answersCalls() {
        return nameNode.isActiveState() || nameNode.isObserverState();
    }

    private static boolean callerNamesSubtree() {
        Server.Call call = Server.getCurCall().get();
        return (call instanceof ForwardedCall && ((ForwardedCall) call).isLocal()) || callerFollowsTable();
    }

    private static boolean callerFollowsTable() {
        return hasCallerContext(TableClientContext::isPresentIn);
    }

    /** Whether the caller context of the call that this thread is executing contains a field. */
    private static boolean hasCallerContext(Predicate<String> contextFilter) {
        CallerContext context = CallerContext.getCurrent();
        return context != null && context.isContextValid() && contextFilter.test(context.getContext());
    }

    private boolean wasCallExecuted() {
        return RetriedCall.wasExecuted(nameNode.getNamesystem().getRetryCache(), ipProxyUsers);
    }

    private void requireActive() throws StandbyException {
        if (!nameNode.isActiveState()) {
            throw new StandbyException("Operation category WRITE is not supported: this NameNode is not active");
        }
    }

    /** Executes a call that writes a mark, after holding other calls and waiting for those in progress. */
    <T, E extends Exception> T freezeAndRun(FrozenMark mark, Execution<T, E> write) throws E, IOException {
        acquireOrderLock();
        try {
            requireActive();
            Optional<String> whyNot = marks.freezes().freezeRefusal(mark, clockMillis.getAsLong());
            if (whyNot.isPresent()) {
                throw new IOException("Not frozen for move " + mark.move() + ": " + whyNot.get());
            }
            marks.changeFreezes(now -> now.withFreezeBeginning(mark));
            try {
                underWay.awaitEnd(
                        callPaths ->
                                !callPaths.move().filter(mark.move()::equals).isPresent()
                                        && callPaths.paths().stream().anyMatch(mark::overlaps),
                        timeout);
                return write.run();
            } finally {
                marks.changeFreezesWithMarks(now -> now.withoutBeginning(mark));
                releaseIfNoFreeze();
            }
        } finally {
            orders.unlock();
        }
    }

    /** Executes a call that removes a mark, after refusing its mover and waiting for the mover's calls in progress. */
    <T, E extends Exception> T thaw(String move, Execution<T, E> remove) throws E, IOException {
        acquireOrderLock();
        try {
            requireActive();
            Optional<FrozenMark> standing = marks.freezes().activeFreeze(move);
            if (!standing.isPresent()) {
                return remove.run();
            }
            FrozenMark mark = standing.get();
            marks.changeFreezes(now -> now.withFreezeEnding(mark));
            try {
                underWay.awaitEnd(
                        callPaths -> callPaths.move().filter(move::equals).isPresent(), timeout);
                return remove.run();
            } finally {
                FrozenSubtrees left = marks.changeFreezesWithMarks(now -> now.withoutEnding(mark));
                // A call that another freeze concerns as well is asked to come back.
                if (!left.activeFreeze(move).isPresent()) {
                    held.release();
                }
            }
        } finally {
            orders.unlock();
        }
    }

    /**
     * Waits for the calls that were admitted when this NameNode was active before, 5 s at most; must be called before it becomes active
     * again. Meanwhile another NameNode was, and a subtree may have been frozen there.
     */
    public void awaitEarlierCalls() {
        try {
            underWay.awaitEnd(callPaths -> true, timeout);
        } catch (IOException e) {
            // A group without an active is worse. HDFS refused the call while this NameNode was not active.
            LOG.warn(
                    "A call admitted in an earlier term is still running while this NameNode becomes active "
                            + "again; no action needed: HDFS itself rejects that call",
                    e);
        }
    }

    private void acquireOrderLock() throws IOException {
        try {
            if (!orders.tryLock(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new RetriableException("Another freeze is beginning or ending");
            }
        } catch (InterruptedException e) {
            throw InFlightChanges.toInterruptedIoException(e);
        }
    }

    private void releaseIfNoFreeze() {
        if (marks.freezes().isEmpty()) {
            held.release();
        }
    }

    private void sweep() {
        if (!nameNode.isActiveState()) {
            // The next active holds them again.
            held.release();
            return;
        }
        long nowMillis = clockMillis.getAsLong();
        for (FrozenMark mark : marks.freezes().expired(nowMillis)) {
            if (System.nanoTime() - expireAgainNanos >= 0) {
                expire(mark, nowMillis);
            }
        }
        releaseIfNoFreeze();
        held.sweep();
    }

    /** Ends a freeze that its mover did not end. The mark goes first, into the journal: no later active may believe the mover again. */
    private void expire(FrozenMark mark, long nowMillis) {
        LOG.warn(
                "Thawing path={} frozen by move={}: the freeze has expired, or its remainingMillis={} "
                        + "exceeds the maximum; do: check that move with 'hdfs trefoil subtree status'",
                mark.path(),
                mark.move(),
                mark.expiryMillis() - nowMillis);
        XAttr attribute = XAttrHelper.buildXAttr(mark.name());
        try {
            thaw(
                    mark.move(),
                    () -> SecurityUtil.doAsLoginUser((PrivilegedExceptionAction<Boolean>) () -> {
                        nameNode.getRpcServer().removeXAttr(FrozenMark.DIRECTORY, attribute);
                        return true;
                    }));
        } catch (IOException e) {
            expireAgainNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLIS);
            LOG.warn(
                    "path={} is still frozen by move={}; do: check that move with 'hdfs trefoil subtree status'",
                    mark.path(),
                    mark.move(),
                    e);
        }
    }

    @Override
    public void close() {
        sweeper.shutdownNow();
        held.close();
    }
}
