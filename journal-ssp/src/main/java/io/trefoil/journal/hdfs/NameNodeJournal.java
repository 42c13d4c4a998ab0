/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.hdfs.config.SspSettings;
import io.trefoil.journal.hdfs.edits.CommitWatch;
import io.trefoil.journal.hdfs.edits.ServingTerm;
import io.trefoil.journal.hdfs.pin.RemotePinService;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.client.PoolInquiry;
import io.trefoil.journal.pool.server.ForwardedCalls;
import io.trefoil.journal.pool.server.NodeSettings;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;

/**
 * The journal that a NameNode of this process writes, for code that works beside it: the same one that its journal
 * managers use. Thread-safe.
 *
 * <p>Uses {@code NameNode.getConf}, {@code getFSImage}, {@code FSNamesystem.getSharedEditsDirs}.
 */
public final class NameNodeJournal {
    private static final Duration PIN_PATIENCE = Duration.ofSeconds(5);

    private final SspSettings settings;
    private final ServingTerm term;

    private NameNodeJournal(SspSettings settings) {
        this.settings = settings;
        this.term = ServingTerm.of(settings);
    }

    /** @throws IllegalArgumentException if its shared edits are no {@code ssp://} journal; the text says what they are */
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
     * Questions to all its nodes, for as long as they are not closed.
     *
     * @throws IOException if connections are to be by TLS, and the keys cannot be used
     */
    public PoolInquiry inquiry(Duration patience) throws IOException {
        return PoolInquiry.of(
                settings.pool().journal(),
                settings.pool().authentication(),
                settings.pool().tls(),
                patience);
    }

    /**
     * Hands clients' calls on to the NameNodes in the processes of its nodes, for as long as it is not closed.
     *
     * @throws IOException if connections are to be by TLS, and the keys cannot be used
     */
    public CallLink callLink() throws IOException {
        return CallLink.of(
                settings.pool().journal(),
                settings.pool().namespace(),
                settings.pool().authentication(),
                settings.pool().tls());
    }

    /**
     * Who executes the calls that other NameNodes hand on to this one.
     *
     * @throws IOException if the pool node of this process cannot be started
     * @throws IllegalStateException if there is none: nobody could hand anything on to this process
     */
    public void executeCalls(ForwardedCalls executor) throws IOException {
        NodeSettings node = settings.pool()
                .node()
                .orElseThrow(() -> new IllegalStateException("This process has no pool node to receive calls"));
        PoolProcess.node(node).executeCalls(settings.pool().journal(), executor);
    }

    /**
     * Has the pool node of this process serve the NameNodes that a configuration names, in place of those of its start; does
     * nothing if it has none.
     *
     * @param conf as this NameNode's own, with other NameNodes in it
     * @throws IllegalArgumentException if something in it is wrong; whom the node serves is as before
     * @throws IOException if it fits no login of this process; the same
     */
    public void trust(Configuration conf) throws IOException {
        Optional<NodeSettings> own = settings.pool().node();
        if (own.isPresent()) {
            PoolProcess.node(own.get()).trust(settings.accessIn(conf), SspSettings.authenticationIn(conf));
        }
    }

    /** The places of its URI. */
    public List<NodeAddress> addresses() {
        return new ArrayList<>(settings.pool().addresses());
    }

    /** For orders about its pins, to whichever NameNode writes it. */
    public RemotePinService pinService(Configuration conf) {
        return RemotePinService.of(conf, settings.pool().journal(), PIN_PATIENCE);
    }

    /** How many voters must be in sync before this NameNode may write. */
    public int writerReplicas() {
        return settings.writerReplicas();
    }

    /** How long a majority of acknowledgements lets this NameNode believe itself alone. */
    public Duration lease() {
        return settings.pool().lease();
    }

    /** The latest term in which this NameNode writes; empty until it first does. Waits for nothing. */
    public Optional<CommitWatch> term() {
        return term.commits();
    }

    /**
     * Who is told whenever the term may say more than before, by the threads that commit: it must wait for nothing. One
     * at a time.
     */
    public void onAdvance(Runnable watcher) {
        term.onAdvance(watcher);
    }

    /**
     * Who may say why this NameNode must not begin to write, by the barriers at the very end of the journal; it ends then. On the
     * thread that makes it active.
     */
    public void onBeginning(Function<Barriers, Optional<String>> objector) {
        term.onBeginning(objector);
    }

    /**
     * How long ago it was heard here of the oldest committed transaction that this NameNode has not applied; zero if there is
     * none, or it does not follow. Waits for nothing.
     */
    public Duration lag() {
        return Duration.ofNanos(TailingGate.of(settings).lag().nanosBehind(System.nanoTime()));
    }

    /** Where the pool node of this process listens, as {@code host:port}; empty if it has none. */
    public String poolAddress() {
        return settings.pool().node().map(node -> node.address().toString()).orElse("");
    }
}
