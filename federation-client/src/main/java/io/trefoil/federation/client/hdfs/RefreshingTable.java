/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import io.trefoil.client.CoalescedCheck;
import io.trefoil.client.hdfs.JitteredSchedule;
import io.trefoil.federation.client.hdfs.SubtreeStatistics.Count;
import io.trefoil.federation.client.hdfs.version.PathAction;
import io.trefoil.federation.client.hdfs.version.PathCall;
import io.trefoil.federation.client.hdfs.version.SubtreeView;
import io.trefoil.federation.client.hdfs.version.TableClientContext;
import io.trefoil.federation.client.hdfs.version.TableVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of the table by which one file system routes, and the policy of checking for a newer one: after a result that may
 * be due to an old version, before calls with results that could not show this, and periodically in the background. It repeats
 * only calls that were not executed, after {@link OwnerRetryPolicy} if an owner is late.
 *
 * <p>Thread-safe. A call ends with the version with which it began, and streams stay with the version that opened them;
 * only those streams keep the file systems of an old version alive.
 */
final class RefreshingTable {
    private static final Logger LOG = LoggerFactory.getLogger(RefreshingTable.class);

    private static final long IDLE_SECONDS = 5;

    /**
     * A call for which the view chooses the server.
     *
     * @param <T> the type of its result
     */
    interface Call<T> {
        T call(SubtreeView view) throws IOException;
    }

    /** A {@link Call} without a result. */
    interface Action {
        void run(SubtreeView view) throws IOException;
    }

    /**
     * Recognizes results stating that nothing existed and nothing was done, as an old version may be the reason.
     *
     * @param <T> the type of the results
     */
    interface StaleResultCheck<T> {
        boolean isStale(T result) throws IOException;
    }

    /** The nameservice that keeps the table. */
    interface Source {
        /**
         * The time at which the table's directory was last changed; one cheap call. Equal times do not mean equal
         * versions: HDFS lets the time only grow, so a version leaves it unchanged if a NameNode whose clock was ahead
         * has set it before.
         */
        long lastChangeTime() throws IOException;

        /** Whether a version exists; one cheap call. None is ever removed. */
        boolean versionExists(int version) throws IOException;

        /** Reads the newest version, as the file system's user. */
        SubtreeView readNewest() throws IOException;

        /**
         * The contents of earlier versions, newest first, as far back as later ones may have handed over directories that are not open yet;
         * empty if the given version is so old that all are open. A version that cannot be read is left out, with those before it.
         *
         * @param changedAt when the table's directory had been changed before this version was read
         */
        List<Map<String, String>> earlierContents(SubtreeView version, long changedAt);
    }

    private final String name;
    private final Source source;
    private final boolean isFixed;
    private final CoalescedCheck check = new CoalescedCheck(this::refreshInBackground, newRefreshExecutor());
    private final JitteredSchedule schedule;
    private final long checkTimeoutNanos;
    private final LongSupplier nanoTime;
    private final SubtreeStatistics statistics = SubtreeStatistics.ofProcess();
    private volatile TableVersion current;

    // Guarded by this.
    private final List<WeakReference<DFSClient>> retired = new ArrayList<>();
    private boolean isClosed;
    private boolean verifiesChecksums = true;
    private boolean writesChecksums = true;

    private RefreshingTable(
            String name,
            Source source,
            boolean isFixed,
            Duration refresh,
            Duration checkTimeout,
            LongSupplier nanoTime,
            TableVersion first) {
        this.name = name;
        this.source = source;
        this.isFixed = isFixed;
        this.schedule = new JitteredSchedule(refresh.toNanos());
        this.checkTimeoutNanos = checkTimeout.toNanos();
        this.nanoTime = nanoTime;
        this.current = first;
    }

    /**
     * @param refresh how often to look without a specific reason
     * @param checkTimeout how long a call waits for a look that it requested
     * @throws IOException if the table cannot be read
     */
    static RefreshingTable follow(String name, Source source, Duration refresh, Duration checkTimeout)
            throws IOException {
        return follow(name, source, refresh, checkTimeout, System::nanoTime);
    }

