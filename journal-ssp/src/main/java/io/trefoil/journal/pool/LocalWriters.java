/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.LocalTerm;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.writer.events.WriterStage;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The writers of this process: one at a time, each with its own term. Thread-safe. */
final class LocalWriters {
    /** The writer that has sessions, but may not send requests yet. No term is its own, so its status is not reported. */
    private final AtomicReference<PoolWriter> met = new AtomicReference<>();

    private final AtomicReference<PoolWriter> prepared = new AtomicReference<>();
    private volatile Optional<PoolWriter> newest = Optional.empty();

    /** The writer that {@link #prepare} made ready, or a new one. */
    JournalWriter open(SessionOpener sessionOpener, TermStarter beginning) throws IOException {
        PoolWriter ready = prepared.getAndSet(null);
        // One that was fenced since is handed out: its first append reports that, and a new epoch would only fight the
        // new writer. One that broke has no such rival, and a caller that opens it would fail for nothing.
        boolean usable = ready != null && !ready.isClosed() && (ready.isFenced() || !ready.hasEnded());
        return usable ? ready : renew(sessionOpener, beginning);
    }

    /** Becomes the writer, over the sessions of {@link #openSessions} if there are any; the next {@code open} gets it. */
    JournalWriter prepare(SessionOpener sessionOpener, TermStarter beginning) throws IOException {
        PoolWriter candidate = met.getAndSet(null);
        if (candidate != null && candidate.hasEnded()) {
            // It broke meanwhile.
            candidate.close();
        }
        boolean usable = candidate != null && !candidate.hasEnded();
        PoolWriter opened = renew(usable ? () -> candidate : sessionOpener, beginning);
        prepared.set(opened);
        return opened;
    }

    private PoolWriter renew(SessionOpener sessionOpener, TermStarter beginning) throws IOException {
        newest.ifPresent(PoolWriter::close);
        PoolWriter opened = sessionOpener.openSessions();
        beginning.begin(opened);
        newest = Optional.of(opened);
        return opened;
    }

    /** Opens the sessions of the next {@link #prepare}, in place of the existing ones. */
    void openSessions(SessionOpener sessionOpener) throws IOException {
        closeSessions();
        met.set(sessionOpener.openSessions());
    }

    /** Closes the sessions that {@link #prepare} has not taken. */
    void closeSessions() {
        Optional.ofNullable(met.getAndSet(null)).ifPresent(PoolWriter::close);
    }

    /** The writer whose term has not ended. */
    Optional<PoolWriter> activeWriter() {
        return newest.filter(writer -> !writer.hasEnded());
    }

    /** The writer that was not closed; it may be fenced. */
    Optional<PoolWriter> openWriter() {
        return newest.filter(writer -> !writer.isClosed());
    }

    Optional<LocalTerm> localTerm() {
        return openWriter().map(PoolWriter::term);
    }

    /** The status of the newest writer and its nodes; empty if it is not ready for batches. */
    Optional<WriterStatus> status() {
        return newest.map(PoolWriter::status).filter(status -> status.stage() == WriterStage.WRITING);
    }

    /** The end of the newest writer's log, whether its term has ended or not. */
    Optional<LogSummary> end() {
        return newest.map(PoolWriter::end);
    }

    void close() {
        closeSessions();
        newest.ifPresent(PoolWriter::close);
    }

    /** Opens a writer's sessions, and does not wait for them. */
    interface SessionOpener {
        PoolWriter openSessions() throws IOException;
    }

    /** Has a writer begin its term, and waits until it is ready. */
    interface TermStarter {
        /** @throws IOException if that fails or is given up; the writer is closed then */
        void begin(PoolWriter existingWriter) throws IOException;
    }
}
