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
import io.trefoil.journal.pool.client.LeaseSurvey;
import io.trefoil.journal.pool.replica.HeardTerm;
import io.trefoil.journal.pool.replica.WrittenLog;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import io.trefoil.journal.pool.writer.BarrierRefusedException;
import io.trefoil.journal.pool.writer.FencedException;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.OwnTerm;
import io.trefoil.journal.pool.writer.WriterStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One journal as its users see it, independent of which nodes keep it (paper §4.1).
 *
 * <p>Belongs to the process, not to HDFS's {@code JournalManager}, which comes and goes with the NameNode's role.
 * Called by any thread. Reading gives committed entries only (rule R6): from the node in this process if it has them,
 * otherwise from the others.
 */
public interface Journal {

    JournalId id();

    /**
     * Whether any node that can be reached has storage of this journal.
     *
     * @throws IOException if no node at all can be reached, so that nothing is known
     */
    boolean hasSomeData() throws IOException;

    /**
     * Makes the journal: on the node in this process if there is one, and on those of the others that can be
     * reached and are empty (with {@code force}: whatever they hold). Nodes that come later join by themselves.
     *
     * @throws IOException if no node could be formatted, or one refused; the text says which and why
     */
    void format(NamespaceId namespace, StorageRecord.Version version, boolean force) throws IOException;

    /**
     * Becomes the writer: takes an epoch that fences all before it, recovers the log, ends an unfinished segment.
     * Waits as long as it takes until a majority answers and {@code minReplicas} voters are in sync.
     *
     * @throws FencedException if another writer took a higher epoch meanwhile
     * @throws IOException if the calling thread was interrupted, or if this process can write no more
     */
    JournalWriter openWriter(int minReplicas) throws IOException;

    /**
     * Becomes the writer ahead of time: the next {@link #openWriter} gets this one, if its term still runs then. So that
     * who would be a NameNode's active knows that it can write before HDFS is asked to change its role, which HDFS
     * survives only if it succeeds.
     *
     * @throws IOException as {@link #openWriter}
     */
    JournalWriter prepareWriter(int minReplicas) throws IOException;

    /** The term of this process, prepared or not; empty if there is none, or it was ended. Waits for nothing. */
    Optional<OwnTerm> ownTerm();

    /** The writer of this process, with what each node lacks; empty if it is not ready for batches. For monitoring; waits for nothing. */
    Optional<WriterStatus> writerStatus();

    /** Tells when more is known to be committed by the replica in this process; empty if there is no replica. */
    Optional<CommitSignal> ownCommits();

    /**
     * For how long the disk of the replica in this process owes an answer to the oldest thing that was asked of it;
     * zero if it owes none, or there is no replica. Waits for nothing.
     */
    Duration diskSilent();

    /**
     * What the replica in this process has heard of the writer; empty if there is no replica, or it is in trouble.
     * Waits for nothing.
     */
    Optional<HeardTerm> heardTerm();

    /**
     * What the replica in this process has acknowledged; empty if there is no replica, it is in trouble, or lacks what it once had.
     * Waits for nothing.
     */
    Optional<WrittenLog> written();

    /**
     * Calls back, on any thread and under a lock, so that it must wait for nothing, whenever the replica in this
     * process stops believing in a writer because that stepped down or its process appears to be down; not when a lease
     * runs out. One at a time; nobody if there is no replica.
     */
    void onLeaseFreed(Runnable watcher);

    /**
     * Asks all nodes whether they believe in a writer; changes nothing on them.
     *
     * @param patience how long a silent node is waited for, if the others do not settle it
     * @throws IOException if the calling thread was interrupted
     */
    LeaseSurvey surveyLease(Duration patience) throws IOException;

    /**
     * Waits until what is written at this moment is known to be committed, or the time is up. A commit reaches readers
     * a moment after the writer's own acknowledgement; who reads behind this call sees all that was acknowledged before
     * it. A replica in this process that is abreast with the writer answers for itself, without it a majority is asked;
     * so a replica that the acknowledging majority did without may miss the last one yet.
     *
     * @throws IOException if the calling thread was interrupted
     */
    void awaitWritten(Duration limit) throws IOException;

    /**
     * Committed segments with transactions at or above {@code fromTxId}, in order; the last may be unfinished.
     *
     * @throws IOException if no node has edits to read; to the journal's writer also for the milliseconds in which the
     *     nodes do not yet know of all that was acknowledged to it
     */
    List<SegmentInfo> segments(long fromTxId) throws IOException;

    /** Of what {@link #segments} showed last (rule R11); {@link Incarnation#NONE} before the first time. Waits for nothing. */
    Incarnation shownIncarnation();

    /**
     * Committed entries from {@code firstSn} on, of every kind.
     *
     * @param maxBytes at least one entry is returned if there is one, then no more than these payload bytes
     * @return none if nothing is committed there yet
     */
    List<Entry> read(long firstSn, int maxBytes) throws IOException;

    /** The newest committed storage record; empty if the journal is not formatted. */
    Optional<StorageRecord> storage() throws IOException;

    /**
     * Waits until a transaction above {@code knownTxId} is committed or the time is up.
     *
     * @return the highest committed transaction known
     * @throws InterruptedException if the calling thread was interrupted
     */
    long awaitCommitted(long knownTxId, Duration timeout) throws InterruptedException, IOException;

    /**
     * Adds a barrier behind all that is appended by now, and waits until it is committed; from then on nothing that it
     * keeps is purged (rule R10, paper §4.3).
     *
     * @throws BarrierRefusedException if it cannot be added: one of its name is live, what it keeps may be purged already;
     *     nothing was written
     * @throws FencedException if another writer took over: whether the barrier is part of the log is unknown
     * @throws IOException if this process does not write the journal, or stopped to while it waited; then it is unknown
     */
    void addBarrier(Barrier barrier) throws IOException;

    /**
     * Releases a barrier, if there is one of this name, and waits until that is committed.
     *
     * @throws IOException as {@link #addBarrier}
     */
    void releaseBarrier(String name) throws IOException;

    /**
     * The live barriers that a majority of the nodes knows to be committed; one that was just added is among them
     * milliseconds later.
     *
     * @throws IOException if no majority can be asked
     */
    Barriers barriers() throws IOException;

    /**
     * The images that may have transactions which were lost in a promotion, as a majority of the nodes knows it.
     *
     * @throws IOException if no majority can be asked
     */
    List<VoidRange> lost() throws IOException;

    /**
     * The newest entry that one of a majority of the nodes knows to be committed.
     *
     * @throws IOException if no majority can be asked
     */
    LogPosition committed() throws IOException;

    /**
     * Allows the nodes to forget transactions below {@code minTxId}, except what barriers keep; returns at once, never
     * fails.
     */
    void purge(long minTxId);
}
