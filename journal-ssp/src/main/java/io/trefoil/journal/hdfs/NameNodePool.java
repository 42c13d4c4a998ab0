/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.pool.server.ForwardedCalls;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The pool that keeps a NameNode's journal, and the pool node in its process. Thread-safe. */
public final class NameNodePool {
    private final SspSettings settings;

    NameNodePool(SspSettings settings) {
        this.settings = settings;
    }

    /**
     * The journal for a process that only reads it, over separate connections: reading it this way does not affect what HDFS sees. The
     * caller closes it.
     *
     * @throws IOException if TLS is on and the keys cannot be used
     */
    public PoolJournal openReader() throws IOException {
        PoolSettings reader = PoolSettings.builder()
                .journal(settings.pool().journal())
                .namespace(settings.pool().namespace())
                .addresses(settings.pool().addresses())
                .minReplicas(1)
                .authentication(settings.pool().authentication())
                .tls(settings.pool().tls())
                .build();
        return new PoolJournal(reader, Optional.empty(), PoolObserver.NONE);
    }

    /** The pool node of this process; empty if there is none. */
    public Optional<NodeAddress> ownNode() {
        return settings.pool().node().map(NodeSettings::address);
    }

    /**
     * Asks all nodes of the journal; the caller closes it.
     *
     * @throws IOException if TLS is on and the keys cannot be used
     */
    public PoolAdminClient openAdminClient(Duration timeout) throws IOException {
        return PoolAdminClient.of(
                settings.pool().journal(),
                settings.pool().authentication(),
                settings.pool().tls(),
                timeout);
    }

    /**
     * Forwards clients' calls to the NameNodes in the processes of its nodes; the caller closes it. Asks for the strongest protection
     * that is configured, since a client may have chosen it for its own connection.
     *
     * @throws IOException if TLS is on and the keys cannot be used
     */
    public CallLink callLink() throws IOException {
        return CallLink.of(
                settings.pool().journal(),
                settings.pool().namespace(),
                settings.pool().authentication().withStrongestProtection(),
                settings.pool().tls());
    }

    /**
     * Sets the executor of the calls that other NameNodes forward to this one.
     *
     * @throws IOException if the pool node of this process cannot be started
     * @throws IllegalStateException if this process has no pool node: nothing could be forwarded to it
     */
    public void setCallExecutor(ForwardedCalls executor) throws IOException {
        NodeSettings node = settings.pool()
                .node()
                .orElseThrow(() -> new IllegalStateException("This process has no pool node to receive calls"));
        PoolProcess.node(node).setCallExecutor(settings.pool().journal(), executor);
    }

    /**
     * Makes the pool node of this process serve the NameNodes that a configuration names, in place of those known when
     * it started; does nothing if this process has no pool node.
     *
     * @param conf like this NameNode's own, but with other NameNodes in it
     * @throws IllegalArgumentException if something in it is wrong; the node then serves whom it served before
     * @throws IOException if it does not fit the login of this process; the node then serves whom it served before
     */
    public void replaceNameNodes(Configuration conf) throws IOException {
        Optional<NodeSettings> own = settings.pool().node();
        if (own.isPresent()) {
            PoolProcess.node(own.get()).replaceAccess(settings.readAccess(conf), SspSettings.readAuthentication(conf));
        }
    }

    /** The addresses in its URI. */
    public List<NodeAddress> addresses() {
        return new ArrayList<>(settings.pool().addresses());
    }

    /** Returns where this process writes its traces; empty if it writes none. */
    public Optional<Path> traceDirectory() {
        return settings.pool().traceDirectory();
    }
}
