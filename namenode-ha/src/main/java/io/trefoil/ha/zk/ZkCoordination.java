/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.run.Coordination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The view and the lock of one group in ZooKeeper. One thread does everything, in the order of the requests; only that
 * thread waits for ZooKeeper.
 */
public final class ZkCoordination implements Coordination {

    private static final Logger LOG = LoggerFactory.getLogger(ZkCoordination.class);

    private static final int HISTORY = 50;
    private static final long CLOSE_SECONDS = 3;
    private static final long READ_AGAIN_MILLIS = 200;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;
    private static final int MOST_DOUBLINGS = 4;

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ViewReader reader;
    private final ZkAcls acls;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean readingWanted = new AtomicBoolean();
    private volatile Listener listener;
    private volatile Optional<MemberRecord> shown = Optional.empty();
    private volatile boolean connected;
    private volatile SortedMap<String, HistoryRecord> history = Collections.emptySortedMap();
    private final AtomicBoolean historyUnread = new AtomicBoolean(true);
    /** One for all readings: ZooKeeper keeps every other one until the history changes, which may be years. */
    private final CuratorWatcher historyWatcher = event -> {
        historyUnread.set(true);
        wantReading();
    };
    /** Failures one after the other, each of which is worth a longer pause. On the thread. */
    private int failures;

    private boolean againPending;
    /** What failed last, by what was to be done, so that it is told once. On the thread. */
    private final Map<String, String> failed = new HashMap<>();
    /** Processes by the name of this one whose node was taken away. On the thread. */
    private final Set<String> replaced = new HashSet<>();

    private boolean staysOut;
    /** The newest orders of operators that were ever seen. On the thread. */
    private StandingOrders orders = StandingOrders.NONE;
    /** Which folders were too open when they were last looked at, so that it is told once. On the thread. */
    private List<String> warnedOf = Collections.emptyList();

