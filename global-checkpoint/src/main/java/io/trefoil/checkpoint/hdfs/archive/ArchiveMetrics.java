/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.checkpoint.archive.run.ArchiveObserver;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A NameNode's part in archiving, as a source of Hadoop's metrics ({@code docs/operating/metrics.md}) and in its log. Thread-safe.
 *
 * <p>Uses {@code DefaultMetricsSystem}, {@code MetricsSystem}, {@code MetricsSource}, {@code MetricsRegistry}, {@code
 * MutableCounterLong}, {@code MetricsRecordBuilder}, {@code Interns}.
 */
final class ArchiveMetrics implements MetricsSource, ArchiveObserver {

    static final String NAME = "TrefoilArchive";

    private static final Logger LOG = LoggerFactory.getLogger(NameNodeArchive.class);
    private static final long MILLIS_PER_SECOND = 1_000;

    private final MetricsRegistry registry = new MetricsRegistry(NAME).setContext("dfs");
    private final MutableCounterLong entries = counter("EntriesWritten", "Entries of the journal written");
    private final MutableCounterLong images = counter("ImagesWritten", "Images written");
    private final MutableCounterLong skipped =
            counter("EntriesSkipped", "Entries that the journal no longer had: they are missing in the archive");
    private volatile Supplier<ArchivingMember> member =
            () -> ArchivingMember.builder("").build();

    /**
     * Registers them as those of this process, in place of earlier ones.
     *
     * @param of is asked for the gauges from now on, at once for the first time
     */
    void register(Supplier<ArchivingMember> of) {
        member = of;
        MetricsSystem system = DefaultMetricsSystem.instance();
        // Tests run several NameNodes in one process.
        system.unregisterSource(NAME);
        system.register(NAME, "A NameNode's part in archiving", this);
    }

    private MutableCounterLong counter(String name, String description) {
        return registry.newCounter(name, description, 0L);
    }

    @Override
    public void archivingChanged(boolean begins) {
        LOG.info(
                begins
                        ? "Started archiving the journal"
                        : "Stopped archiving the journal: another NameNode has taken over");
    }

    @Override
    public void wrote(long count) {
        entries.incr(count);
    }

    @Override
    public void copiedImage() {
        images.incr();
    }

    @Override
    public void pruned(int objects) {
        LOG.info("Deleted archive objects that no instant in the retention period needs: objects={}", objects);
    }

    @Override
    public void skipped(long count) {
        skipped.incr(count);
        LOG.warn(
                "The archive has a gap: entries={} were purged from the journal before they were "
                        + "archived; no action needed: instants are available again from the next image on",
                count);
    }

    @Override
    public void failing(String what, IOException failure) {
        LOG.warn("Cannot archive kind={}, retrying; no action needed: nothing waits for the archive", what, failure);
    }

    @Override
    public void recovered(String what) {
        LOG.info("Archiving works again: kind={}", what);
    }

    @Override
    public void died(Throwable cause) {
        LOG.error(
                "Archiving failed and is stopped in this NameNode, others take over; do: restart this "
                        + "NameNode at a convenient time, and report the cause",
                cause);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        ArchivingMember now = member.get();
        MetricsRecordBuilder record = collector.addRecord(registry.info());
        registry.snapshot(record, all);
        record.addGauge(Interns.info("Archiving", "1 if it writes the archive"), now.archiving() ? 1 : 0)
                .addGauge(Interns.info("Failing", "1 if it tried not long ago, and could not"), now.failing() ? 1 : 0)
                .addGauge(
                        Interns.info("LagSeconds", "Everything that was committed so long ago is in the archive"),
                        (now.lagMillis() + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND);
    }
}