    /** @param nanoTime the clock that measures how long a call has waited */
    static RefreshingTable follow(
            String name, Source source, Duration refresh, Duration checkTimeout, LongSupplier nanoTime)
            throws IOException {
        // In this order: a change in between is read now, and once more by the next check.
        long changedAt = source.lastChangeTime();
        SubtreeView view = source.readNewest();
        boolean isFixed = !view.followsTable(name);
        long readAt = nanoTime.getAsLong();
        TableVersion first = isFixed
                ? TableVersion.firstVersion(changedAt, view, readAt)
                : TableVersion.firstVersion(source.earlierContents(view, changedAt), changedAt, view, readAt);
        return new RefreshingTable(name, source, isFixed, refresh, checkTimeout, nanoTime, first);
    }

    /** Creates the table of a single nameservice that has none. */
    static RefreshingTable fixed(SubtreeView view) {
        Source none = new Source() {
            @Override
            public long lastChangeTime() {
                return 0;
            }

            @Override
            public boolean versionExists(int version) {
                return false;
            }

            @Override
            public SubtreeView readNewest() {
                return view;
            }

            @Override
            public List<Map<String, String>> earlierContents(SubtreeView version, long changedAt) {
                return Collections.emptyList();
            }
        };
        Duration never = Duration.ofDays(1);
        TableVersion only = TableVersion.firstVersion(0, view, System.nanoTime());
        return new RefreshingTable("", none, true, never, never, System::nanoTime, only);
    }

