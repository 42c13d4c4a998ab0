/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.OwnTerm;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.writer.events.WriterStage;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** The writers of this process: one at a time, each with its own term. Thread-safe. */
final class OwnWriter {
    private final AtomicReference<PoolWriter> prepared = new AtomicReference<>();
    private volatile Optional<PoolWriter> newest = Optional.empty();

    /** The writer that {@link #prepare} made ready, or a new one. */
    JournalWriter open(Opening opening) throws IOException {
        PoolWriter ready = prepared.getAndSet(null);
        // One that was fenced since is handed out: its first append reports that, and a new epoch would only fight the
        // new writer. One that broke has no such rival, and whoever opens it would fail for nothing.
        boolean usable = ready != null && !ready.isClosed() && (ready.isFenced() || !ready.isOver());
        return usable ? ready : renew(opening);
    }

    /** Becomes the writer; the next {@code open} gets it. */
    JournalWriter prepare(Opening opening) throws IOException {
        PoolWriter opened = renew(opening);
        prepared.set(opened);
        return opened;
    }

    private PoolWriter renew(Opening opening) throws IOException {
        newest.ifPresent(PoolWriter::close);
        PoolWriter opened = opening.open();
        newest = Optional.of(opened);
        return opened;
    }

    /** The writer whose term is not over. */
    Optional<PoolWriter> writing() {
        return newest.filter(writer -> !writer.isOver());
    }

    /** The writer that was not closed; it may be fenced. */
    Optional<PoolWriter> unclosed() {
        return newest.filter(writer -> !writer.isClosed());
    }

    Optional<OwnTerm> term() {
        return unclosed().map(PoolWriter::term);
    }

    /** What the newest writer reports of its nodes; empty if it is not ready for batches. */
    Optional<WriterStatus> status() {
        return newest.map(PoolWriter::status).filter(status -> status.stage() == WriterStage.WRITING);
    }

    /** The end of the newest writer's log, whether its term is over or not. */
    Optional<LogSummary> end() {
        return newest.map(PoolWriter::end);
    }

    void close() {
        newest.ifPresent(PoolWriter::close);
    }

    /** Becomes the writer. */
    interface Opening {
        /** @throws IOException if that fails or is given up */
        PoolWriter open() throws IOException;
    }
}
