/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.io.IOException;
import java.time.Duration;

/**
 * The writer of a journal for one term (protocol page, "Writing").
 *
 * <p>One thread at a time calls {@link #append} and {@link #appendAhead}; any thread may call the other methods.
 */
public interface JournalWriter extends AutoCloseable {

    Epoch epoch();

    /** The summary of the log up to the last entry appended. */
    LogSummary end();

    /**
     * Appends an entry and waits until it is committed, or, if answers are held ({@link Journal#answersAreHeld}) or the policy is {@code
     * one}, until edits are on enough disks for that policy; a slow or missing majority makes it wait, but never fail.
     *
     * @return the serial number of the entry
     * @param payload at most {@link EntryCodec#MAX_PAYLOAD_SIZE} bytes
     * @throws EntryTooLargeException if the payload is larger: nothing was written or sent, and the next append takes
     *     its place
     * @throws FencedException if a majority promised a higher epoch: it is unknown whether the entry will be part of
     *     the log, and this process must not continue with its contents
     * @throws IOException if the writer was closed or the calling thread was interrupted; the outcome is unknown
     */
    long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException;

    /**
     * Appends an entry that is meaningless without the next one, and does not wait: it is sent with the next entry,
     * in the same writes and syncs, and is committed when that is. Without a next entry it is sent within some 10 ms.
     *
     * @return the serial number of the entry
     * @throws FencedException as {@link #append}; if fenced later, the next append says so
     * @throws IOException as {@link #append}
     */
    long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException;

    /**
     * Sends what was appended ahead and waits until everything appended is committed. Ends early after
     * {@code timeout}, if this writer is over, or if the calling thread is interrupted.
     *
     * @return whether everything is known to be committed
     */
    boolean awaitAllCommitted(Duration timeout);

    /** The highest serial number known to be committed, whatever appends wait for. Does not block. */
    long committedSn();

    /**
     * Whether no other process can have become the writer by that moment: this process then knew everything in the journal. Also false
     * while this is not known yet; {@link #trackExclusivity} makes it known. Does not block.
     *
     * @param atNanos a moment in the past, by {@link System#nanoTime()}
     */
    boolean wasSoleWriterAt(long atNanos);

    /**
     * Whether a majority has answered what was sent to it after a moment: an append made then did not wait for an unreachable majority.
     * While nothing is written, it takes up to a fifth of the lease to know. Does not block.
     *
     * @param sinceNanos a moment in the past, by {@link System#nanoTime()}
     */
    boolean hasMajorityAnsweredSince(long sinceNanos);

    /**
     * Reports that readers are being answered: for the next seconds, the writer keeps track of whether it is the only writer.
     * Cheap; does not block.
     */
    void trackExclusivity();

    /**
     * Whether observers next to a node may answer reads without asking this writer, for {@link ReadLeases#USED_MILLIS} from the time of the
     * request (near-reads page). If so, nothing that the node lacks is committed until then. Does not block; after a refusal, the caller
     * may ask again a little later.
     */
    boolean grantReads(NodeId node);

    /**
     * Sets the one watcher for when {@code committedSn} or {@code wasAloneAt} may have advanced; any thread calls it, and it
     * must not block.
     */
    void setAdvanceWatcher(Runnable watcher);

    /** Whether this term has ended, for whatever reason. */
    boolean hasEnded();

    /** Whether this writer is known to be fenced, as {@code FencedException} describes. */
    boolean isFenced();

    /** Ends the term; the next writer need not wait for the lease. Never fails. */
    @Override
    void close();
}