    /** An executor of one thread, which stays while checks follow each other, as in a program that looks for many missing files. */
    private static Executor newRefreshExecutor() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "trefoil-subtrees");
                    thread.setDaemon(true);
                    return thread;
                });
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    /** Whether there is no table, but a single nameservice. */
    boolean isFixed() {
        return isFixed;
    }

    /** The current view, for calls that do not depend on the table. */
    SubtreeView currentView() {
        return currentVersion().view();
    }

    /** The view after a check, for calls whose results we do not see, or that have no path; as recent as the table's nameservice allows. */
    SubtreeView refreshedView() {
        TableVersion version = currentVersion();
        if (isFixed) {
            return version.view();
        }
        refreshBeforeCall();
        return current.view();
    }

    private void refreshBeforeCall() {
        try {
            refreshWithin(checkTimeoutNanos);
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Performs an administrator's call, which a seal would not refuse, after a check for a newer version. The look may
     * fail, and the path may be handed over just after it, which a NameNode may say as to any other call.
     */
    <T> T callFresh(Path path, Call<T> call) throws IOException {
        if (!isFixed) {
            refreshBeforeCall();
        }
        return call(path, call);
    }

    <T> T callFresh(Path path, PathCall<T> call) throws IOException {
        return callFresh(path, view -> view.call(path, call));
    }

    /** Performs {@link #callFresh} without a result. */
    void runFresh(Path path, PathAction action) throws IOException {
        callFresh(path, (client, there) -> {
            action.run(client, there);
            return true;
        });
    }

    /** Whether both paths have the same owner; if not, checks again with a fresh version. */
    boolean haveSameOwner(Path one, Path otherPath) {
        return isFixed
                || currentView().haveSameOwner(one, otherPath)
                || refreshedView().haveSameOwner(one, otherPath);
    }

    void run(Path path, Action action) throws IOException {
        call(path, view -> {
            action.run(view);
            return true;
        });
    }

    void run(Path path, PathAction action) throws IOException {
        run(path, view -> view.run(path, action));
    }

    <T> T call(Path path, Call<T> call) throws IOException {
        return call(path, call, result -> false);
    }

    <T> T call(Path path, PathCall<T> call) throws IOException {
        return call(path, call, result -> false);
    }

    <T> T call(Path path, PathCall<T> call, StaleResultCheck<T> staleResultCheck) throws IOException {
        return call(path, view -> view.call(path, call), staleResultCheck);
    }

    /** @param path that the call is for: subtrees handed over elsewhere are not waited for */
    <T> T call(Path path, Call<T> call, StaleResultCheck<T> staleResultCheck) throws IOException {
        return isFixed
                ? callOnlyOwner(call)
                : call(currentVersion(), call, staleResultCheck, retryPolicy(Collections.singletonList(path)));
    }

    /**
     * Performs a call that a NameNode answers whatever the directory's permission, once the directory is open. Until a
     * subtree's own directory is open, the answer would show the state of the closed directory.
     */
    <T> T callWhenOpen(Path path, Call<T> call) throws IOException {
        T found = call(path, call);
        OwnerRetryPolicy retryPolicy = retryPolicy(Collections.singletonList(path));
        while (!isFixed && retryPolicy.awaitOwnOpening(current)) {
            found = call(current, call, result -> false, retryPolicy);
        }
        return found;
    }

    /**
     * Performs a call, whose answer is trusted, if an old version may be its reason, once a check that began after it found no other
     * version. Every repetition follows another version, and these are few, or a refusal that ends soon; then all that follow the same
     * version share one time limit.
     */
    private <T> T call(
            TableVersion first, Call<T> call, StaleResultCheck<T> staleResultCheck, OwnerRetryPolicy retryPolicy)
            throws IOException {
        TableVersion version = first;
        while (true) {
            TableVersion next;
            try {
                T result = callAsFollower(call, version.view());
                if (!staleResultCheck.isStale(result)) {
                    return result;
                }
                next = findNewer(version);
                if (next == version) {
                    return result;
                }
            } catch (FileNotFoundException e) {
                next = findNewer(version);
                if (next == version) {
                    throw e;
                }
            } catch (AccessControlException e) {
                next = findNewer(version);
                if (next == version && !retryPolicy.awaitOpening(version)) {
                    throw e;
                }
            } catch (RemoteException e) {
                next = retryPolicy.versionAfterMove(version, e);
            }
            countIfNewer(version, next);
            version = next;
        }
    }

    /**
     * Performs a call in the caller context of a client that follows the table, so that the old owner refuses a
     * superuser's call too, instead of executing it on the remains.
     */
    private static <T> T callAsFollower(Call<T> call, SubtreeView view) throws IOException {
        CallerContext users = CallerContext.getCurrent();
        CallerContext.setCurrent(TableClientContext.mergedWith(users));
        try {
            return call.call(view);
        } finally {
            CallerContext.setCurrent(users);
        }
    }

    /** Performs a call on the only owner. There is no table to follow if that owner has given the call's path away. */
    private <T> T callOnlyOwner(Call<T> call) throws IOException {
        try {
            return call.call(current.view());
        } catch (RemoteException e) {
            throw e.unwrapRemoteException(SubtreeMovedException.class);
        }
    }

    private OwnerRetryPolicy retryPolicy(List<Path> paths) {
        return new OwnerRetryPolicy(paths, this::findNewer, checkTimeoutNanos, nanoTime);
    }

    private void countIfNewer(TableVersion before, TableVersion next) {
        if (next != before) {
            statistics.increment(Count.REPEATED);
        }
    }

    void runCreating(List<Path> paths, Action action) throws IOException {
        create(
                paths,
                view -> {
                    action.run(view);
                    return true;
                },
                result -> false);
    }

    <T> T create(Path path, Call<T> call) throws IOException {
        return create(Collections.singletonList(path), call, result -> false);
    }

    <T> T create(Path path, PathCall<T> call) throws IOException {
        return create(path, view -> view.call(path, call));
    }

    /** Performs a call that a seal refuses only in a hashed directory, where the call creates its own parts. */
    void change(Path path, PathAction action) throws IOException {
        create(path, (client, there) -> {
            action.run(client, there);
            return true;
        });
    }

    /**
     * Performs a call that a seal refuses before it is executed.
     *
     * @param paths that the call names; the first is the one that a directory gets
     */
    <T> T create(List<Path> paths, Call<T> call, StaleResultCheck<T> staleResultCheck) throws IOException {
        if (isFixed) {
            return callOnlyOwner(call);
        }
        TableVersion version = currentVersion();
        OwnerRetryPolicy retryPolicy = retryPolicy(paths);
        while (true) {
            try {
                return call(version, call, staleResultCheck, retryPolicy);
            } catch (NSQuotaExceededException refusal) {
                TableVersion next = retryPolicy.versionAfterSeal(version, refusal);
                countIfNewer(version, next);
                version = next;
            }
        }
    }

    private TableVersion currentVersion() {
        if (isFixed) {
            return current;
        }
        statistics.increment(Count.CALLS);
        if (schedule.isDue()) {
            check.request();
        }
        return current;
    }

    /**
     * A version other than the one with which an answer was obtained; the same one if a check that began after the answer found no
     * other, or the nameservice of the table does not answer.
     */
    private TableVersion findNewer(TableVersion version) throws InterruptedIOException {
        return findNewer(version, checkTimeoutNanos);
    }

    private TableVersion findNewer(TableVersion version, long withinNanos) throws InterruptedIOException {
        if (current.hasSameView(version)) {
            refreshWithin(withinNanos);
        }
        TableVersion known = current;
        return known.hasSameView(version) ? version : known;
    }

    /** Waits for a check that begins now. */
    private void refreshWithin(long withinNanos) throws InterruptedIOException {
        try {
            check.await(withinNanos);
        } catch (InterruptedException e) {
            throw OwnerRetryPolicy.toInterruptedIoException(e);
        }
    }

    /** Checks for a newer version; in the background, one at a time. */
    private void refreshInBackground() {
        statistics.increment(Count.CHECKS);
        TableVersion old = current;
        try {
            long changedAt = source.lastChangeTime();
            // The time alone shows that the table went back to an older version.
            if (changedAt != old.changedAt() || source.versionExists(old.view().version() + 1)) {
                SubtreeView view = source.readNewest();
                if (!view.followsTable(name)) {
                    view.close();
                    throw new IOException("there is no table of that name any more");
                }
                installVersion(old, changedAt, view);
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Cannot check for a newer version of the subtree table: federation={} version={} stays "
                            + "in use; no action needed: retrying",
                    name,
                    old.view().version(),
                    e);
        }
    }

    private void installVersion(TableVersion old, long changedAt, SubtreeView read) throws IOException {
        // After a restore, versions are made once more under the numbers of those that are void.
        if (old.hasSameContent(read)) {
            // The change was a draft, or a version that was not made.
            current = old.withUnchangedTable(changedAt);
            read.close();
            return;
        }
        long readAt = nanoTime.getAsLong();
        TableVersion newer = old.withSuccessor(changedAt, read, readAt, readAt - checkTimeoutNanos);
        synchronized (this) {
            if (isClosed) {
                read.close();
                return;
            }
            read.setWorkingDirectory(old.view().getWorkingDirectory());
            read.setVerifyChecksum(verifiesChecksums);
            read.setWriteChecksum(writesChecksums);
            retired.removeIf(client -> client.get() == null);
            for (DFSClient client : clients(old.view())) {
                retired.add(new WeakReference<>(client));
            }
            current = newer;
        }
        statistics.increment(Count.VERSIONS);
        LOG.info(
                "Subtree table refreshed: federation={} version={} previousVersion={}",
                name,
                read.version(),
                old.view().version());
    }

    private static List<DFSClient> clients(SubtreeView view) {
        List<DFSClient> clients = new ArrayList<>();
        for (DistributedFileSystem nameservice : view.nameservices()) {
            clients.add(nameservice.getClient());
        }
        return clients;
    }

    synchronized void setWorkingDirectory(Path directory) {
        current.view().setWorkingDirectory(directory);
    }

    synchronized void setVerifyChecksum(boolean verify) {
        verifiesChecksums = verify;
        current.view().setVerifyChecksum(verify);
    }

    synchronized void setWriteChecksum(boolean write) {
        writesChecksums = write;
        current.view().setWriteChecksum(write);
    }

    /** Completes the files that are open for writing, whichever version opened them; calls still work. */
    synchronized void closeOutputStreams() {
        List<DFSClient> clients = clients(current.view());
        for (WeakReference<DFSClient> reference : retired) {
            DFSClient client = reference.get();
            if (client != null) {
                clients.add(client);
            }
        }
        clients.forEach(client -> client.closeOutputStreams(false));
    }

    synchronized void close() throws IOException {
        isClosed = true;
        for (WeakReference<DFSClient> reference : retired) {
            DFSClient client = reference.get();
            if (client != null) {
                client.close();
            }
        }
        current.view().close();
    }
}
