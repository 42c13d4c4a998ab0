/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.foundation.RuleDriver;
import io.trefoil.journal.pool.writer.delivery.Delivery;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;

/**
 * The rules of a writer, driven by who holds its monitor. The monitor guards what is sent and what is kept in memory as
 * well; it is held for a step and what follows from it, and never over I/O.
 *
 * <p>If what follows from a step cannot be done, for want of memory or by a bug, the rules take for sent and told what is
 * not: somebody may wait for it for ever. So nobody goes on from there; the lease runs out, and the process of the active,
 * which is told, ends.
 */
public final class WriterDriver {
    private final Object monitor;
    private final RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules;
    private final Delivery delivery;
    private final TermProgress progress;
    private final TermEnd end;

    public WriterDriver(
            Object monitor,
            RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules,
            Delivery delivery,
            TermProgress progress,
            TermEnd end) {
        this.monitor = monitor;
        this.rules = rules;
        this.delivery = delivery;
        this.progress = progress;
        this.end = end;
    }

    /** The state after the last step. Thread-safe; not older than the effects that anybody has seen. */
    public WriterState state() {
        return rules.state();
    }

    /** Whether events still come to anything; what others see of the term may be over before. */
    public boolean hears() {
        return !end.isClosed() && !end.isBroken();
    }

    /** Steps the rules, unless it is over, and lets leave what follows; by any thread, without the monitor. */
    public void handle(WriterEvent event) {
        synchronized (monitor) {
            if (!hears()) {
                return;
            }
            step(event);
        }
        delivery.send();
    }

    /** Steps the rules; under the monitor. What follows leaves when {@link Delivery} is told to send. */
    public void step(WriterEvent event) {
        try {
            rules.hear(event);
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
