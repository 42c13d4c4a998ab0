/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.format.FormatOrder;
import io.trefoil.journal.pool.lease.LeaseChoice;
import io.trefoil.journal.pool.replica.AcknowledgedLog;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.replica.ObservedTerm;
import io.trefoil.journal.pool.replica.UnappliedEdit;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.writer.BarrierRefusedException;
import io.trefoil.journal.pool.writer.FencedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.LocalTerm;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A journal as its users see it, independent of which nodes keep it (paper §4.1).
 *
 * <p>Belongs to the process, not to HDFS's {@code JournalManager}, which comes and goes with the NameNode's role.
 * Called by any thread. Readers get committed entries only (rule R6): from the node in this process if it has them,
 * otherwise from the others.
 */
public interface Journal {

    JournalId id();

    /**
     * Whether any reachable node has storage of this journal.
     *
     * @throws IOException if no node can be reached, so that nothing is known
     */
    boolean hasSomeData() throws IOException;

    /**
     * Creates the journal on the node in this process, if there is one, and on all other nodes that can be reached and
     * are empty (with {@code force}: whatever they hold). Nodes that come up later join by themselves.
     *
     * @return the incarnation that begins
     * @throws IOException if no node could be formatted, or one refused, or a process may still use an earlier
     *     incarnation of the journal, which is not named as void; the text says which and why
     */
    Incarnation format(FormatOrder order) throws IOException;

    /** Creates the journal, assuming that this host knows of no earlier one and that nothing is named as void. */
    default void format(NamespaceId namespace, StorageRecord.Version version, boolean force) throws IOException {
        FormatOrder order = FormatOrder.of(namespace, version);
        format(force ? order.withForce() : order);
    }

    /**
     * Refuses in the same cases as {@link #format}, and changes nothing. Takes as long as the lease of a writer that has just ended.
     *
     * @throws IOException if a process may still use an incarnation of the journal; the text says which
     */
    void requireFormattable(FormatOrder order) throws IOException;

    /**
     * Lets the appends of this process's next writers return as soon as a majority has them: code that answers users
     * reveals nothing before it is committed ({@link JournalWriter#committedSn}), which takes longer where observers
     * are read from (near-reads page).
     */
    void declareAnswersHeld();

    /**
     * Sets what is known about the namespace of the NameNode in this process, which decides whether the pool node in this process, if there
     * is one, takes part in the journal ({@link LocalNamespace}).
     */
    void setLocalNamespace(LocalNamespace namespace);

    /** The namespace last given to {@link #setLocalNamespace}; {@link LocalNamespace#UNKNOWN} before that. Does not block. */
    LocalNamespace localNamespace();

    /**
     * Becomes the writer: acquires an epoch that fences all before it, recovers the log, and ends an unfinished
     * segment. Waits without limit until a majority answers and {@code minReplicas} voters are in sync.
     *
     * @throws FencedException if another writer acquired a higher epoch meanwhile
     * @throws IOException if the calling thread was interrupted, or if this process can write no more
     */
    JournalWriter openWriter(int minReplicas) throws IOException;

    /**
     * Becomes the writer ahead of time: the next {@link #openWriter} returns this writer unless it was closed. A
     * NameNode that is about to become active thus knows that it can write before HDFS is asked to change its role;
     * HDFS survives that change only if it succeeds.
     *
     * @throws IOException as {@link #openWriter}
     */
    JournalWriter prepareWriter(int minReplicas) throws IOException;

    /**
     * Opens the sessions with the nodes that the next {@link #prepareWriter} uses, which then saves the time for it. The nodes are asked
     * for nothing: nothing changes on them, and the writer of another process notices nothing. Waits for no session; those that break are
     * opened again.
     *
     * @param minReplicas as in that call
     * @throws IOException if the journal's namespace is not known and cannot be asked for; {@code prepareWriter} tries again
     */
    void openSessions(int minReplicas) throws IOException;

    /** Closes the sessions that {@link #openSessions} opened, unless a writer uses them. */
    void closeSessions();

    /** The term of this process, prepared or not; empty if there is none, or it was closed. Does not block. */
    Optional<LocalTerm> localTerm();

    /**
     * The lease that the term of this process asks for, and why it is as long; empty if there is no term, or the store derives no leases or
     * is told to use one length. Does not block.
     */
    default Optional<LeaseChoice> derivedLease() {
        return Optional.empty();
    }

    /**
     * The writer of this process and how far each node is behind, for monitoring; empty if it is not ready for batches. Does
     * not block.
     */
    Optional<WriterStatus> writerStatus();

    /** Signals new commits that the replica in this process knows of; empty if there is no replica. */
    Optional<CommitSignal> localCommitSignal();

    /**
     * Returns how long the disk of the replica in this process has not answered the oldest pending call; zero if none is
     * pending, or there is no replica. Does not block.
     */
    Duration diskStallTime();

