/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.writer.delivery.RequestSender;
import io.trefoil.journal.pool.writer.term.TermEnd;
import io.trefoil.journal.pool.writer.term.TermProgress;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Appends entries to the log and waits for their outcome, on the appending thread: it steps the rules, wakes the
 * transport's thread and the disk's thread once each, and parks once.
 */
final class Appender {
    private final WriterDriver driver;
    private final RequestSender sender;
    private final TermProgress progress;
    private final TermEnd end;
    private final LongSupplier nanoTime;
    private final WriterTrace trace;
    private volatile JournalObserver observer = JournalObserver.NONE;

    Appender(WriterDriver driver, RequestSender sender, TermProgress progress, TermEnd end, WriterMachine machine) {
        this.driver = driver;
        this.sender = sender;
        this.progress = progress;
        this.end = end;
        this.nanoTime = machine::nanoTime;
        this.trace = machine.trace();
    }

    /** Sets the observer that is notified of commits from now on. */
    void setObserver(JournalObserver newObserver) {
        observer = newObserver;
    }

    /**
     * Appends an entry and waits, as {@link JournalWriter#append}.
     *
     * @param refusal why the rules' state does not allow it, or empty
     */
    long append(EntryKind kind, TxRange txIds, Bytes payload, Function<WriterState, Optional<String>> refusal)
            throws IOException {
        long begunNanos = nanoTime.getAsLong();
        long sn = add(kind, txIds, payload, refusal, begunNanos);
        sender.send();
        if (kind == EntryKind.EDITS) {
            progress.awaitAcknowledged(sn);
        } else {
            // A majority decides on storage, members and barriers, whatever edits wait for.
            progress.awaitAcknowledgedAndCommitted(sn);
        }
        trace.recordReturned(kind, sn);
        observer.onCommitted(nanoTime.getAsLong() - begunNanos, payload.size());
        return sn;
    }

    /** Implements {@link JournalWriter#appendAhead}. */
    long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return add(kind, txIds, payload, state -> Optional.<String>empty(), nanoTime.getAsLong());
    }

    /** Puts an entry at the end of the log; the next send includes it. */
    private long add(
            EntryKind kind,
            TxRange txIds,
            Bytes payload,
            Function<WriterState, Optional<String>> refusal,
            long begunNanos)
            throws IOException {
        end.throwIfEnded();
        if (payload.size() > EntryCodec.MAX_PAYLOAD_SIZE) {
            // Checked first: once it was in the log, no node could write it, nor anything behind it.
            throw new EntryTooLargeException(end.toString(), kind, txIds, payload.size());
        }
        return driver.append(kind, txIds, payload, state -> throwIfRefused(state, refusal), begunNanos);
    }

    private void throwIfRefused(WriterState state, Function<WriterState, Optional<String>> refusal) throws IOException {
        if (state.hasEnded()) {
            throw new IOException(end + ": the writer of epoch " + state.epoch() + " is " + state.stage());
        }
        Optional<String> refused = refusal.apply(state);
        if (refused.isPresent()) {
            throw new BarrierRefusedException(end + ": " + refused.get());
        }
    }

    /** Implements {@link JournalWriter#awaitAllCommitted}; returns whether everything is known to be committed. */
    boolean awaitAllCommitted(Duration timeout) {
        if (end.hasEnded()) {
            return false;
        }
        long sn = driver.state().lastSn();
        sender.send();
        boolean committed = progress.awaitCommitted(sn, timeout);
        if (committed) {
            trace.recordAllCommitted(sn);
        }
        return committed;
    }
}
