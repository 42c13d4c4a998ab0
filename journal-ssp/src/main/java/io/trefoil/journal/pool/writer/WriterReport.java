/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.journal.pool.writer.delivery.EntryWindow;
import io.trefoil.journal.pool.writer.delivery.RequestSender;
import io.trefoil.journal.pool.writer.term.LagMeter;
import io.trefoil.journal.pool.writer.term.TermEnd;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.NodeProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Reports the status of a writer and its nodes, for monitoring and for the agent. Thread-safe. */
final class WriterReport {
    private final WriterDriver driver;
    private final RequestSender sender;
    private final EntryWindow window;
    private final LagMeter lag;
    private final TermEnd end;
    private final LongSupplier nanoTime;
    private final WriterTrace trace;

    WriterReport(
            WriterDriver driver,
            RequestSender sender,
            EntryWindow window,
            LagMeter lag,
            TermEnd end,
            WriterMachine machine) {
        this.driver = driver;
        this.sender = sender;
        this.window = window;
        this.lag = lag;
        this.end = end;
        this.nanoTime = machine::nanoTime;
        this.trace = machine.trace();
    }

    WriterStatus status() {
        return driver.readState(this::status);
    }

    private WriterStatus status(WriterState state) {
        long nowNanos = nanoTime.getAsLong();
        List<WriterStatus.NodeLag> nodes = new ArrayList<>();
        for (NodeProgress progress : state.progress()) {
            long sn = progress.matchedSn();
            nodes.add(WriterStatus.NodeLag.of(
                    progress,
                    Math.max(0, state.lastSn() - sn),
                    lag.bytesBehind(sn),
                    Duration.ofNanos(lag.nanosBehind(sn, nowNanos))));
        }
        Optional<Duration> lease = state.leaseUntilNanos()
                .map(until -> Duration.ofNanos(until - nowNanos))
                .filter(remaining -> !remaining.isNegative() && !state.hasEnded());
        return WriterStatus.of(
                state.stage(),
                state.epoch(),
                state.lastSn(),
                state.committedSn(),
                lease,
                Duration.ofNanos(state.readerWaitNanos(nowNanos)),
                WriterStatus.Queues.of(sender.size(), window.size(), window.bytes()),
                nodes);
    }

    LocalTerm term() {
        // Read first: a thread that sees a term as fenced must also see the state that led to it.
        boolean fenced = end.isFenced();
        WriterState state = driver.state();
        long nowNanos = nanoTime.getAsLong();
        state.leaseUntilNanos().ifPresent(trace::recordReportedLease);
        Duration left = state.leaseUntilNanos()
                .map(until -> Duration.ofNanos(until - nowNanos))
                .orElse(Duration.ZERO);
        return LocalTerm.of(state.epoch(), fenced, state.isRefusedByVoter(), left);
    }

    /** The condition that {@link PoolWriter#begin} still waits for. */
    String missingCondition() {
        WriterState state = driver.state();
        return state.missingCondition()
                .map(missing -> "a node that has what others lost: " + missing + "; start the nodes that are down"
                        + " (docs/operating/members.md)")
                .orElse("a majority of promises and " + state.settings().minReplicas() + " voters in sync");
    }
}
