/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;

/**
 * Quantiles of one kind of delay over a minute, five minutes and an hour, as in QJM's metrics. Thread-safe.
 *
 * <p>Uses {@code MetricsRegistry} and {@code MutableQuantiles}.
 */
public final class Latencies {

    private static final int[] WINDOW_SECONDS = {60, 300, 3600};

    private final MutableQuantiles[] windows = new MutableQuantiles[WINDOW_SECONDS.length];

    /** @param name what is counted, in the plural: {@code syncs} gives {@code Syncs60s99thPercentileLatencyMicros} */
    public Latencies(MetricsRegistry registry, String name, String description) {
        for (int i = 0; i < windows.length; i++) {
            windows[i] = registry.newQuantiles(
                    name + WINDOW_SECONDS[i] + "s", description, "ops", "latencyMicros", WINDOW_SECONDS[i]);
        }
    }

    public void add(long nanos) {
        for (MutableQuantiles window : windows) {
            window.add(nanos / 1000);
        }
    }
}
