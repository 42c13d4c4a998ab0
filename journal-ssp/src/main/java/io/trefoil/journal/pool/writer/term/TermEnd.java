/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whether a term has ended, and why. It ends once: by a newer term, by a failure of this process, or by its user.
 * Thread-safe.
 */
public final class TermEnd implements CommitWaiters.AwaitedWriter {
    private final String name;
    private final Supplier<WriterState> state;
    private final WriterLogger log;
    private final WriterTrace trace;

    private volatile Optional<Supplier<? extends IOException>> fenced = Optional.empty();
    private volatile Optional<Throwable> brokenBy = Optional.empty();
    private volatile boolean closed;

    /** @param state read when there is something to log or throw */
    public TermEnd(String name, Supplier<WriterState> state, WriterLogger log, WriterTrace trace) {
        this.name = name;
        this.state = state;
        this.log = log;
        this.trace = trace;
    }

    /** @param reason makes the exception for each caller that wants to continue */
    public void markFenced(Supplier<? extends IOException> reason) {
        trace.recordFenced();
        fenced = Optional.of(reason);
    }

    /** Ends the term with a failure: if a step's effects were not carried out, nothing may continue from there. */
    public void fail(Throwable cause) {
        if (!closed) {
            brokenBy = Optional.of(cause);
            log.logFailure(epoch(), cause);
        }
    }

    public void close() {
        closed = true;
    }

    public boolean isFenced() {
        return fenced.isPresent();
    }

    public boolean hasFailed() {
        return brokenBy.isPresent();
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean hasEnded() {
        return closed || isFenced() || hasFailed();
    }

    @Override
    public void throwIfEnded() throws IOException {
        if (isFenced()) {
            throw fenced.get().get();
        }
        if (hasFailed()) {
            throw new IOException(
                    name + ": the writer of epoch " + epoch()
                            + " is broken and cannot go on: whether what was appended last is in"
                            + " the journal is unknown, the next writer finds out",
                    brokenBy.get());
        }
        if (closed) {
            throw new IOException(name + ": the writer of epoch " + epoch() + " was closed");
        }
    }

    @Override
    public void logStillWaiting(String operation) {
        log.logStillWaiting(operation, state.get());
    }

    private Epoch epoch() {
        return state.get().epoch();
    }

    @Override
    public String toString() {
        return name;
    }
}
