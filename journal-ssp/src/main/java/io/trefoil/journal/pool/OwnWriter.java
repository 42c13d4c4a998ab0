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

/** The writer in this process: one after the other, each of a term of its own. Thread-safe. */
final class OwnWriter {
    private final AtomicReference<PoolWriter> prepared = new AtomicReference<>();
    private volatile Optional<PoolWriter> newest = Optional.empty();

    /** The one that is ready since {@link #prepare}, or a new one. */
    JournalWriter open(Opening opening) throws IOException {
        PoolWriter ready = prepared.getAndSet(null);
        if (ready != null && !ready.isClosed()) {
            // Fenced since: the first append says so, and nobody fights the new writer with yet another epoch.
            return ready;
        }
        return renew(opening);
    }

    /** Becomes the writer, for whoever opens it next. */
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

    /** The one whose term lasts. */
    Optional<PoolWriter> writing() {
        return newest.filter(writer -> !writer.isOver());
    }

    /** The one that was not closed; it may be fenced. */
    Optional<PoolWriter> unclosed() {
        return newest.filter(writer -> !writer.isClosed());
    }

    Optional<OwnTerm> term() {
        return unclosed().map(PoolWriter::term);
    }

    /** What the last one says of its nodes; empty if it is not ready for batches. */
    Optional<WriterStatus> status() {
        return newest.map(PoolWriter::status).filter(status -> status.stage() == WriterStage.WRITING);
    }

    /** Where the log of the last one ended, be it over or not. */
    Optional<LogSummary> end() {
        return newest.map(PoolWriter::end);
    }

    void close() {
        newest.ifPresent(PoolWriter::close);
    }

    /** Becomes the writer. */
    interface Opening {
        /** @throws IOException if that fails, or somebody gave it up */
        PoolWriter open() throws IOException;
    }
}
