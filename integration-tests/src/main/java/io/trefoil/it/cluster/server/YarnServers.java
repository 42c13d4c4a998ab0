/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import static java.util.stream.Collectors.joining;

import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.ServerSpec;
import io.trefoil.it.cluster.layout.Settings;
import io.trefoil.it.process.jvm.Jdk;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * YARN next to HDFS: a ResourceManager, a NodeManager, and MapReduce's tasks in containers, each a separate JVM. Tuned
 * for small jobs on few cores: short polling intervals, and two tasks of a job at a time.
 */
public final class YarnServers {
    static final String RESOURCE_MANAGER = "rm";
    public static final String NODE_MANAGER = "nm";

    private static final String JVM_OPTIONS = "-Xmx%dm -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto %s";
    private static final String OFTEN_MILLIS = "200";

    private final ClusterLayout layout;
    private final StockHadoop hadoop;
    private final Path containerConfiguration;

    /** @param containerConfiguration the configuration directory of the NodeManager's host */
    public YarnServers(ClusterLayout layout, StockHadoop hadoop, Path containerConfiguration) {
        this.layout = layout;
        this.hadoop = hadoop;
        this.containerConfiguration = containerConfiguration;
    }

    /** The directory of the containers' files: all containers name it in their command lines. */
    public Path containers() {
        return layout.dataDirectory(NODE_MANAGER).resolve("containers");
    }

    /** The settings of clients, YARN's servers and containers. */
    public Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        addServers(properties);
        addContainerProperties(properties);
        addJobs(properties);
        return properties;
    }

    private void addServers(Map<String, String> properties) {
        properties.put("yarn.resourcemanager.address", layout.address(RESOURCE_MANAGER, "rpc"));
        properties.put("yarn.resourcemanager.scheduler.address", layout.address(RESOURCE_MANAGER, "scheduler"));
        properties.put("yarn.resourcemanager.resource-tracker.address", layout.address(RESOURCE_MANAGER, "tracker"));
        properties.put("yarn.resourcemanager.admin.address", layout.address(RESOURCE_MANAGER, "admin"));
        properties.put("yarn.resourcemanager.webapp.address", layout.address(RESOURCE_MANAGER, "http"));
        properties.put(
                "yarn.resourcemanager.scheduler.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.fifo.FifoScheduler");
        properties.put("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", OFTEN_MILLIS);
        properties.put("yarn.scheduler.minimum-allocation-mb", "128");

        properties.put("yarn.nodemanager.address", layout.address(NODE_MANAGER, "rpc"));
        properties.put("yarn.nodemanager.localizer.address", layout.address(NODE_MANAGER, "localizer"));
        properties.put("yarn.nodemanager.webapp.address", layout.address(NODE_MANAGER, "http"));
        properties.put("yarn.nodemanager.resource.memory-mb", "4096");
        properties.put("yarn.nodemanager.resource.cpu-vcores", "16");
        properties.put("yarn.nodemanager.aux-services", "mapreduce_shuffle");
        properties.put("mapreduce.shuffle.port", "0");
    }

    private void addContainerProperties(Map<String, String> properties) {
        properties.put(
                "yarn.nodemanager.local-dirs", containers().resolve("local").toString());
        properties.put("yarn.nodemanager.log-dirs", containers().resolve("logs").toString());
        // Kept as long as the cluster's directory, for a developer who looks into a failed job.
        properties.put("yarn.nodemanager.delete.debug-delay-sec", "3600");
        properties.put("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        properties.put("yarn.nodemanager.vmem-check-enabled", "false");
        properties.put("yarn.nodemanager.pmem-check-enabled", "false");
        properties.put("yarn.application.classpath", classPath());
        properties.put("mapreduce.application.classpath", containerConfiguration.toString());
    }

    /** The jars for jobs: of ours only those of clients, as a job needs no others. */
    private String classPath() {
        return Stream.of(
                        Stream.of(containerConfiguration),
                        hadoop.yarnClassPath().stream(),
                        hadoop.clientJars().stream())
                .flatMap(paths -> paths)
                .map(Path::toString)
                .collect(joining(","));
    }

    private void addJobs(Map<String, String> properties) {
        properties.put("mapreduce.framework.name", "yarn");
        // There is no history server; a client that looks for one waits.
        properties.put("mapreduce.jobhistory.address", "");
        properties.put("mapreduce.client.progressmonitor.pollinterval", OFTEN_MILLIS);
        properties.put("mapreduce.client.completion.pollinterval", OFTEN_MILLIS);
        properties.put("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", OFTEN_MILLIS);
        properties.put("yarn.app.mapreduce.am.resource.mb", "512");
        properties.put("yarn.app.mapreduce.am.command-opts", jvmOptions(256));
        properties.put("mapreduce.map.memory.mb", "256");
        properties.put("mapreduce.map.java.opts", jvmOptions(160));
        properties.put("mapreduce.reduce.memory.mb", "256");
        properties.put("mapreduce.reduce.java.opts", jvmOptions(160));
        properties.put("mapreduce.task.io.sort.mb", "16");
        properties.put("mapreduce.job.running.map.limit", "2");
        properties.put("mapreduce.job.running.reduce.limit", "2");
        // One phase after the other, so that a test knows which phase a fault hits.
        properties.put("mapreduce.job.reduce.slowstart.completedmaps", "1.0");
        // A failed task means that an application noticed the failover.
        properties.put("mapreduce.map.maxattempts", "1");
        properties.put("mapreduce.reduce.maxattempts", "1");
        properties.put("mapreduce.am.max-attempts", "1");
        properties.put("mapreduce.map.speculative", "false");
        properties.put("mapreduce.reduce.speculative", "false");
    }

    private static String jvmOptions(int heapMegabytes) {
        return JVM_OPTIONS.formatted(
                heapMegabytes, String.join(" ", Jdk.ofThisJvm().openPackages()));
    }

    public static ServerSpec resourceManager(Settings settings) {
        return new ServerSpec(
                RESOURCE_MANAGER,
                "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager",
                () -> settings.clientSettings(RESOURCE_MANAGER),
                List.of(),
                false);
    }

    public static ServerSpec nodeManager(Settings settings) {
        return new ServerSpec(
                NODE_MANAGER,
                "org.apache.hadoop.yarn.server.nodemanager.NodeManager",
                () -> settings.clientSettings(NODE_MANAGER),
                List.of(),
                false);
    }
}
