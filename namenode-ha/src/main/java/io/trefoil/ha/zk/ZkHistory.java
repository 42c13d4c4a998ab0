/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.Failover;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.CuratorWatcher;

/** The last failovers of the group, as ZooKeeper stores them. One thread reads and writes them; any thread may ask for what was read. */
final class ZkHistory {

    private static final int KEPT = 50;

    /** Receives reports of entries that cannot be read. */
    interface ReadErrorListener {
        void onUnreadable(String name, IOException cause);
    }

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ReadErrorListener complaints;
    private final AtomicBoolean unread = new AtomicBoolean(true);
    /** The one watcher for all readings: ZooKeeper keeps every additional one until the history changes, which may take years. */
    private final CuratorWatcher watcher;

    private volatile SortedMap<String, HistoryRecord> known = Collections.emptySortedMap();

    /** @param onChange is run by ZooKeeper's thread when the history has changed since it was read */
    ZkHistory(CuratorFramework client, GroupPaths paths, Runnable onChange, ReadErrorListener complaints) {
        this.client = client;
        this.paths = paths;
        this.complaints = complaints;
        this.watcher = event -> {
            unread.set(true);
            onChange.run();
        };
    }

    /** Requests another reading, as a watch may have been lost with a connection. */
    void requestReading() {
        unread.set(true);
    }

    /** Reads the history if it has changed. */
    void readIfChanged() throws Exception {
        boolean isRead = !unread.getAndSet(false);
        try {
            if (!isRead) {
                read();
                isRead = true;
            }
        } finally {
            if (!isRead) {
                unread.set(true);
            }
        }
    }

    /** Reads an entry, once, as entries never change. */
    private void read() throws Exception {
        SortedMap<String, HistoryRecord> now = new TreeMap<>(known);
        List<String> names = client.getChildren().usingWatcher(watcher).forPath(paths.history());
        now.keySet().retainAll(names);
        for (String name : names) {
            if (!now.containsKey(name)) {
                byte[] bytes = client.getData().forPath(paths.history() + "/" + name);
                try {
                    now.put(name, HistoryRecord.fromBytes(bytes));
                } catch (IOException e) {
                    // Only reported: whatever else follows from a view matters more.
                    complaints.onUnreadable(name, e);
                }
            }
        }
        known = Collections.unmodifiableSortedMap(now);
    }

    String json() {
        return HistoryRecord.toJson(known.values());
    }

    /** Adds a failover, and deletes the oldest ones. */
    void add(Failover failover, HistoryRecord record) throws Exception {
        client.create().forPath(paths.history(failover.ballot().number()), record.toBytes());
        List<String> names = new ArrayList<>(client.getChildren().forPath(paths.history()));
        Collections.sort(names);
        for (int i = 0; i < names.size() - KEPT; i++) {
            client.delete().forPath(paths.history() + "/" + names.get(i));
        }
    }
}
