/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import io.trefoil.ha.run.Coordination;
import io.trefoil.journal.pool.DaemonThreads;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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
 * The view and the lock of one group in ZooKeeper. Everything is done by one thread, in the order in which it was asked
 * for; it may wait for ZooKeeper, nobody else does.
 */
public final class ZkCoordination implements Coordination {

    private static final Logger LOG = LoggerFactory.getLogger(ZkCoordination.class);

    private static final int HISTORY = 50;
    private static final long CLOSE_SECONDS = 3;
    private static final long READ_AGAIN_MILLIS = 200;

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ViewReader reader;
    private final ExecutorService thread;
    private final AtomicBoolean readingWanted = new AtomicBoolean();
    private volatile Listener listener;
    private volatile Optional<MemberRecord> shown = Optional.empty();
    private volatile boolean connected;
    private volatile SortedMap<String, HistoryRecord> history = Collections.emptySortedMap();
    private boolean hasFolders;

    public ZkCoordination(ZkSettings settings) {
        client = ZkClient.of(settings);
        paths = GroupPaths.of(settings.path());
        reader = new ViewReader(client, paths, event -> wantReading());
        thread = Executors.newSingleThreadExecutor(DaemonThreads.named("mams-zk"));
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
            wantReading();
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
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (Exception | Error e) {
                    // Also for want of memory: who does not read again has no watch any more, and is blind for ever.
                    LOG.warn("ZooKeeper: could not {}: {}", what, e.toString());
                    onFailure.run();
                }
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("Not done any more: {}", what);
        }
    }

    private void wantReading() {
        if (readingWanted.compareAndSet(false, true)) {
            later("read the view", this::read, this::readAgain);
        }
    }

    private void readAgain() {
        if (connected) {
            try {
                // Only this thread waits.
                TimeUnit.MILLISECONDS.sleep(READ_AGAIN_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            wantReading();
        }
    }

    private void read() throws Exception {
        readingWanted.set(false);
        makeFolders();
        View view = reader.read();
        listener.viewChanged(view);
        readHistory();
        boolean missing = shown.isPresent()
                && !view.member(shown.get().name()).filter(shown.get()::equals).isPresent();
        if (missing) {
            show();
        }
    }

    /** After the view, which somebody may be waiting for. An entry never changes, so each is read once. */
    private void readHistory() throws Exception {
        SortedMap<String, HistoryRecord> known = new TreeMap<>(history);
        List<String> names = client.getChildren()
                .usingWatcher((CuratorWatcher) event -> wantReading())
                .forPath(paths.history());
        known.keySet().retainAll(names);
        for (String name : names) {
            if (!known.containsKey(name)) {
                known.put(name, HistoryRecord.fromBytes(client.getData().forPath(paths.history() + "/" + name)));
            }
        }
        history = Collections.unmodifiableSortedMap(known);
    }

    @Override
    public String historyJson() {
        return HistoryRecord.json(history.values());
    }

    private void makeFolders() throws Exception {
        if (hasFolders) {
            return;
        }
        for (String folder : new String[] {paths.members(), paths.history(), paths.election()}) {
            try {
                client.create().creatingParentsIfNeeded().forPath(folder, new byte[0]);
            } catch (KeeperException.NodeExistsException e) {
                LOG.debug("{} is there", folder);
            }
        }
        hasFolders = true;
    }

    @Override
    public void publish(MemberRecord record) {
        shown = Optional.of(record);
        if (connected) {
            later("show this member", this::show, () -> {});
        }
    }

    /** Writes the newest record, in the present session. */
    private void show() throws Exception {
        makeFolders();
        String path = paths.member(shown.get().name());
        byte[] bytes = Records.write(shown.get());
        Stat stat = client.checkExists().forPath(path);
        if (stat != null && stat.getEphemeralOwner() == reader.session().id()) {
            client.setData().forPath(path, bytes);
            return;
        }
        if (stat != null) {
            // Of this member's former life, whose session has not ended yet.
            client.delete().forPath(path);
        }
        client.create().withMode(CreateMode.EPHEMERAL).forPath(path, bytes);
    }

    @Override
    public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) {
        later(
                "take the lock in ballot " + lock.ballot(),
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
        List<CuratorOp> operations = new ArrayList<>();
        operations.add(client.transactionOp()
                .setData()
                .withVersion((int) expected.number())
                .forPath(paths.election(), lock.holder().getBytes(StandardCharsets.UTF_8)));
        if (replaced.isPresent()) {
            operations.add(client.transactionOp().delete().forPath(paths.lock()));
        }
        operations.add(client.transactionOp()
                .create()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(paths.lock(), Records.write(lock)));
        client.transaction().forOperations(operations);
    }

    @Override
    public void showEpoch(LockRecord lock) {
        later(
                "show epoch " + lock.epoch(),
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

    /** Whoever takes the lock from a holder takes the next ballot. */
    private CuratorOp isStillOf(LockRecord lock) throws Exception {
        return client.transactionOp()
                .check()
                .withVersion((int) lock.ballot().number())
                .forPath(paths.election());
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
