/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.TxRange;
import java.io.IOException;

/**
 * The writer of a journal for one term (protocol page, "Writing").
 *
 * <p>{@link #append} is called by one thread at a time, everything else by any.
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

    /** Whether a majority is known to have promised a higher epoch. */
    boolean isFenced();

    /** Ends the term; the next writer need not wait for the lease. Never fails. */
    @Override
    void close();
}
