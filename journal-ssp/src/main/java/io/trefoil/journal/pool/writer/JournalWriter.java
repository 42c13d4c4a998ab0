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
 * <p>{@link #append} and {@link #appendAhead} are called by one thread at a time, everything else by any.
 */
public interface JournalWriter extends AutoCloseable {

    Epoch epoch();

    /** What the log adds up to, up to the last entry appended. */
    LogSummary end();

    /**
     * Appends an entry and waits until it is committed; a slow or missing majority makes it wait, never fail.
     *
     * @return the serial number of the entry
     * @param payload at most {@link EntryCodec#MAX_PAYLOAD_SIZE} bytes
     * @throws EntryTooLargeException if it has more: nothing was written or sent, and the next append takes its place
     * @throws FencedException if a majority promised a higher epoch: whether the entry will be part of the log is
     *     unknown, and this process must not go on with what it contains
     * @throws IOException if the writer was closed or the calling thread was interrupted; the outcome is unknown
     */
    long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException;

    /**
     * Appends an entry that means nothing without what follows it, and waits for nothing: it goes along with the next entry, in
     * the same writes and syncs, and when that is committed this one is, too. Without a next one it is sent within some 10 ms.
     *
     * @return the serial number of the entry
     * @throws FencedException as {@link #append}; if it comes later, the next append says so
     * @throws IOException as {@link #append}
     */
    long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException;

    /**
     * Sends what was appended ahead and waits until all that was appended is committed, but not longer than {@code patience}, nor
     * if this writer is over, nor if the calling thread is interrupted.
     *
     * @return whether it is known to be
     */
    boolean settle(Duration patience);

    /** The highest serial number known to be committed, whatever appends wait for. Waits for nothing. */
    long committedSn();

    /**
     * Whether nobody else can have become the writer by then: what this process knew of the journal at that moment was all that there
     * was. False also if that is only not known yet; {@link #wantAnswers} has it found out. Waits for nothing.
     *
     * @param nanos a moment in the past, by {@link System#nanoTime()}
     */
    boolean wasAloneAt(long nanos);

    /** Readers are answered: for the next seconds it is to be known at any time whether this writer is alone. Cheap; waits for nothing. */
    void wantAnswers();

    /**
     * Whether reads beside a node may be answered without this writer, for {@link ReadLeases#USED_MILLIS} from when that was
     * asked for (near-reads page). If so, nothing is committed until then that the node lacks. Waits for nothing; who is
     * refused may ask again a little later.
     */
    boolean grantReads(NodeId node);

    /** Who is told, by any thread, when either of the two may say more than before; it must wait for nothing. One at a time. */
    void onAdvance(Runnable watcher);

    /** Whether this term has ended, for whatever reason. */
    boolean isOver();

    /** Whether a majority is known to have promised a higher epoch. */
    boolean isFenced();

    /** Ends the term; the next writer need not wait for the lease. Never fails. */
    @Override
    void close();
}
