/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees;

import io.trefoil.client.CoalescedCheck;
import io.trefoil.client.SubtreeOwners;
import io.trefoil.client.Waits;
import io.trefoil.client.hdfs.JitteredSchedule;
import io.trefoil.client.hdfs.subtrees.SubtreeStatistics.Count;
import io.trefoil.client.hdfs.subtrees.version.SubtreeView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version of the table by which one file system routes, and when it looks for a newer one: after a result that may
 * be due to an old version, before calls whose results would not show that, and periodically in the background. It
 * repeats only calls that were not executed.
 *
 * <p>Thread-safe. A call ends with the version with which it began, and streams stay with the version that opened them;
 * only those streams keep the file systems of an old version alive.
 */
final class FollowedTable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedTable.class);

    /** Below a folder that was given away: the command leaves this seal there, which shows that a quota is not a user's. */
    private static final String SEAL = ".snapshot/trefoil-sealed";

    /** How the entry of a folder begins in the content of a version. */
    private static final String LINK = Constants.CONFIG_VIEWFS_LINK + ".";

    /** The permission of a folder that a move keeps everybody out of. */
    private static final short CLOSED = 0;

    private static final long IDLE_SECONDS = 5;

    /** @param <T> the type of its result */
    interface Call<T> {
        T on(SubtreeView view) throws IOException;
    }

    /** A call without a result. */
    interface Action {
        void on(SubtreeView view) throws IOException;
    }

    /** @param <T> the type of the results that may be due to an old version */
    interface Doubt<T> {
        boolean about(T result) throws IOException;
    }

    /** The nameservice that keeps the table. */
    interface Source {
        /**
         * When the table's folder was last changed: one cheap call. The same time does not mean the same version: HDFS lets it
         * only grow, so a version leaves it as it is if a NameNode whose clock was ahead has set it before.
         */
        long changedAt() throws IOException;

        /** Whether a version was made: one cheap call. None is ever removed. */
        boolean has(int version) throws IOException;

        /** Reads the newest version, as the file system's user. */
        SubtreeView read() throws IOException;
    }

    private static final class Version {
        final SubtreeView view;
        final long changedAt;

        /** The folders that had other owners by the version before. */
        final Set<Path> handedOver;

        final long readAt;

        Version(SubtreeView view, long changedAt, Set<Path> handedOver, long readAt) {
            this.view = view;
            this.changedAt = changedAt;
            this.handedOver = handedOver;
            this.readAt = readAt;
        }

        /** Whether the new owner of one of them lets nobody in yet, as far as it says. */
        boolean isAnyClosed() {
            for (Path folder : handedOver) {
                try {
                    if (view.getFileStatus(folder).getPermission().toShort() == CLOSED) {
                        return true;
                    }
                } catch (IOException e) {
                    LOG.debug("Cannot look at {}, which was handed over", folder, e);
                }
            }
            return false;
        }
    }

    /** Since when versions have refused one call, which may have been held for long before. Confined to the thread of the call. */
    private final class Refusals {
        private final Map<Version, Long> since = new HashMap<>();

        /** The time of the first refusal by this version. */
        long by(Version version) {
            return since.computeIfAbsent(version, first -> nanoTime.getAsLong());
        }
    }

    private final String name;
    private final Source source;
    private final boolean isFixed;
    private final CoalescedCheck check = new CoalescedCheck(this::follow, inBackground());
    private final JitteredSchedule schedule;
    private final long checkTimeoutNanos;
    private final LongSupplier nanoTime;
    private final SubtreeStatistics statistics = SubtreeStatistics.ofProcess();
    private volatile Version current;

    // Guarded by this.
    private final List<WeakReference<DFSClient>> retired = new ArrayList<>();
    private boolean isClosed;
    private boolean verifiesChecksums = true;
    private boolean writesChecksums = true;

    private FollowedTable(
            String name,
            Source source,
            boolean isFixed,
            Duration refresh,
            Duration checkTimeout,
            LongSupplier nanoTime,
            Version first) {
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
    static FollowedTable follow(String name, Source source, Duration refresh, Duration checkTimeout)
            throws IOException {
        return follow(name, source, refresh, checkTimeout, System::nanoTime);
    }

    /** @param nanoTime the clock that measures how long a call has waited */
    static FollowedTable follow(
            String name, Source source, Duration refresh, Duration checkTimeout, LongSupplier nanoTime)
            throws IOException {
        // In this order: a change in between is read now, and once more by the next look.
        long changedAt = source.changedAt();
        SubtreeView view = source.read();
        boolean isFixed = !view.isOfTable(name);
        Version first = new Version(view, changedAt, Collections.emptySet(), nanoTime.getAsLong());
        return new FollowedTable(name, source, isFixed, refresh, checkTimeout, nanoTime, first);
    }

    /** A single nameservice without a table. */
    static FollowedTable fixed(SubtreeView view) {
        Source none = new Source() {
            @Override
            public long changedAt() {
                return 0;
            }

            @Override
            public boolean has(int version) {
                return false;
            }

            @Override
            public SubtreeView read() {
                return view;
            }
        };
        Duration never = Duration.ofDays(1);
        Version only = new Version(view, 0, Collections.emptySet(), System.nanoTime());
        return new FollowedTable("", none, true, never, never, System::nanoTime, only);
    }

    /** An executor of one thread, which stays while looks follow each other, as in a program that looks for many missing files. */
    private static Executor inBackground() {
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
    SubtreeView now() {
        return begin().view;
    }

    /**
     * The view after a look, for administrators' calls that a seal would not refuse; as recent as the nameservice of
     * the table allows.
     */
    SubtreeView fresh() {
        Version version = begin();
        if (isFixed) {
            return version.view;
        }
        try {
            look();
        } catch (InterruptedIOException e) {
            Thread.currentThread().interrupt();
        }
        return current.view;
    }

    /** Whether both paths have the same owner; if not, checks again with a fresh version. */
    boolean isOneOwner(Path one, Path other) {
        return isFixed || isOneOwner(now(), one, other) || isOneOwner(fresh(), one, other);
    }

    private static boolean isOneOwner(SubtreeView view, Path one, Path other) {
        SubtreeOwners owners = view.owners();
        return owners.ownerOf(absolute(view, one)).equals(owners.ownerOf(absolute(view, other)));
    }

    private static String absolute(SubtreeView view, Path path) {
        return view.makeQualified(path).toUri().getPath();
    }

    void run(Action action) throws IOException {
        call(view -> {
            action.on(view);
            return true;
        });
    }

    <T> T call(Call<T> call) throws IOException {
        return call(call, result -> false);
    }

    /** @param doubt recognizes results which say that nothing was there and nothing was done */
    <T> T call(Call<T> call, Doubt<T> doubt) throws IOException {
        return call(begin(), call, doubt, new Refusals());
    }

    /**
     * An answer that may be due to an old version is believed once a look that began after it found no other one. Every
     * repetition follows another version, of which there are only so many, or a refusal that ends soon, and then there is a time
     * for all that follow the same one.
     */
    private <T> T call(Version first, Call<T> call, Doubt<T> doubt, Refusals refusals) throws IOException {
        Version version = first;
        while (true) {
            Version newer;
            try {
                T result = call.on(version.view);
                if (!doubt.about(result)) {
                    return result;
                }
                newer = newerThan(version);
                if (newer == version) {
                    return result;
                }
            } catch (FileNotFoundException e) {
                newer = newerThan(version);
                if (newer == version) {
                    throw e;
                }
            } catch (AccessControlException e) {
                newer = newerThan(version);
                if (newer == version && !awaitsOpening(version)) {
                    throw e;
                }
            } catch (RemoteException e) {
                newer = afterMove(version, e, refusals);
            }
            if (newer != version) {
                statistics.add(Count.REPEATED);
            }
            version = newer;
        }
    }

    /**
     * Waits a moment if a folder is about to be opened at its new owner: a move does that after its version, and until then nobody
     * may enter the folder. Which folder a call is for is not known here, so all are looked at that this version has handed over.
     *
     * @return false if access is denied for another reason, or the version has been known for too long
     */
    private boolean awaitsOpening(Version version) throws InterruptedIOException {
        long elapsed = nanoTime.getAsLong() - version.readAt;
        if (isFixed || elapsed > checkTimeoutNanos || !version.isAnyClosed()) {
            return false;
        }
        pause(Waits.nanosAfter(elapsed));
        return true;
    }

    /**
     * The newer version of which a NameNode told. It exists; the NameNode that is asked for it may be an observer that is
     * behind. One between the two is not enough: by that, the call would be refused again.
     *
     * <p>If the call followed that version or a later one, its owner has what it is told of the time before: an owner of before to which
     * the subtree came back, whose mark goes soon, or an observer that is behind. Then, after a pause, the same version.
     *
     * @throws IOException the refusal, if it is another one, or no such version can be read, or the owner does not stop
     */
    private Version afterMove(Version version, RemoteException e, Refusals refusals) throws IOException {
        IOException refusal = e.unwrapRemoteException(SubtreeMovedException.class);
        if (!(refusal instanceof SubtreeMovedException)) {
            throw e;
        }
        if (isFixed) {
            throw refusal;
        }
        long refusedAt = refusals.by(version);
        int wanted = ((SubtreeMovedException) refusal).version().orElse(0);
        Version known = version;
        while (true) {
            known = newerThan(known);
            if (known.view != version.view && known.view.version() >= wanted) {
                return known;
            }
            long elapsed = nanoTime.getAsLong() - refusedAt;
            if (elapsed > checkTimeoutNanos) {
                throw refusal;
            }
            pause(Waits.nanosAfter(elapsed));
            if (version.view.version() >= wanted) {
                return version;
            }
        }
    }

    void createNothing(Path path, Action action) throws IOException {
        create(path, view -> {
            action.on(view);
            return true;
        });
    }

    <T> T create(Path path, Call<T> call) throws IOException {
        return create(path, call, result -> false);
    }

    /** For calls that a seal refuses before they are executed. */
    <T> T create(Path path, Call<T> call, Doubt<T> doubt) throws IOException {
        Version version = begin();
        Refusals refusals = new Refusals();
        while (true) {
            try {
                return call(version, call, doubt, refusals);
            } catch (NSQuotaExceededException refusal) {
                if (isFixed) {
                    throw refusal;
                }
                Version next = afterSeal(version, path, refusal, refusals);
                if (next != version) {
                    statistics.add(Count.REPEATED);
                }
                version = next;
            }
        }
    }

    /**
     * Waits until the call can be repeated: there is a newer version, or the folder was unsealed. A folder is sealed
     * before the new version is made, and opened at its new owner afterwards, so a call may come in between.
     *
     * @throws NSQuotaExceededException the refusal, if it does not come from a seal, or the seal lasts
     */
    private Version afterSeal(Version version, Path path, NSQuotaExceededException refusal, Refusals refusals)
            throws IOException {
        long refusedAt = refusals.by(version);
        Path seal = null;
        while (true) {
            Version newer = newerThan(version);
            if (newer != version) {
                return newer;
            }
            try {
                if (seal == null) {
                    seal = sealAbove(version.view, path);
                } else if (!isThere(version.view, seal)) {
                    return version;
                }
            } catch (RemoteException e) {
                // The change has ended since, and the look for its seal is answered as any call for what was given
                // away.
                return afterMove(version, e, refusals);
            }
            long elapsed = nanoTime.getAsLong() - refusedAt;
            if (elapsed > checkTimeoutNanos || (seal == null && !mayBeOfSeal(refusal))) {
                throw refusal;
            }
            pause(Waits.nanosAfter(elapsed));
            if (seal == null) {
                // A change that is refused opens the folder again, maybe between the refusal and this look.
                return version;
            }
        }
    }

    /** A seal allows one name, that of the folder itself. A NameNode says the quota in the text only. */
    private static boolean mayBeOfSeal(NSQuotaExceededException refusal) {
        return String.valueOf(refusal.getMessage()).contains("quota=1 ");
    }

    /** The seal above a path; null if there is none. */
    private static Path sealAbove(SubtreeView view, Path path) throws IOException {
        for (Path folder = view.makeQualified(path).getParent();
                folder != null && !folder.isRoot();
                folder = folder.getParent()) {
            Path seal = new Path(folder, SEAL);
            if (isThere(view, seal)) {
                return seal;
            }
        }
        return null;
    }

    /** A folder that nobody may enter, just after something was to be created in it, was closed for a move, which seals it later. */
    private static boolean isThere(SubtreeView view, Path seal) throws IOException {
        try {
            return view.exists(seal);
        } catch (AccessControlException closed) {
            return true;
        }
    }

    private static void pause(long nanos) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static InterruptedIOException interrupted(InterruptedException cause) {
        InterruptedIOException e = new InterruptedIOException("interrupted while it looked for a newer table");
        e.initCause(cause);
        return e;
    }

    private Version begin() {
        if (isFixed) {
            return current;
        }
        statistics.add(Count.CALLS);
        if (schedule.isDue()) {
            check.request();
        }
        return current;
    }

    /**
     * Another version than the one by which an answer came; that one if a look that began after the answer found no other, or
     * the nameservice of the table does not answer.
     */
    private Version newerThan(Version version) throws InterruptedIOException {
        if (!isFixed && current.view == version.view) {
            look();
        }
        Version known = current;
        return known.view == version.view ? version : known;
    }

    /** Waits for a look that begins now, as long as calls wait. */
    private void look() throws InterruptedIOException {
        try {
            check.await(checkTimeoutNanos);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Looks for a newer version; in the background, one at a time. */
    private void follow() {
        statistics.add(Count.CHECKS);
        Version old = current;
        try {
            long changedAt = source.changedAt();
            // The time alone shows that the table went back to an older version.
            if (changedAt != old.changedAt || source.has(old.view.version() + 1)) {
                SubtreeView view = source.read();
                if (!view.isOfTable(name)) {
                    view.close();
                    throw new IOException("there is no table of that name any more");
                }
                replace(old, new Version(view, changedAt, handedOver(old.view, view), nanoTime.getAsLong()));
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Cannot look for a newer version of the table of hdfs://{}, version {} stands",
                    name,
                    old.view.version(),
                    e);
        }
    }

    private void replace(Version old, Version read) throws IOException {
        // After a restore, versions are made once more under the numbers of those that are void.
        if (read.view.content().equals(old.view.content())) {
            // The change was a draft, or a version that was not made.
            current = new Version(old.view, read.changedAt, old.handedOver, old.readAt);
            read.view.close();
            return;
        }
        synchronized (this) {
            if (isClosed) {
                read.view.close();
                return;
            }
            read.view.setWorkingDirectory(old.view.getWorkingDirectory());
            read.view.setVerifyChecksum(verifiesChecksums);
            read.view.setWriteChecksum(writesChecksums);
            retired.removeIf(client -> client.get() == null);
            for (DFSClient client : clients(old.view)) {
                retired.add(new WeakReference<>(client));
            }
            current = read;
        }
        statistics.add(Count.VERSIONS);
        LOG.info("hdfs://{} has version {} of its table, was {}", name, read.view.version(), old.view.version());
    }

    /** The folders of which the two versions do not say the same. */
    private static Set<Path> handedOver(SubtreeView before, SubtreeView after) {
        Map<String, String> earlier = before.content();
        Map<String, String> later = after.content();
        Set<String> entries = new TreeSet<>(earlier.keySet());
        entries.addAll(later.keySet());
        Set<Path> folders = new TreeSet<>();
        for (String entry : entries) {
            if (entry.startsWith(LINK) && !Objects.equals(earlier.get(entry), later.get(entry))) {
                folders.add(new Path(entry.substring(LINK.length())));
            }
        }
        return folders;
    }

    private static List<DFSClient> clients(SubtreeView view) {
        List<DFSClient> clients = new ArrayList<>();
        for (DistributedFileSystem nameservice : view.nameservices()) {
            clients.add(nameservice.getClient());
        }
        return clients;
    }

    synchronized void setWorkingDirectory(Path directory) {
        current.view.setWorkingDirectory(directory);
    }

    synchronized void setVerifyChecksum(boolean verifies) {
        verifiesChecksums = verifies;
        current.view.setVerifyChecksum(verifies);
    }

    synchronized void setWriteChecksum(boolean writes) {
        writesChecksums = writes;
        current.view.setWriteChecksum(writes);
    }

    /** Completes the files that are open for writing, whichever version opened them; calls still work. */
    synchronized void closeOutputStreams() {
        List<DFSClient> clients = clients(current.view);
        for (WeakReference<DFSClient> one : retired) {
            DFSClient client = one.get();
            if (client != null) {
                clients.add(client);
            }
        }
        clients.forEach(client -> client.closeOutputStreams(false));
    }

    synchronized void close() throws IOException {
        isClosed = true;
        for (WeakReference<DFSClient> one : retired) {
            DFSClient client = one.get();
            if (client != null) {
                client.close();
            }
        }
        current.view.close();
    }
}
