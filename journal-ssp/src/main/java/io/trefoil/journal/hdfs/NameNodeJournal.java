/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.hdfs.edits.CommitWatch;
import io.trefoil.journal.hdfs.edits.ServingTerm;
import io.trefoil.journal.hdfs.pin.RemotePinService;
import io.trefoil.journal.hdfs.tailing.EditsObserver;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.pool.server.ForwardedCalls;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolObserver;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * Gives code in a NameNode's process access to the journal that this NameNode writes, the same one that its journal
 * managers use. Thread-safe.
 *
 * <p>Uses {@code NameNode.getConf}, {@code getFSImage}, {@code FSNamesystem.getSharedEditsDirs}.
 */
public final class NameNodeJournal {
    private static final Duration PIN_TIMEOUT = Duration.ofSeconds(5);

    private final SspSettings settings;
    private final ServingTerm term;

    private NameNodeJournal(SspSettings settings) {
        this.settings = settings;
        this.term = ServingTerm.of(settings.nameNode());
    }

    /** @throws IllegalArgumentException if its shared edits are not an {@code ssp://} journal; the text says what they are */
    public static NameNodeJournal of(NameNode nameNode) {
        Configuration conf = nameNode.getConf();
        List<URI> shared = FSNamesystem.getSharedEditsDirs(conf);
        if (!PoolUri.isPool(shared)) {
            throw new IllegalArgumentException("The shared edits " + shared + " are not an ssp:// journal");
        }
        return new NameNodeJournal(SspSettings.read(
                conf, shared.get(0), nameNode.getFSImage().getStorage().getNamespaceInfo()));
    }

    /** @throws IOException if the pool node of this process cannot be started */
    public Journal open() throws IOException {
        return PoolProcess.journal(settings.pool());
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

    /** The namespace of this NameNode. */
    public NamespaceId namespace() {
        return settings.pool().namespace();
    }

    /** The pool node of this process; empty if there is none. */
    public Optional<NodeAddress> ownNode() {
        return settings.pool().node().map(NodeSettings::address);
    }

    /**
     * Declares that this NameNode reveals no edit to a client before it is committed ({@link #term}), so its flushes
     * need not wait for the observers that clients read from; from its next term on.
     *
     * @throws IOException if the pool node of this process cannot be started
     */
    public void declareAnswersHeld() throws IOException {
        open().declareAnswersHeld();
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

    /**
     * Sends orders about the journal's pins to whichever NameNode is its writer.
     *
     * @param active the nameservice and name, with a dot between, of the NameNode that is probably active and asked first
     */
    public RemotePinService pinService(Configuration conf, Supplier<Optional<String>> active) {
        return RemotePinService.of(conf, settings.pool().journal(), PIN_TIMEOUT, active);
    }

    /** Returns the number of voters that must be in sync before this NameNode may write. */
    public int writerReplicas() {
        return settings.nameNode().writerReplicas();
    }

    /** Returns how long a majority of acknowledgements lets this NameNode assume that it is the only writer. */
    public Duration lease() {
        return settings.pool().lease();
    }

    /** Returns where this process writes its traces; empty if it writes none. */
    public Optional<Path> traceDirectory() {
        return settings.pool().traceDirectory();
    }

    /** The latest term in which this NameNode writes; empty until it first does. Never blocks. */
    public Optional<CommitWatch> latestTerm() {
        return term.commitWatch();
    }

    /**
     * Sets the watcher of the term: runs whenever the term may have advanced, on the threads that commit, so it must
     * not block. There is one at a time.
     */
    public void setAdvanceWatcher(Runnable watcher) {
        term.setAdvanceWatcher(watcher);
    }

    /**
     * Sets a check of the barriers at the very end of the journal, which may return a reason why this NameNode must not
     * begin to write; the NameNode then ends. Runs on the thread that makes the NameNode active.
     */
    public void setTermStartCheck(Function<Barriers, Optional<String>> objector) {
        term.setTermStartCheck(objector);
    }

    /** Sets the watcher of the edits that this NameNode applies as a standby or an observer. There is one at a time. */
    public void watchEdits(EditsObserver watcher) {
        TailingGate.of(settings.nameNode()).watchEdits(watcher);
    }

    /**
     * Returns how long ago this process learned of the oldest committed transaction that its NameNode has not applied; zero if
     * there is none, or the NameNode does not tail. Never blocks.
     */
    public Duration lag() {
        return Duration.ofNanos(TailingGate.of(settings.nameNode()).lag().nanosBehind(System.nanoTime()));
    }

    /** The address of the pool node in this process, as {@code host:port}; empty if there is none. */
    public String poolAddress() {
        return settings.pool().node().map(node -> node.address().toString()).orElse("");
    }
}
