/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.edits.CommitWatch;
import io.trefoil.journal.hdfs.edits.ServingTerm;
import io.trefoil.journal.hdfs.pin.RemotePinService;
import io.trefoil.journal.hdfs.tailing.EditsObserver;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
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

    private final ConfiguredJournal configured;
    private final ServingTerm term;

    private NameNodeJournal(ConfiguredJournal configured) {
        this.configured = configured;
        this.term = ServingTerm.of(configured.settings());
    }

    /** @throws IllegalArgumentException if its shared edits are not a journal of ours; the text says what they are */
    public static NameNodeJournal of(NameNode nameNode) {
        Configuration conf = nameNode.getConf();
        List<URI> shared = FSNamesystem.getSharedEditsDirs(conf);
        return new NameNodeJournal(JournalProvider.of(shared)
                .orElseThrow(() -> new IllegalArgumentException("The shared edits " + shared
                        + " are not a journal of Trefoil's: wanted ssp://, or bk:// with its jar on the class path"))
                .find(conf, shared.get(0), nameNode.getFSImage().getStorage().getNamespaceInfo()));
    }

    /** @throws IOException if the journal cannot be opened now */
    public Journal open() throws IOException {
        return configured.open();
    }

    /** The pool that keeps the journal; empty if something else does. */
    public Optional<NameNodePool> pool() {
        return configured.pool();
    }

    /** The namespace of this NameNode. */
    public NamespaceId namespace() {
        return configured.namespace();
    }

    /**
     * Declares that this NameNode reveals no edit to a client before it is committed ({@link #term}), so its flushes
     * need not wait for the observers that clients read from; from its next term on.
     *
     * @throws IOException if the journal cannot be opened now
     */
    public void declareAnswersHeld() throws IOException {
        open().declareAnswersHeld();
    }

    /**
     * Sends orders about the journal's pins to whichever NameNode is its writer.
     *
     * @param active the nameservice and name, with a dot between, of the NameNode that is probably active and asked first
     */
    public RemotePinService pinService(Configuration conf, Supplier<Optional<String>> active) {
        JournalId id = configured.settings().journal();
        return RemotePinService.of(
                conf, id, (shared, resolved) -> JournalProvider.isJournal(id, shared, resolved), PIN_TIMEOUT, active);
    }

    /** Returns the number of voters that must be in sync before this NameNode may write. */
    public int writerReplicas() {
        return configured.settings().writerReplicas();
    }

    /** Returns how long a majority of acknowledgements lets this NameNode assume that it is the only writer. */
    public Duration lease() {
        return configured.lease();
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
    public void setTermStartCheck(Function<Barriers, Optional<String>> termStartCheck) {
        term.setTermStartCheck(termStartCheck);
    }

    /** Sets the watcher of the edits that this NameNode applies as a standby or an observer. There is one at a time. */
    public void watchEdits(EditsObserver watcher) {
        TailingGate.of(configured.settings()).watchEdits(watcher);
    }

    /**
     * Returns how long ago this process learned of the oldest committed transaction that its NameNode has not applied; zero if
     * there is none, or the NameNode does not tail. Never blocks.
     */
    public Duration lag() {
        return Duration.ofNanos(TailingGate.of(configured.settings()).lag().nanosBehind(System.nanoTime()));
    }

    /** The address of the pool node in this process, as {@code host:port}; empty if there is none. */
    public String poolAddress() {
        return pool().flatMap(NameNodePool::ownNode).map(NodeAddress::toString).orElse("");
    }
}
