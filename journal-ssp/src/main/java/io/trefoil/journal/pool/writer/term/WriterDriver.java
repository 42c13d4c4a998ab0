/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.foundation.RuleDriver;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.writer.delivery.RequestSender;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/**
 * Steps the rules of a writer, one step at a time: it is the only owner of the writer's lock, and holds it for a step and its effects,
 * never during I/O. So the effects of a step, and callers of {@link #readState}, may use what is not thread-safe: the entries in
 * memory and the lag. Thread-safe.
 *
 * <p>If a step's effects cannot be carried out, for lack of memory or because of a bug, the rules believe that requests
 * were sent and callers told although they were not, and callers may wait for them for ever. The term thus ends there;
 * the lease runs out, and the active's process, which is told, ends.
 */
public final class WriterDriver {
    private final Object lock = new Object();
    private final RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules;
    private final RequestSender sender;
    private final TermProgress progress;
    private final TermEnd end;
    private final LagMeter lag;

    /** @param lag guarded by this driver's lock from now on */
    public WriterDriver(
            RuleDriver<WriterState, WriterEvent, WriterEffect, RuntimeException> rules,
            RequestSender sender,
            TermProgress progress,
            TermEnd end,
            LagMeter lag) {
        this.rules = rules;
        this.sender = sender;
        this.progress = progress;
        this.end = end;
        this.lag = lag;
    }

    /** The state after the last step. Not older than any effect that has been seen. */
    public WriterState state() {
        return rules.state();
    }

    /** Reads the state, and what the effects of steps change, while no step is in progress; does not block. */
    public <T> T readState(Function<WriterState, T> reading) {
        synchronized (lock) {
            return reading.apply(state());
        }
    }

    /** Whether events still have an effect; others may already see the term as ended. */
    public boolean acceptsEvents() {
        return !end.isClosed() && !end.hasFailed();
    }

    /** Steps the rules, unless the term has ended, and sends the resulting requests. */
    public void handle(WriterEvent event) {
        synchronized (lock) {
            if (!acceptsEvents()) {
                return;
            }
            step(event);
        }
        sender.send();
    }

    /**
     * Steps the rules with answers of the replica in this process, unless the term has ended. The calling thread
     * performs that replica's requests, and gets to later ones by itself.
     */
    public void handleLocalReplies(List<WriterEvent> answers) {
        synchronized (lock) {
            for (WriterEvent answer : answers) {
                if (acceptsEvents()) {
                    step(answer);
                }
            }
        }
        sender.sendToOthers();
    }

    /** Sends a part that was read outside the rules, with the current lease, and notifies the rules of it, unless the term has ended. */
    public void deliver(NodeAddress to, AppendRequest part, WriterEvent sent) {
        synchronized (lock) {
            if (!acceptsEvents()) {
                return;
            }
            sender.add(to, part.withLease(state().leaseMillis()));
            step(sent);
        }
        sender.send();
    }

    /**
     * Puts an entry at the end of the log; the next send includes it.
     *
     * @return its serial number
     * @throws IOException if the term has ended, or as {@code admission} says
     */
    public long append(EntryKind kind, TxRange txIds, Bytes payload, Admission admission, long begunNanos)
            throws IOException {
        synchronized (lock) {
            end.throwIfEnded();
            admission.throwIfRefused(state());
            step(WriterEvent.appendRequested(kind, txIds, payload));
            long sn = state().lastSn();
            lag.recordAppended(sn, payload.size(), begunNanos);
            return sn;
        }
    }

    /** Steps down, unless the rules were stopped: then the nodes wait for the end of the lease. */
    public void close() {
        synchronized (lock) {
            if (!rules.stopCause().isPresent()) {
                step(WriterEvent.stepDownRequested());
            }
            end.close();
        }
    }

    /** Ends the term with a failure of this process. */
    public void fail(Throwable cause) {
        end.fail(cause);
        progress.wakeAll();
    }

    private void step(WriterEvent event) {
        try {
            rules.handle(event);
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    /** Decides whether an entry may be appended in a state. */
    public interface Admission {
        /** @throws IOException with the reason, if it does not */
        void throwIfRefused(WriterState state) throws IOException;
    }
}
