/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.clients.ClientProject;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsRecordBuilder;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.lib.Interns;
import org.apache.hadoop.metrics2.sink.PrometheusMetricsSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With our rules, Prometheus's exporter for JMX names every metric on the page of metrics as Hadoop's page {@code /prom} does. */
class JmxExporterIT {
    private static final File RULES = new File("../monitoring/trefoil-jmx-exporter.yml");

    private static final List<String> POOL_NODE_METRICS =
            List.of("Up", "InSync", "LagMillis", "SlowReader", "NewerIncarnation");
    private static final List<String> FAILOVER_METRICS = List.of("BeganMillis", "AnnouncedMillis");

    private final Set<String> wanted = new TreeSet<>();

    @BeforeEach
    void registerMetrics() throws IOException {
        DefaultMetricsSystem.initialize("NameNode");
        for (Map.Entry<String, Set<String>> source :
                DocumentedMetrics.load().metricsOnPage().entrySet()) {
            List<String> names = new ArrayList<>(source.getValue());
            names.replaceAll(name -> name.replace("*", "ForeignAddress"));
            switch (source.getKey()) {
                case "SspWriter" -> register("SspWriter-ns1", names, "SspWriterNode", POOL_NODE_METRICS);
                case "TrefoilMember" -> register("TrefoilMember", names, "TrefoilFailover", FAILOVER_METRICS);
                case "SspReplica", "SspTail" -> register(source.getKey() + "-ns1", names, "", List.of());
                default -> register(source.getKey(), names, "", List.of());
            }
        }
    }

    @AfterEach
    void unregisterMetrics() {
        DefaultMetricsSystem.shutdown();
    }

    private void register(String bean, List<String> names, String further, List<String> ofFurther) {
        String record = bean.replace("-ns1", "");
        PrometheusMetricsSink page = new PrometheusMetricsSink();
        names.forEach(name -> wanted.add(page.prometheusName(record, name)));
        ofFurther.forEach(name -> wanted.add(page.prometheusName(further, name)));
        MetricsSource source = (MetricsCollector collector, boolean all) -> {
            add(collector.addRecord(record), names);
            if (!further.isEmpty()) {
                add(collector.addRecord(further), ofFurther);
            }
        };
        DefaultMetricsSystem.instance().register(bean, "as documented", source);
    }

    private static void add(MetricsRecordBuilder record, List<String> names) {
        record.setContext("dfs");
        names.forEach(name -> record.addGauge(Interns.info(name, "as documented"), 1L));
    }

    @Test
    void exporterMatchesPromPageMetricNames() throws Exception {
        assertThat(wanted).hasSizeGreaterThan(100);
        assertThat(exportedNames()).containsAll(wanted);
    }

    /** By reflection: its libraries must not be those of Hadoop's processes. */
    private static Set<String> exportedNames() throws Exception {
        List<URL> jars = new ArrayList<>();
        for (Path path : ClientProject.of("jmx-exporter").classPath()) {
            jars.add(path.toUri().toURL());
        }
        Set<String> names = new TreeSet<>();
        try (URLClassLoader loader =
                new URLClassLoader(jars.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            Class<?> registryClass = loader.loadClass("io.prometheus.metrics.model.registry.PrometheusRegistry");
            Object registry = registryClass.getConstructor().newInstance();
            Object collector = loader.loadClass("io.prometheus.jmx.JmxCollector")
                    .getConstructor(File.class)
                    .newInstance(RULES);
            collector.getClass().getMethod("register", registryClass).invoke(collector, registry);
            for (Object snapshot :
                    (Iterable<?>) collector.getClass().getMethod("collect").invoke(collector)) {
                Object metadata = snapshot.getClass().getMethod("getMetadata").invoke(snapshot);
                names.add((String)
                        metadata.getClass().getMethod("getPrometheusName").invoke(metadata));
            }
        }
        return names;
    }
}
