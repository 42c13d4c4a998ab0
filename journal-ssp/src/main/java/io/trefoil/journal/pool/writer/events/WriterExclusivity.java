/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.events;

import io.trefoil.journal.pool.writer.term.SuspendDetector;
import io.trefoil.journal.pool.writer.term.WriterDriver;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEvent;

/**
 * Tracks until when no other process can be the writer, so that readers may be answered from this process's state.
 * Thread-safe.
 */
public final class WriterExclusivity {
    /** How often the rules get the event that readers are being answered; each such event is valid for longer than this. */
    private static final long ANSWERS_WANTED_NANOS = 500_000_000L;

    private final WriterDriver driver;
    private final WriterMachine machine;
    private final SuspendDetector clocks;
    private volatile ExclusivePeriod alone = ExclusivePeriod.NEVER;
    private volatile long answersWantedNanos;

    public WriterExclusivity(WriterDriver driver, WriterMachine machine) {
        this.driver = driver;
        this.machine = machine;
        this.clocks = new SuspendDetector(machine::nanoTime, machine::wallMillis);
        this.answersWantedNanos = machine.nanoTime() - 2 * ANSWERS_WANTED_NANOS;
    }

    /** Finds out whether this host was suspended; must be called every few milliseconds. */
    public void compareClocks() {
        clocks.trustedSinceNanos();
    }

    /** Whether no other process can have become the writer by {@code nanos} of the machine's clock, while the term has not ended. */
    public boolean wasSoleWriterAt(long nanos) {
        long trustedSinceNanos = clocks.trustedSinceNanos();
        ExclusivePeriod period = alone;
        if (!period.covers(nanos, trustedSinceNanos)) {
            period = ExclusivePeriod.of(driver.state());
            alone = period;
        }
        boolean covered = period.covers(nanos, trustedSinceNanos);
        if (covered) {
            machine.trace().recordReportedSoleWriter(nanos);
        }
        return covered;
    }

    /** Records that readers are being answered: for the next seconds, the rules keep track of whether this writer is the only one. */
    public void trackExclusivity() {
        long nowNanos = machine.nanoTime();
        if (nowNanos - answersWantedNanos > ANSWERS_WANTED_NANOS) {
            answersWantedNanos = nowNanos;
            driver.handle(WriterEvent.answersWanted());
        }
    }

    /** A period in which no other process can become the writer. Immutable. */
    private static final class ExclusivePeriod {
        private static final ExclusivePeriod NEVER = new ExclusivePeriod(0, 0);

        private final long renewedNanos;
        private final long untilNanos;

        private ExclusivePeriod(long renewedNanos, long untilNanos) {
            this.renewedNanos = renewedNanos;
            this.untilNanos = untilNanos;
        }

        static ExclusivePeriod of(WriterState state) {
            return state.leaseFromNanos().isPresent()
                    ? new ExclusivePeriod(
                            state.leaseFromNanos().get(),
                            state.soleWriterUntilNanos().get())
                    : NEVER;
        }

        /** Whether the period covers a moment. A period renewed before the clocks could be trusted may be over. */
        boolean covers(long nanos, long trustedSinceNanos) {
            return untilNanos != renewedNanos && untilNanos - nanos > 0 && renewedNanos - trustedSinceNanos >= 0;
        }
    }
}
