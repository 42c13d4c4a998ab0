/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.metrics;

import io.trefoil.journal.pool.server.PoolNode;
import java.io.File;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * A pool node: its connections, those that it refused, and the images that it holds and serves.
 *
 * <p>Uses {@code MetricsSource}, {@code MetricsCollector}, {@code MetricsRecordBuilder} and {@code Interns}.
 */
final class NodeMetrics implements MetricsSource {

    static final String NAME = "SspNode";

    private final PoolNode node;

    NodeMetrics(PoolNode node) {
        this.node = node;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        MetricsRecordBuilder record = collector
                .addRecord(NAME)
                .setContext("dfs")
                .tag(
                        Interns.info("PoolNode", "Address of the node"),
                        node.address().toString())
                .addGauge(Interns.info("Connections", "Open connections"), node.connectionCount())
                .addGauge(Interns.info("ImagesHeld", "Images of namespaces held for the pool"), node.imageCount())
                .addCounter(
                        Interns.info("ImageBytesServed", "Bytes of images sent to others"), node.imageBytesServed());
        addDisk(record);
        node.certificateExpiry()
                .ifPresent(end -> record.addGauge(
                        Interns.info(
                                "CertificateDaysLeft", "Whole days until the first of its certificates is invalid"),
                        Instant.now().until(end, ChronoUnit.DAYS)));
        for (Map.Entry<String, Long> refusal : node.refusalCounts().entrySet()) {
            record.addCounter(
                    Interns.info(
                            "Refused" + camelCase(refusal.getKey()),
                            "Connections refused or closed, cause " + refusal.getKey()),
                    refusal.getValue());
        }
    }

    /** The kernel knows both without accessing the disk, so that a hung disk does not block the collection of metrics. */
    private void addDisk(MetricsRecordBuilder record) {
        File directory = node.directory().toFile();
        record.addGauge(
                        Interns.info("DiskFreeBytes", "What is left on the volume of its directory"),
                        directory.getUsableSpace())
                .addGauge(Interns.info("DiskBytes", "The size of that volume"), directory.getTotalSpace());
    }

    private static String camelCase(String constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return name.toString();
    }
}