    public ZkCoordination(ZkSettings settings) {
        client = ZkClient.of(settings);
        paths = GroupPaths.of(settings.path());
        acls = ZkAcls.parse(settings.acl());
        reader = new ViewReader(client, paths, this::wantReading);
        thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.named("mams-zk"));
    }

    @Override
    public void start(Listener newListener) {
        listener = newListener;
        client.getConnectionStateListenable().addListener((unused, state) -> connectionChanged(state));
        client.start();
    }

    private void connectionChanged(ConnectionState state) {
        LOG.info("ZooKeeper: {}", state);
        if (state.isConnected()) {
            connected = true;
            historyUnread.set(true);
            wantReading();
            later("see who may change the folders", this::checkFolders, () -> {});
        } else {
            connected = false;
            listener.disconnected();
        }
    }

    /** Work for the thread, which may throw what Curator throws. */
    private interface Work {
        void run() throws Exception;
    }

    /** Does something in its turn; what fails is not tried again, the view shows what is and decides anew. */
    private void later(String what, Work work, Runnable onFailure) {
        try {
            thread.execute(() -> {
                try {
                    work.run();
                    failed.remove(what);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (Exception | Error e) {
                    // Even if memory ran out: without reading again there is no watch any more, and this member stays
                    // blind for ever.
                    tell(what, e);
                    onFailure.run();
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("Dropped, this process leaves the group: {}", what);
        }
    }

    /** Once, however often it fails. */
    private void tell(String what, Throwable cause) {
        if (cause.toString().equals(failed.put(what, cause.toString()))) {
            LOG.debug("ZooKeeper: could still not {}: {}", what, cause.toString());
        } else {
            LOG.warn("ZooKeeper: could not {}: {}", what, cause.toString());
        }
    }

    private void wantReading() {
        if (readingWanted.compareAndSet(false, true)) {
            later("read the view", this::read, this::readAgain);
        }
    }

    /** After a pause, so that a ZooKeeper that does not do what it should is not asked without end. */
    private void readAgain() {
        if (againPending) {
            return;
        }
        againPending = true;
        long pause = Math.min(LONGEST_PAUSE_MILLIS, READ_AGAIN_MILLIS << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        try {
            thread.schedule(
                    () -> {
                        againPending = false;
                        if (connected) {
                            wantReading();
                        }
                    },
                    pause,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The view is not read any more");
        }
    }

    private void read() throws Exception {
        readingWanted.set(false);
        try {
            readAll();
        } catch (KeeperException.NoNodeException missing) {
            // Folders may go at any time: somebody deletes them, or ZooKeeper is set up anew.
            makeFolders();
            readAll();
        }
        failures = 0;
    }

    private void readAll() throws Exception {
        View read = reader.read();
        View view = withNewestOrders(read);
        listener.viewChanged(view);
        if (!view.orders().equals(read.orders())) {
            write(view.orders());
        }
        readNewHistory();
        boolean missing = shown.isPresent()
                && !view.member(shown.get().name()).filter(shown.get()::equals).isPresent();
        if (missing) {
            show();
        }
    }

    /** After the view, which somebody may be waiting for. */
    private void readNewHistory() throws Exception {
        boolean isRead = !historyUnread.getAndSet(false);
        try {
            if (!isRead) {
                readHistory();
                isRead = true;
            }
        } finally {
            if (!isRead) {
                historyUnread.set(true);
            }
        }
    }

    /** An entry never changes, so each is read once. */
    private void readHistory() throws Exception {
        SortedMap<String, HistoryRecord> known = new TreeMap<>(history);
        List<String> names = client.getChildren().usingWatcher(historyWatcher).forPath(paths.history());
        known.keySet().retainAll(names);
        for (String name : names) {
            if (!known.containsKey(name)) {
                byte[] bytes = client.getData().forPath(paths.history() + "/" + name);
                try {
                    known.put(name, HistoryRecord.fromBytes(bytes));
                } catch (IOException e) {
                    // It is only told: what else follows from a view counts for more.
                    tell("read failover " + name, e);
                }
            }
        }
        history = Collections.unmodifiableSortedMap(known);
    }

    /** A ZooKeeper that was wiped, or restored from a copy, does not make an operator's orders void. */
    private View withNewestOrders(View read) {
        if (read.orders().revision() >= orders.revision()) {
            orders = read.orders();
        }
        return read.with(orders);
    }

    /** Whether it was written; if not, somebody else was quicker. */
    private boolean write(StandingOrders wanted) throws Exception {
        byte[] bytes = Records.bytes(Records.orders(wanted));
        try {
            if (reader.ordersVersion() == ViewReader.ABSENT) {
                client.create().forPath(paths.orders(), bytes);
            } else {
                client.setData().withVersion(reader.ordersVersion()).forPath(paths.orders(), bytes);
            }
            return true;
        } catch (KeeperException.NodeExistsException
                | KeeperException.BadVersionException
                | KeeperException.NoNodeException e) {
            LOG.debug("Orders were changed at the same moment: {}", e.toString());
            return false;
        }
    }

    @Override
    public CompletableFuture<ElectionOrder.Outcome> order(ElectionOrder order, Collection<String> configured) {
        CompletableFuture<ElectionOrder.Outcome> answer = new CompletableFuture<>();
        later(
                "carry out an operator's order",
                () -> {
                    try {
                        answer.complete(carryOut(order, configured));
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                        throw e;
                    }
                },
                this::wantReading);
        return answer;
    }

    private ElectionOrder.Outcome carryOut(ElectionOrder order, Collection<String> configured) throws Exception {
        if (!connected) {
            throw new IOException("ZooKeeper, which keeps such orders, is out of reach; nothing was changed");
        }
        while (true) {
            View read = reader.read();
            View view = withNewestOrders(read);
            ElectionOrder.Outcome outcome = order.carryOut(view, configured);
            if (outcome.orders().equals(read.orders()) || write(outcome.orders())) {
                orders = outcome.orders();
                wantReading();
                return outcome;
            }
        }
    }

    @Override
    public String historyJson() {
        return HistoryRecord.json(history.values());
    }

    private void makeFolders() throws Exception {
        for (String folder : new String[] {paths.members(), paths.history(), paths.election()}) {
            try {
                client.create().creatingParentsIfNeeded().forPath(folder, new byte[0]);
            } catch (KeeperException.NodeExistsException e) {
                LOG.debug("{} is there", folder);
            }
        }
    }

    /**
     * Warns of folders that let in more than they would if they were created now: those that were there before there was
     * an access list. It is not mended here, because members that are still configured as before would be locked out.
     */
    private void checkFolders() throws Exception {
        List<String> wide = new ArrayList<>();
        for (String folder : paths.folders()) {
            try {
                for (String more : acls.widerIn(client.getACL().forPath(folder))) {
                    wide.add(folder + " lets in " + more);
                }
            } catch (KeeperException.NoNodeException e) {
                LOG.debug("{} is not there yet", folder);
            }
        }
        if (!wide.isEmpty() && !wide.equals(warnedOf)) {
            LOG.warn(
                    "ZooKeeper lets in more than ha.zookeeper.acl says: {}. Whoever can write there takes part "
                            + "in elections. Once all NameNodes have that setting, an administrator corrects it "
                            + "with: zkCli.sh setAcl -R {} <the value of ha.zookeeper.acl>",
                    String.join("; ", wide),
                    paths.top());
        }
        warnedOf = wide;
    }

    @Override
    public void publish(MemberRecord record) {
        shown = Optional.of(record);
        if (connected) {
            later("show this member", this::show, this::readAgain);
        }
    }

    /** Writes the newest record, in the present session. */
    private void show() throws Exception {
        String path = paths.member(shown.get().name());
        byte[] bytes = Records.write(shown.get());
        Stat stat = client.checkExists().forPath(path);
        if (stat != null && stat.getEphemeralOwner() == reader.session().id()) {
            // Asked for twice if a view from before was read meanwhile; all members read each change.
            if (!Arrays.equals(client.getData().forPath(path), bytes)) {
                client.setData().forPath(path, bytes);
            }
            return;
        }
        boolean mayShow = stat == null || mayReplace(path);
        if (mayShow == staysOut) {
            staysOut = !mayShow;
            tellOfOther(path);
        }
        if (!mayShow) {
            return;
        }
        if (stat != null) {
            client.delete().forPath(path);
        }
        client.create().withMode(CreateMode.EPHEMERAL).forPath(path, bytes);
    }

    /**
     * Whether what is shown by this name may be taken away: once of each process, whose session has then not ended yet,
     * as it is with a former life of this NameNode. One that shows itself again is alive, and the two would drive each
     * other out for ever.
     */
    private boolean mayReplace(String path) throws Exception {
        MemberRecord other;
        try {
            other = Records.member(client.getData().forPath(path));
        } catch (IOException noRecord) {
            return true;
        }
        return other.instance().equals(shown.get().instance()) || replaced.add(other.instance());
    }

    private void tellOfOther(String path) {
        if (staysOut) {
            LOG.error(
                    "Another process takes part in the group as {}. This one stays out until that one ends: two "
                            + "NameNodes must not have the same id. {} says where it is",
                    shown.get().name(),
                    path);
        } else {
            LOG.info(
                    "Nobody else takes part in the group as {} any more",
                    shown.get().name());
        }
    }

    @Override
    public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) {
        later(
                "take the lock",
                () -> {
                    if (!connected || !reader.session().equals(lock.session())) {
                        throw new IllegalStateException("the session has ended");
                    }
                    take(lock, expected, replaced);
                    listener.lockTaken(lock.ballot());
                    wantReading();
                },
                () -> {
                    listener.lockMissed();
                    wantReading();
                });
    }

    private void take(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) throws Exception {
        ViewReader.ElectionNode last = reader.lastRead();
        if (!last.ballot.equals(expected)) {
            throw new IllegalStateException("the last ballot is " + last.ballot + ", not " + expected);
        }
        List<CuratorOp> operations = new ArrayList<>();
        operations.add(client.transactionOp()
                .setData()
                .withVersion(last.version)
                .forPath(paths.election(), Records.writeElection(lock)));
        if (replaced.isPresent() || reader.isLockUnreadable()) {
            operations.add(client.transactionOp().delete().forPath(paths.lock()));
        }
        operations.add(client.transactionOp()
                .create()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(paths.lock(), Records.write(lock)));
        client.transaction().forOperations(operations);
        reader.won(lock.ballot());
    }

    @Override
    public void showEpoch(LockRecord lock) {
        later(
                "show the epoch",
                () -> client.transaction()
                        .forOperations(
                                isStillOf(lock),
                                client.transactionOp().setData().forPath(paths.lock(), Records.write(lock))),
                this::wantReading);
    }

    @Override
    public void releaseLock(LockRecord lock) {
        later(
                "release the lock",
                () -> client.transaction()
                        .forOperations(
                                isStillOf(lock), client.transactionOp().delete().forPath(paths.lock())),
                this::wantReading);
    }

    /** Taking the lock from a holder takes the next ballot. */
    private CuratorOp isStillOf(LockRecord lock) throws Exception {
        ViewReader.ElectionNode now = reader.election();
        if (!now.ballot.equals(lock.ballot())) {
            throw new IllegalStateException("the last ballot is " + now.ballot + ", not " + lock.ballot());
        }
        return client.transactionOp().check().withVersion(now.version).forPath(paths.election());
    }

    @Override
    public void record(Failover failover) {
        long announcedMillis = System.currentTimeMillis();
        long announcedNanos = System.nanoTime();
        later(
                "write the history",
                () -> {
                    long lateNanos = System.nanoTime() - announcedNanos;
                    HistoryRecord written = HistoryRecord.of(failover, announcedMillis, announcedNanos, lateNanos);
                    client.create().forPath(paths.history(failover.ballot().number()), written.toBytes());
                    trimHistory();
                },
                () -> {});
    }

    private void trimHistory() throws Exception {
        List<String> names = new ArrayList<>(client.getChildren().forPath(paths.history()));
        Collections.sort(names);
        for (int i = 0; i < names.size() - HISTORY; i++) {
            client.delete().forPath(paths.history() + "/" + names.get(i));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
