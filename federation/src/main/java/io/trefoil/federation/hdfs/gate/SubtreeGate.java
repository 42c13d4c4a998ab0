/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.client.hdfs.SubtreeMovedException;
import io.trefoil.federation.client.hdfs.version.TableClientContext;
import io.trefoil.federation.gate.Change;
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
 * Lets changes of the namespace through, or holds them while their subtree is frozen; knows what was given away, and keeps what is sealed.
 *
 * <p>A change is admitted before the marks are looked at, and a freeze shuts the gate before it looks who was admitted. So a change either
 * sees the freeze, or the freeze waits for it.
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

    /** The longest wait of a freeze for changes under way: a call that HDFS executes rarely takes a second. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration LONGEST_HELD = Duration.ofSeconds(20);

    /**
     * The time for which Routers may go on asking here for what was given away: one that is not told reads its mount
     * table each minute, if that is not set otherwise, and the table has to be mirrored before.
     */
    private static final Duration ROUTERS_FOLLOW = Duration.ofMinutes(2);

    /** The caller-context field that Routers set in each of their calls for clients. */
    private static final String BY_ROUTER = "clientCallId:";

    private static final String KEPT =
            " is sealed, as its subtree was given to another nameservice or is being moved; when nobody has an"
                    + " older table the seal may be removed (docs/operating/subtrees.md, \"Removing a seal\")";

    private static final long SWEEP_MILLIS = 50;
    private static final long AGAIN_MILLIS = 1_000;

    private final NameNode nameNode;
    private final LongSupplier clockMillis;
    private final Duration patience;
    /** The users whose calls have ids in their caller contexts; null, as in HDFS, if there are none. */
    private final String[] ipProxyUsers;

    private final boolean hasAuthorizer;

    private final DeferredCalls held;
    private final InotifyEdits edits;
    private final DirectoryQuotas quotas;
    private final ScheduledExecutorService sweeper =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("mams-subtrees"));

    private final SubtreeMarks marks;
    private final InFlightChanges underWay = new InFlightChanges();

    /** The lock of changes of marks, one at a time: each of them waits for calls. */
    private final ReentrantLock orders = new ReentrantLock();

    /** The time of the next expiry; confined to the sweeper's thread, and not by the clock of freezes, which may be set back. */
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
        this(nameNode, clockMillis, PATIENCE);
    }

    /** @param patience how long a freeze waits for changes under way */
    SubtreeGate(NameNode nameNode, LongSupplier clockMillis, Duration patience) {
        this.nameNode = nameNode;
        this.clockMillis = clockMillis;
        this.patience = patience;
        this.ipProxyUsers = nameNode.getConf().getStrings(DFSConfigKeys.DFS_NAMENODE_IP_PROXY_USERS);
        this.hasAuthorizer = !nameNode.getConf()
                .getTrimmed(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY, "")
                .isEmpty();
        this.held = new DeferredCalls(nameNode, LONGEST_HELD);
        this.edits = new InotifyEdits(nameNode);
        this.quotas = new DirectoryQuotas(nameNode);
        this.marks = new SubtreeMarks(nameNode, clockMillis);
    }

    /** Begins to watch the time of freezes; once. */
    public void start() {
        held.start();
        sweeper.scheduleWithFixedDelay(
                DaemonThreads.logFailures(this::sweep), SWEEP_MILLIS, SWEEP_MILLIS, TimeUnit.MILLISECONDS);
    }

    DeferredCalls held() {
        return held;
    }

    InotifyEdits edits() {
        return edits;
    }

    DirectoryQuotas quotas() {
        return quotas;
    }

    /** The NameNode's. */
    Configuration conf() {
        return nameNode.getConf();
    }

    boolean isSuperuser() throws IOException {
        return SuperuserCheck.calls(nameNode.getNamesystem());
    }

    /** Admits a change, whatever the {@link #verdict} will be: a freeze that begins now waits for it. */
    InFlightChanges.Admission admit(Supplier<Change> change) {
        return underWay.admit(change);
    }

    /**
     * The verdict on an admitted change.
     *
     * @param isOfMove whether a move made it
     * @throws StandbyException if this NameNode is not active: it may not know all marks, and could become active before
     *     HDFS checks that
     */
    Verdict verdict(InFlightChanges.Admission admission, boolean isOfMove) throws StandbyException {
        requireActive();
        FrozenSubtrees now = marks.freezes();
        if (now.isEmpty() && !isOfMove) {
            return Verdict.PASS;
        }
        return now.verdict(admission.change());
    }

    /**
     * Why an admitted change is refused that HDFS executes beside its RPC, where none can wait: what the client may repeat, or that this
     * NameNode is not active. Empty if it is let through.
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

    /** Whether calls that only read must be asked for by {@link #verdictOfRead} or {@link #verdictOfSum}. */
    boolean mustCheckReads() {
        return marks.freezes().holdReads() && answersCalls();
    }

    /**
     * An observer holds no calls: it learns only later that a freeze has ended.
     *
     * @throws StandbyException if this is one; upon that, clients ask the active, in the end
     */
    void refuseIfObserver(String why) throws StandbyException {
        if (nameNode.isObserverState()) {
            throw new StandbyException(why);
        }
    }

    /**
     * The verdict on a call that only reads. A call that HDFS executes while its folder is being closed may still be
     * refused: no freeze waits for reads, as each of them would have to be counted.
     */
    Verdict verdictOfRead(Change read) {
        return marks.freezes().verdictOfRead(read);
    }

    /** The verdict on a call that reads everything below its paths. */
    Verdict verdictOfSum(Change sum) {
        return marks.freezes().verdictOfSum(sum);
    }

    /** Whether calls must be looked at by {@link #requireHere}: some subtree was given away, and this NameNode answers calls. */
    boolean mayHaveMoved() {
        return !marks.moved().isEmpty() && answersCalls();
    }

    /**
     * Superusers get HDFS's own answers: they deal with what is left in the folder. Not those whose client follows the table, or whose call
     * was held while the subtree was moved: they mean the subtree, wherever it is. A call that HDFS executed before, and whose answer it
     * remembers, gets that. How often a client has sent it says nothing: it counts attempts at other NameNodes, too.
     *
     * <p>A Router passes the refusal on to its client, which knows nothing of it and would fail. So for a while its calls, and those of
     * superusers, get what clients repeat; then the Router follows the table.
     *
     * <p>Of a change it must be asked after {@link #verdict}: a subtree is given away while it is frozen, and its mark is set
     * before the freeze ends. So a change that finds no freeze finds the mark.
     *
     * @throws SubtreeMovedException if one of the paths is in a subtree that belongs to another nameservice
     * @throws RetriableException with the same text, if a Router asks that may not know it yet
     */
    void requireHere(Change call) throws IOException {
        for (String path : call.paths()) {
            for (String folder : marks.moved().above(path)) {
                Optional<MovedMark> mark = marks.of(folder);
                boolean mayFollow = mark.isPresent() && isFollowingRouter();
                if (mark.isPresent() && (mayFollow || namesSubtree() || !isSuperuser()) && !wasExecuted()) {
                    IOException moved = SubtreeMovedException.of(
                            folder, mark.get().owner(), mark.get().version());
                    throw mayFollow ? new RetriableException(moved.getMessage()) : moved;
                }
            }
        }
    }

    /**
     * Checks that a call deletes or renames no folder of an entry, nor one above it: clients of the table could no
     * longer list what is around it. The same holds for a folder that a seal or a move keeps, and for {@link
     * FederationDirectories}. Superusers are refused as well, as with snapshots; moves deal with what is in such a folder.
     *
     * @param paths what the call deletes or renames
     * @throws IOException if one of the paths is such a folder; the text says what to do
     */
    void requireRemovable(Collection<String> paths) throws IOException {
        EntryDirectories entries = marks.entries();
        SealedDirectories sealed = marks.sealed();
        for (String path : located(paths)) {
            Optional<String> why = FederationDirectories.removalRefusal(path);
            if (!why.isPresent()) {
                why = entries.removalRefusal(path);
            }
            if (!why.isPresent()) {
                why = sealedIn(sealed, path)
                        .map(folder -> path + " is neither deleted nor renamed, as " + folder + KEPT);
            }
            if (why.isPresent() && !wasExecuted()) {
                throw new IOException(why.get());
            }
        }
    }

    private Optional<String> sealedIn(SealedDirectories sealed, String path) throws IOException {
        for (String folder : sealed.in(path)) {
            if (marks.isSealed(folder)) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    /**
     * Checks that a call replaces no folder that a seal or a move keeps, unless the move itself replaces it.
     *
     * @param by the path of what would be there then
     * @throws IOException if that is so
     */
    void requireReplaceable(String path, String by) throws IOException {
        SealedDirectories sealed = marks.sealed();
        if (sealed.isEmpty()) {
            return;
        }
        for (String replaced : located(Collections.singleton(path))) {
            boolean isMoves = located(Collections.singleton(by)).contains(SealMark.replacement(replaced));
            if (sealedIn(sealed, replaced).isPresent() && !(isMoves && isSuperuser()) && !wasExecuted()) {
                throw new IOException(replaced + " is not replaced, as it" + KEPT);
            }
        }
    }

    private Collection<String> located(Collection<String> paths) {
        List<String> located = new ArrayList<>();
        paths.forEach(path -> located.add(marks.located(path)));
        return Change.of(located, Optional.empty()).paths();
    }

    /** Whether calls that read must be looked at by {@link #requireOpen}: an authorizer may let clients into what is closed by its bits. */
    boolean mustCheckAccess() {
        return hasAuthorizer && mayBeClosed();
    }

    /** Whether calls that change something must be looked at by {@link #requireOpen}. */
    boolean mayBeClosed() {
        return !marks.sealed().isEmpty() && answersCalls();
    }

    /**
     * Checks that a call of a non-superuser concerns no folder that a move has closed, nor, if there is an authorizer,
     * what is in one. While the bits of such a folder let no user in, only superusers change it, and not even its owner
     * does, whatever an authorizer says.
     *
     * @param paths of what the call needs a permission for
     */
    void requireOpen(Collection<String> paths) throws IOException {
        for (String path : located(paths)) {
            for (String folder : marks.sealed().enclosing(path)) {
                // Without an authorizer HDFS keeps others from what is in it.
                boolean isConcerned = hasAuthorizer || folder.equals(path);
                if (isConcerned && marks.isClosed(folder) && !isSuperuser() && !wasExecuted()) {
                    throw new AccessControlException(
                            "Permission denied: " + folder + " is closed while its subtree is moved");
                }
            }
        }
    }

    /**
     * Waits until those changes have ended that passed before a folder was sealed, and may remove it.
     *
     * @throws RetriableException if one has not in time; the folder is sealed
     */
    void awaitRemovals(String folder) throws IOException {
        for (String sealed : located(Collections.singleton(folder))) {
            try {
                underWay.awaitEnd(
                        change -> change.paths().stream().anyMatch(path -> NormalizedPath.contains(path, sealed)),
                        patience);
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                throw new RetriableException(e.getMessage());
            }
        }
    }

    private boolean isFollowingRouter() {
        // A clock that was set back must not have clients come back for longer.
        long millis = Math.abs(clockMillis.getAsLong() - marks.movedSinceMillis());
        return millis < ROUTERS_FOLLOW.toMillis() && hasCallerContext(context -> context.contains(BY_ROUTER));
    }

    private boolean answersCalls() {
        return nameNode.isActiveState() || nameNode.isObserverState();
    }

    private static boolean namesSubtree() {
        Server.Call call = Server.getCurCall().get();
        return (call instanceof ForwardedCall && ((ForwardedCall) call).isLocal()) || followsTable();
    }

    private static boolean followsTable() {
        return hasCallerContext(TableClientContext::isIn);
    }

    /** Whether the context of the call that this thread executes has something. */
    private static boolean hasCallerContext(Predicate<String> something) {
        CallerContext context = CallerContext.getCurrent();
        return context != null && context.isContextValid() && something.test(context.getContext());
    }

    private boolean wasExecuted() {
        return RetriedCall.wasExecuted(nameNode.getNamesystem().getRetryCache(), ipProxyUsers);
    }

    private void requireActive() throws StandbyException {
        if (!nameNode.isActiveState()) {
            throw new StandbyException("Operation category WRITE is not supported: this NameNode is not active");
        }
    }

    /** Executes what writes a mark: others wait before it does, and those under way have ended. */
    <T, E extends Exception> T freeze(FrozenMark mark, Execution<T, E> write) throws E, IOException {
        take();
        try {
            requireActive();
            Optional<String> whyNot = marks.freezes().freezeRefusal(mark, clockMillis.getAsLong());
            if (whyNot.isPresent()) {
                throw new IOException("Not frozen for move " + mark.move() + ": " + whyNot.get());
            }
            marks.change(now -> now.began(mark));
            try {
                underWay.awaitEnd(
                        change -> !change.move().filter(mark.move()::equals).isPresent()
                                && change.paths().stream().anyMatch(mark::concerns),
                        patience);
                return write.run();
            } finally {
                marks.changeWithMarks(now -> now.hasBegun(mark));
                releaseIfNoFreeze();
            }
        } finally {
            orders.unlock();
        }
    }

    /** Executes what removes a mark: its mover is refused before it does, and its calls under way have ended. */
    <T, E extends Exception> T thaw(String move, Execution<T, E> remove) throws E, IOException {
        take();
        try {
            requireActive();
            Optional<FrozenMark> standing = marks.freezes().standing(move);
            if (!standing.isPresent()) {
                return remove.run();
            }
            FrozenMark mark = standing.get();
            marks.change(now -> now.ends(mark));
            try {
                underWay.awaitEnd(change -> change.move().filter(move::equals).isPresent(), patience);
                return remove.run();
            } finally {
                FrozenSubtrees left = marks.changeWithMarks(now -> now.hasEnded(mark));
                // A call that another freeze concerns as well is asked to come back.
                if (!left.standing(move).isPresent()) {
                    held.release();
                }
            }
        } finally {
            orders.unlock();
        }
    }

    /**
     * Waits for the calls that it let through when this NameNode was active before, 5 s at most; to be called before it
     * becomes active again. Meanwhile another NameNode was, and a subtree may have been frozen there.
     */
    public void awaitEarlierCalls() {
        try {
            underWay.awaitEnd(change -> true, patience);
        } catch (IOException e) {
            // A group without an active is worse. HDFS refused the call while this NameNode was not active.
            LOG.warn(
                    "This NameNode becomes active again while a call that it let through before is under way"
                            + "; no action needed: HDFS itself refused that call meanwhile",
                    e);
        }
    }

    private void take() throws IOException {
        try {
            if (!orders.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new RetriableException("Another freeze is beginning or ending");
            }
        } catch (InterruptedException e) {
            throw InFlightChanges.stopping(e);
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

    /** Ends a freeze whose mover did not. The mark goes first, into the journal: no later active may believe the mover again. */
    private void expire(FrozenMark mark, long nowMillis) {
        LOG.warn(
                "Thawing path={} frozen by move={}: its freeze has expired or has remainingMillis={}, "
                        + "more than any freeze may have; do: 'hdfs trefoil subtree status' shows that move",
                mark.path(),
                mark.move(),
                mark.expiryMillis() - nowMillis);
        XAttr attribute = XAttrHelper.buildXAttr(mark.name());
        try {
            thaw(
                    mark.move(),
                    () -> SecurityUtil.doAsLoginUser((PrivilegedExceptionAction<Boolean>) () -> {
                        nameNode.getRpcServer().removeXAttr(FrozenMark.FOLDER, attribute);
                        return true;
                    }));
        } catch (IOException e) {
            expireAgainNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLIS);
            LOG.warn(
                    "path={} is still frozen by move={}; do: 'hdfs trefoil subtree status' shows that move",
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
