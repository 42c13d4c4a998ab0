/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import java.util.Locale;

/** What a load achieved between two times of the monotonic clock. */
public final class LoadWindow {
    private static final long STEP_NANOS = 100_000_000L;

    private static final double MAGNITUDE = 10;

    private final long lengthNanos;
    private final long[] sortedMicros;

    private LoadWindow(long lengthNanos, long[] sortedMicros) {
        this.lengthNanos = lengthNanos;
        this.sortedMicros = sortedMicros;
    }

    public static LoadWindow of(ChangeLedger ledger, long fromNanos, long toNanos) {
        long[] micros = ledger.entries().stream()
                .filter(entry -> entry.answer() == ChangeAnswer.ACKNOWLEDGED
                        && entry.answeredNanos() >= fromNanos
                        && entry.answeredNanos() < toNanos)
                .mapToLong(entry -> entry.took().toNanos() / 1_000)
                .sorted()
                .toArray();
        return new LoadWindow(toNanos - fromNanos, micros);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%.1f changes in 100 ms, p50 %d us, p90 %d us, p99 %d us",
                changesPerStep(),
                percentileMicros(50),
                percentileMicros(90),
                percentileMicros(99));
    }

    /** Acknowledged changes per tenth of a second. */
    private double changesPerStep() {
        return (double) sortedMicros.length * STEP_NANOS / lengthNanos;
    }

    private long percentileMicros(int percent) {
        return sortedMicros[Math.min(sortedMicros.length - 1, sortedMicros.length * percent / 100)];
    }

    /**
     * Throughput has fallen at most by this factor. With few callers that is a bound on the mean delay as well, and it
     * holds on a machine that gives its CPUs to other processes for a part of either window.
     */
    public void expectThroughputKept(LoadWindow before, double factor) {
        assertThat(before.changesPerStep() / changesPerStep())
                .as("throughput before to that during")
                .isLessThan(factor);
    }

    /** Most delays have kept their order of magnitude, which shows on a machine that has its CPUs all the time. */
    public void expectDelaysKept(LoadWindow before) {
        assertThat((double) percentileMicros(90) / before.percentileMicros(90))
                .as("90th percentile during to that before")
                .isLessThan(MAGNITUDE);
    }
}
