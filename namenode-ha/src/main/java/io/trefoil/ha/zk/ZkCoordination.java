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
import io.trefoil.ha.zk.connection.ZkAcls;
import io.trefoil.ha.zk.connection.ZkClient;
import io.trefoil.ha.zk.connection.ZkSettings;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The view and the lock of one group in ZooKeeper. One thread does everything, in the order of the requests; only that
 * thread waits for ZooKeeper.
 */
public final class ZkCoordination implements Coordination {

    private static final Logger LOG = LoggerFactory.getLogger(ZkCoordination.class);

    private static final long CLOSE_SECONDS = 3;
    private static final long READ_AGAIN_MILLIS = 200;
    private static final long MAX_BACKOFF_MILLIS = 2_000;
    private static final int MAX_DOUBLINGS = 4;

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ViewReader reader;
    private final GroupZnodes directories;
    private final MemberZnode shown;
    private final ZkLock lock;
    private final ZkHistory history;
    private final Supplier<String> note;
    private final ScheduledExecutorService thread;
    private final AtomicBoolean readingWanted = new AtomicBoolean();
    private volatile Listener listener;
    private volatile boolean connected;
    /** Consecutive failures, each of which lengthens the pause. On the thread. */
    private int failures;

    private boolean againPending;
    /** The last failure of each action, so that it is reported once. On the thread. */
    private final Map<String, String> failed = new HashMap<>();
    /** The newest orders of operators ever seen. On the thread. */
    private StandingOrders orders = StandingOrders.NONE;