    /**
     * The record of the edit that this process's NameNode cannot apply, kept by the replica in this process; empty if
     * there is no replica.
     */
    Optional<UnappliedEdit> unappliedEdit();

    /** The writer's term as observed by the replica in this process; empty if there is no replica, or it has failed. Does not block. */
    Optional<ObservedTerm> observedTerm();

    /**
     * The log that the replica in this process has acknowledged; empty if there is no replica, or it has failed or lost
     * entries. Does not block.
     */
    Optional<AcknowledgedLog> acknowledgedLog();

    /**
     * Sets the one callback for when the replica in this process stops considering a writer alive because that writer
     * stepped down or its process appears to be down; an expired lease does not trigger it. Runs on any thread, under a
     * lock, so it must not block. Has no effect if there is no replica.
     */
    void setLeaseFreedWatcher(Runnable watcher);

    /**
     * Asks all nodes whether they consider a writer alive; changes nothing on them.
     *
     * @param timeout how long to wait for a silent node, if the others do not settle it
     * @throws IOException if the calling thread was interrupted
     */
    PoolLeaseStatus queryLease(Duration timeout) throws IOException;

    /**
     * What the store of this journal reports; empty if that is a pool, whose nodes are asked instead.
     *
     * @throws IOException if the store does not answer now
     */
    default Optional<StoreStatus> storeStatus() throws IOException {
        return Optional.empty();
    }

    /**
     * Waits until everything written at this moment is known to be committed, or the time is up. A commit reaches
     * readers a moment after the writer's own acknowledgement; a reader that calls this first sees all that was
     * acknowledged before. If the replica in this process is caught up with the writer, it answers itself; otherwise a
     * majority is asked. A replica that was not part of the acknowledging majority may therefore still miss the last
     * commit.
     *
     * @throws IOException if the calling thread was interrupted
     */
    void awaitWritten(Duration limit) throws IOException;

    /**
     * Committed segments with transactions at or above {@code fromTxId}, in order; the last may be unfinished.
     *
     * @throws IOException if no node has edits to read. The journal's writer also gets it for the milliseconds in which
     *     the nodes do not yet know of all that was acknowledged to it
     */
    List<SegmentInfo> segments(long fromTxId) throws IOException;

    /**
     * The incarnation that {@link #segments} showed last (rule R11); {@link Incarnation#NONE} before its first call.
     * Does not block.
     */
    Incarnation lastShownIncarnation();

    /**
     * The incarnation of the edits that the namespace in this process was made from, as far as the process has seen it;
     * {@link Incarnation#NONE} at first. Set by the code that compares the two. Outlives the NameNode's roles.
     */
    AtomicReference<Incarnation> followedIncarnation();

    /**
     * Committed entries of every kind, from {@code firstSn} on.
     *
     * @param maxBytes limit of the payload bytes; at least one entry is returned if there is one
     * @return an empty list if nothing is committed there yet
     */
    List<Entry> read(long firstSn, int maxBytes) throws IOException;

    /** The newest committed storage record; empty if the journal is not formatted. */
    Optional<StorageRecord> storageRecord() throws IOException;

    /**
     * Waits until a transaction above {@code knownTxId} is committed or the time is up.
     *
     * @return the highest committed transaction known
     * @throws InterruptedException if the calling thread was interrupted
     */
    long awaitCommitted(long knownTxId, Duration timeout) throws InterruptedException, IOException;

    /**
     * Adds a barrier after everything appended so far, and waits until it is committed; from then on nothing that it
     * keeps is purged (rule R10, paper §4.3).
     *
     * @throws BarrierRefusedException if it cannot be added, because a barrier of its name is live or what it keeps may
     *     be purged already; nothing was written
     * @throws FencedException if another writer took over: whether the barrier is part of the log is unknown
     * @throws IOException if this process does not write the journal; or if it stopped writing during the wait, and
     *     then it is unknown whether the barrier is in the log
     */
    void addBarrier(Barrier barrier) throws IOException;

    /**
     * Releases the barrier of this name, if there is one, and waits until the release is committed.
     *
     * @throws IOException as {@link #addBarrier}
     */
    void releaseBarrier(String name) throws IOException;

    /**
     * The live barriers that a majority of the nodes knows to be committed; a new barrier appears within milliseconds.
     *
     * @throws IOException if no majority can be asked
     */
    Barriers barriers() throws IOException;

    /**
     * The ranges of transactions lost in promotions and restores from an archive, as a majority of the nodes knows them; images may contain such
     * transactions.
     *
     * @throws IOException if no majority can be asked
     */
    List<VoidRange> lostRanges() throws IOException;

    /**
     * The newest entry that any node of a majority knows to be committed.
     *
     * @throws IOException if no majority can be asked
     */
    LogPosition committedPosition() throws IOException;

    /**
     * Allows the nodes to purge transactions below {@code minTxId}, except what barriers keep; does nothing before this
     * process may write. Returns at once, never fails.
     */
    void purge(long minTxId);
}
