/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.load.Answer;
import io.trefoil.it.load.Ledger;

/** What a load got done between two moments of the monotonic clock. */
final class LoadWindow {
    private static final long STEP_NANOS = 100_000_000L;

    private final long lengthNanos;
    private final long[] sortedMicros;

    private LoadWindow(long lengthNanos, long[] sortedMicros) {
        this.lengthNanos = lengthNanos;
        this.sortedMicros = sortedMicros;
    }

    static LoadWindow of(Ledger ledger, long fromNanos, long toNanos) {
        long[] micros = ledger.entries().stream()
                .filter(entry -> entry.answer() == Answer.ACKNOWLEDGED
                        && entry.answeredNanos() >= fromNanos
                        && entry.answeredNanos() < toNanos)
                .mapToLong(entry -> entry.took().toNanos() / 1_000)
                .sorted()
                .toArray();
        return new LoadWindow(toNanos - fromNanos, micros);
    }

    /** Acknowledged changes in a tenth of a second. */
    double perStep() {
        return (double) sortedMicros.length * STEP_NANOS / lengthNanos;
    }

    long percentileMicros(int percent) {
        return sortedMicros[Math.min(sortedMicros.length - 1, sortedMicros.length * percent / 100)];
    }

    /** Neither throughput nor the 99th percentile is as much worse than before as this. */
    void expectNotSlowed(LoadWindow before, double bound) {
        assertThat(before.perStep() / perStep())
                .as("throughput before to that during")
                .isLessThan(bound);
        assertThat((double) percentileMicros(99) / before.percentileMicros(99))
                .as("99th percentile during to that before")
                .isLessThan(bound);
    }
}
