/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * This process's part in the pool: at most one node per address, and one {@link Journal} per node and journal.
 *
 * <p>A registry per process, because HDFS builds a new journal manager at every change of role, which knows nothing
 * about what the previous one was running.
 */
public final class PoolProcess {

    private static final Map<NodeAddress, PoolNode> NODES = new HashMap<>();
    private static final Map<String, PoolJournal> JOURNALS = new HashMap<>();
    private static PoolObserver observer = PoolObserver.NONE;

    private PoolProcess() {}

    /** Sets the observer of all nodes and journals that start from now on. */
    public static synchronized void setObserver(PoolObserver newObserver) {
        observer = newObserver;
    }

    /**
     * The journal that the settings describe; the first call starts the node in this process, if the settings name one.
     *
     * @throws IOException if the node cannot start: its port is taken, or its directory cannot be used
     */
    public static synchronized Journal journal(PoolSettings settings) throws IOException {
        String key = key(settings);
        PoolJournal journal = JOURNALS.get(key);
        if (journal == null) {
            Optional<PoolNode> node = settings.node().isPresent()
                    ? Optional.of(node(settings.node().get()))
                    : Optional.<PoolNode>empty();
            journal = new PoolJournal(settings, node, observer);
            JOURNALS.put(key, journal);
        }
        return journal;
    }

    /** The node at the settings' address; started by the first call. */
    public static synchronized PoolNode node(NodeSettings settings) throws IOException {
        PoolNode node = NODES.get(settings.address());
        if (node == null) {
            node = PoolNode.start(settings, observer);
            NODES.put(settings.address(), node);
        }
        return node;
    }

    /** Closes everything in this process; for tests and for an orderly shutdown. */
    public static synchronized void closeAll() throws IOException {
        JOURNALS.values().forEach(PoolJournal::close);
        JOURNALS.clear();
        for (PoolNode node : NODES.values()) {
            node.close();
        }
        NODES.clear();
    }

    private static String key(PoolSettings settings) {
        JournalId journal = settings.journal();
        String node = settings.node().map(own -> own.address().toString()).orElse("none");
        // Journals of two clusters may have the same name, and before a format neither has a namespace.
        return node + "/" + journal + "/" + settings.namespace() + "/" + settings.addresses();
    }
}
