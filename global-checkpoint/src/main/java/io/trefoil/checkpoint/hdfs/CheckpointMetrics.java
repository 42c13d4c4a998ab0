/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.run.CheckpointObserver;
import io.trefoil.journal.hdfs.metrics.Latencies;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeLong;

/**
 * A NameNode's part in checkpoints, as a source of Hadoop's metrics ({@code docs/operating/metrics.md}). Thread-safe.
 *
 * <p>Uses {@code DefaultMetricsSystem}, {@code MetricsSystem}, {@code MetricsSource}, {@code MetricsRegistry},
 * {@code MutableCounterLong}, {@code MutableGaugeLong}.
 */
final class CheckpointMetrics implements MetricsSource, CheckpointObserver {

    static final String NAME = "GlobalCheckpoint";

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
    private final Latencies lockWaits = new Latencies(registry, "lockWaits", "Time until the lock was acquired");
    private final Latencies freezes = new Latencies(registry, "freezes", "Time for which the lock was held");
    private final Latencies barriers = new Latencies(registry, "barriers", "Time until a barrier was committed");
    private final MutableCounterLong cuts = counter("Cuts", "Freezes under which there was a cut");
    private final MutableCounterLong freezesRefused =
            counter("FreezesRefused", "Orders to freeze that were not obeyed");
    private final MutableCounterLong freezesForNothing = counter("FreezesForNothing", "Freezes without a cut");
    private final MutableCounterLong barriersCommitted = counter("BarriersCommitted", "Barriers committed");
    private final MutableCounterLong barriersFailed = counter("BarriersFailed", "Barriers not known to be committed");
    private final Map<CheckpointOutcome.Kind, MutableCounterLong> led = new EnumMap<>(CheckpointOutcome.Kind.class);
    private final MutableGaugeLong lastFreezeMicros = gauge("LastFreezeMicros", "How long the last freeze lasted");
    private final MutableGaugeLong lastBarrierMicros =
            gauge("LastBarrierMicros", "How long the last barrier took to be committed");
    private final MutableGaugeLong lastLedMillis = gauge("LastLedMillis", "How long the last checkpoint led took");

    private CheckpointMetrics() {
        for (CheckpointOutcome.Kind kind : CheckpointOutcome.Kind.values()) {
            String word = kind.name().charAt(0) + kind.name().substring(1).toLowerCase(Locale.ROOT);
            led.put(kind, counter("Led" + word, "Checkpoints led that ended " + kind));
        }
    }

    /** Registers the metrics of this process, replacing earlier ones. */
    static CheckpointMetrics register() {
        CheckpointMetrics metrics = new CheckpointMetrics();
        MetricsSystem system = DefaultMetricsSystem.instance();
        // Tests run several NameNodes in one process.
        system.unregisterSource(NAME);
        system.register(NAME, "A NameNode's part in global checkpoints", metrics);
        return metrics;
    }

    private MutableCounterLong counter(String name, String description) {
        return registry.newCounter(name, description, 0L);
    }

    private MutableGaugeLong gauge(String name, String description) {
        return registry.newGauge(name, description, 0L);
    }

    @Override
    public void locked(long waitedNanos) {
        lockWaits.add(waitedNanos);
    }

    @Override
    public void lockFailed() {
        freezesRefused.incr();
    }

    @Override
    public void unlocked(long heldNanos, boolean cut) {
        freezes.add(heldNanos);
        lastFreezeMicros.set(heldNanos / 1_000);
        (cut ? cuts : freezesForNothing).incr();
    }

    @Override
    public void marked(long nanos) {
        barriers.add(nanos);
        lastBarrierMicros.set(nanos / 1_000);
        barriersCommitted.incr();
    }

    @Override
    public void markFailed() {
        barriersFailed.incr();
    }

    @Override
    public void checkpointEnded(CheckpointOutcome.Kind end, long nanos) {
        led.get(end).incr();
        lastLedMillis.set(nanos / 1_000_000);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        registry.snapshot(collector.addRecord(registry.info()), all);
    }
}
