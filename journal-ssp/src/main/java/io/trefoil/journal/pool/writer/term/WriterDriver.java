/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.foundation.RuleDriver;
import io.trefoil.journal.pool.writer.delivery.RequestSender;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;

/**
 * Steps the rules of a writer under its monitor. The monitor also guards the queued requests and the entries in memory;
 * it is held for a step and its effects, never during I/O.
 *
 * <p>If a step's effects cannot be carried out, for lack of memory or because of a bug, the rules believe that requests
 * were sent and callers told although they were not, and callers may wait for them for ever. The term thus ends there;
 * the lease runs out, and the active's process, which is told, ends.
 */
public final class WriterDriver {
    private final Object monitor;
    private final RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules;
    private final RequestSender sender;
    private final TermProgress progress;
    private final TermEnd end;

    public WriterDriver(
            Object monitor,
            RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules,
            RequestSender sender,
            TermProgress progress,
            TermEnd end) {
        this.monitor = monitor;
        this.rules = rules;
        this.sender = sender;
        this.progress = progress;
        this.end = end;
    }

    /** The state after the last step. Thread-safe; not older than any effect that has been seen. */
    public WriterState state() {
        return rules.state();
    }

    /** Whether events still have an effect; others may already see the term as over. */
    public boolean acceptsEvents() {
        return !end.isClosed() && !end.isBroken();
    }

    /** Steps the rules, unless the term is over, and sends what follows; by any thread, without the monitor. */
    public void handle(WriterEvent event) {
        synchronized (monitor) {
            if (!acceptsEvents()) {
                return;
            }
            step(event);
        }
        sender.send();
    }

    /** Steps the rules; under the monitor. Requests that follow leave when {@link RequestSender} is told to send. */
    public void step(WriterEvent event) {
        try {
            rules.handle(event);
        } catch (RuntimeException | Error e) {
            broke(e);
            throw e;
        }
    }

    /** Steps down, unless the rules were stopped: then the nodes wait for the end of the lease. */
    public void close() {
        synchronized (monitor) {
            if (!rules.stoppedBy().isPresent()) {
                step(WriterEvent.stepDownAsked());
            }
            end.close();
        }
    }

    /** Ends the term by a failure of this process; by any thread. */
    public void broke(Throwable cause) {
        end.broke(cause);
        progress.wakeAll();
    }
}
