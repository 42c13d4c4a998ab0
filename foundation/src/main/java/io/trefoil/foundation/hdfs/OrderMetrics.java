/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.AuditLog;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;

/**
 * Counts the orders received in one place, and those refused there, as a source of Hadoop's metrics.
 *
 * <p>Uses {@code DefaultMetricsSystem}, {@code MetricsSource} and what a source is asked with.
 */
public final class OrderMetrics implements MetricsSource {

    private static final String PREFIX = "Orders-";

    private final String name;
    private final AuditLog audit;

    private OrderMetrics(String name, AuditLog audit) {
        this.name = name;
        this.audit = audit;
    }

    /**
     * Creates the audit log of a place where orders arrive, with its counts in this process's metrics. Every call returns
     * the same one for a place, even if the component that takes the orders restarts.
     *
     * @param path the place in one word, such as {@code Failover}
     */
    public static synchronized AuditLog audit(String path) {
        String name = PREFIX + path;
        MetricsSystem system = DefaultMetricsSystem.instance();
        MetricsSource there = system.getSource(name);
        if (there instanceof OrderMetrics) {
            return ((OrderMetrics) there).audit;
        }
        OrderMetrics begun = new OrderMetrics(name, new AuditLog());
        system.register(name, "Orders to this process, and those that were refused", begun);
        return begun.audit;
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
        collector
                .addRecord(name)
                .setContext("dfs")
                .addCounter(Interns.info("Done", "Orders that were carried out"), audit.countDone())
                .addCounter(Interns.info("Refused", "Orders that were refused"), audit.countRefused())
                .addCounter(Interns.info("Failed", "Orders that ended with an error"), audit.countFailed());
    }
}