    /** @param note appended to the causes of this member's entries in the history, on the agent's thread */
    public ZkCoordination(ZkSettings settings, Supplier<String> note) {
        this.note = note;
        client = ZkClient.of(settings);
        paths = GroupPaths.of(settings.path());
        reader = new ViewReader(client, paths, this::requestReading);
        directories = new GroupZnodes(client, paths, ZkAcls.parse(settings.acl()));
        shown = new MemberZnode(client, paths, reader);
        lock = new ZkLock(client, paths, reader);
        history = new ZkHistory(
                client, paths, this::requestReading, (name, e) -> logFailureOnce("read failover " + name, e));
        thread = Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("mams-zk"));
    }

    @Override
    public void start(Listener newListener) {
        listener = newListener;
        client.getConnectionStateListenable().addListener((unused, state) -> connectionChanged(state));
        client.start();
    }

    private void connectionChanged(ConnectionState state) {
        LOG.info("ZooKeeper connection state={}", state);
        if (state.isConnected()) {
            connected = true;
            history.requestReading();
            requestReading();
            submit("check the ACLs of the directories", directories::warnIfTooOpen, () -> {});
        } else {
            connected = false;
            listener.disconnected();
        }
    }

    /** Work for the thread, which may throw Curator's exceptions. */
    private interface Work {
        void run() throws Exception;
    }

    /** Queues work for the thread. A failure is not retried: the view shows the state, and the rules decide again. */
    private void submit(String operation, Work task, Runnable onFailure) {
        try {
            thread.execute(() -> {
                try {
                    task.run();
                    failed.remove(operation);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (Exception | Error e) {
                    // Even if memory ran out: without another reading there is no watch, and this member stays blind
                    // forever.
                    logFailureOnce(operation, e);
                    onFailure.run();
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("Task dropped, this process is leaving the group: {}", operation);
        }
    }

    /** Reports a failure once, however often it recurs. */
    private void logFailureOnce(String operation, Throwable cause) {
        if (cause.toString().equals(failed.put(operation, cause.toString()))) {
            LOG.debug("ZooKeeper: still could not {}: {}", operation, cause.toString());
            return;
        }
        switch (ZkFailureReason.of(cause)) {
            case RACE:
                LOG.info("ZooKeeper: did not {}, as the group changed meanwhile: {}", operation, cause.toString());
                break;
            case TROUBLE:
                LOG.warn(
                        "ZooKeeper: could not {}: {}" + "; retrying; do: check ZooKeeper if this lasts",
                        operation,
                        cause.toString());
                break;
            default:
                LOG.error("ZooKeeper: could not {}; do: report it", operation, cause);
                break;
        }
    }

    private void requestReading() {
        if (readingWanted.compareAndSet(false, true)) {
            submit("read the view", this::read, this::rereadAfterPause);
        }
    }

    /** Reads again after a pause, so that a failing ZooKeeper is not queried in a tight loop. */
    private void rereadAfterPause() {
        if (againPending) {
            return;
        }
        againPending = true;
        long pause = Math.min(MAX_BACKOFF_MILLIS, READ_AGAIN_MILLIS << Math.min(failures, MAX_DOUBLINGS));
        failures++;
        try {
            thread.schedule(
                    () -> {
                        againPending = false;
                        if (connected) {
                            requestReading();
                        }
                    },
                    pause,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The view is no longer read");
        }
    }

    private void read() throws Exception {
        readingWanted.set(false);
        try {
            readAll();
        } catch (KeeperException.NoNodeException missing) {
            // Directories may vanish at any time: an operator deletes them, or ZooKeeper is set up anew.
            directories.create();
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
        // After the view, because something may be waiting for that.
        history.readIfChanged();
        if (shown.isMissingIn(view)) {
            shown.write();
        }
    }

    /** Adds the newest orders: wiping ZooKeeper, or restoring it from a copy, does not void an operator's orders. */
    private View withNewestOrders(View read) {
        if (read.orders().revision() >= orders.revision()) {
            orders = read.orders();
        }
        return read.with(orders);
    }

    /** Writes the orders; returns whether that succeeded. If not, another member was faster. */
    private boolean write(StandingOrders wantedOrders) throws Exception {
        byte[] bytes = RecordFormat.toBytes(RecordFormat.toJson(wantedOrders));
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
            LOG.debug("Orders were changed concurrently: {}", e.toString());
            return false;
        }
    }

    @Override
    public CompletableFuture<ElectionOrder.Outcome> order(ElectionOrder order, Collection<String> configured) {
        CompletableFuture<ElectionOrder.Outcome> answer = new CompletableFuture<>();
        submit(
                "carry out an operator's order",
                () -> {
                    try {
                        answer.complete(carryOut(order, configured));
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                        throw e;
                    }
                },
                this::requestReading);
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
                requestReading();
                return outcome;
            }
        }
    }

    @Override
    public String historyJson() {
        return history.json();
    }

    @Override
    public void publish(MemberRecord record) {
        shown.setRecord(record);
        if (connected) {
            submit("show this member", shown::write, this::rereadAfterPause);
        }
    }

    @Override
    public void takeLock(LockRecord wanted, Ballot expected, Optional<LockRecord> replacedLock) {
        submit(
                "take the lock",
                () -> {
                    if (!connected || !reader.session().equals(wanted.session())) {
                        throw new IllegalStateException("the session has ended");
                    }
                    lock.take(wanted, expected, replacedLock);
                    listener.lockTaken(wanted);
                    requestReading();
                },
                () -> {
                    listener.lockMissed();
                    requestReading();
                });
    }

    @Override
    public void publishEpoch(LockRecord held) {
        submit("publish the epoch", () -> lock.publishEpoch(held), this::requestReading);
    }

    @Override
    public void releaseLock(LockRecord held) {
        submit("release the lock", () -> lock.release(held), this::requestReading);
    }

    @Override
    public void record(Failover failover) {
        long announcedMillis = System.currentTimeMillis();
        long announcedNanos = System.nanoTime();
        Failover noted = failover.withAppendedCause(note.get());
        submit(
                "write the history",
                () -> {
                    long lateNanos = System.nanoTime() - announcedNanos;
                    HistoryRecord written = HistoryRecord.of(noted, announcedMillis, announcedNanos, lateNanos);
                    history.add(noted, written);
                },
                () -> {});
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
