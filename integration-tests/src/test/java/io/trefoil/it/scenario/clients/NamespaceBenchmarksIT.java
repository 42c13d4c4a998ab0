/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RunningJob;
import io.trefoil.it.cluster.server.YarnServers;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's own load generators for NameNodes, while the active is killed every 30 seconds. NNBench repeats and counts every call that fails:
 * none does. SLive draws calls, of which HDFS refuses some; none of its tasks meets a failed connection or a standby, or reads what was not written.
 */
@Tag("long")
class NamespaceBenchmarksIT {
    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final int MAPS = 2;
    private static final int FILES_OF_A_MAP = Integer.getInteger("trefoil.it.nnbench.files", 5000);
    private static final int SLIVE_SECONDS = Integer.getInteger("trefoil.it.slive.seconds", 90);

    private static final String NN_BENCH = "org.apache.hadoop.hdfs.NNBench";
    private static final Path NN_BENCH_FILES = new Path("/benchmarks/NNBench/data");
    private static final String SLIVE = "org.apache.hadoop.fs.slive.SliveTest";

    /** NNBench's own start time, so that the maps of a job begin together and their JVMs have started. */
    private static final Duration UNTIL_MAPS_BEGIN = Duration.ofSeconds(20);

    /** An operation that failed, as SLive logs it, and the exception in the next line. */
    private static final Pattern FAILED_CALL =
            Pattern.compile("org\\.apache\\.hadoop\\.fs\\.slive\\.\\w+: Error [^\\n]*\\n([^\\n]*)");

    private static final List<String> FAILOVER_EXCEPTIONS =
            List.of("java.net.", "EOFException", "StandbyException", "RetriableException", "Failed on local exception");

    @Test
    void nnBenchCountsNoExceptionWhenActivesAreKilled() throws Exception {
        builder("nnbench").run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            List<String> operations = List.of("create_write", "open_read", "rename", "create_write", "delete");
            for (int i = 0; i < operations.size(); i++) {
                String operation = operations.get(i);
                RunningJob job = cluster.startJob(
                        "nnbench-" + i + "-" + operation,
                        NN_BENCH,
                        "-operation",
                        operation,
                        "-maps",
                        String.valueOf(MAPS),
                        "-numberOfFiles",
                        String.valueOf(FILES_OF_A_MAP),
                        "-blockSize",
                        String.valueOf(1 << 20),
                        "-bytesPerChecksum",
                        "512",
                        "-startTime",
                        String.valueOf(Instant.now().plus(UNTIL_MAPS_BEGIN).getEpochSecond()));
                killActivesDuring(job, cluster);
                assertThat(job.log().textSince(0))
                        .as("%s", operation)
                        .containsPattern("RAW DATA: # of exceptions: 0\\b");
                assertThat(fileSystem.listStatus(NN_BENCH_FILES))
                        .as("files after %s", operation)
                        .hasSize(operation.equals("delete") ? 0 : MAPS * FILES_OF_A_MAP);
            }
        });
    }

    @Test
    void sliveMeetsNoFailedConnectionWhenActivesAreKilled() throws Exception {
        builder("slive").run(cluster -> {
            java.nio.file.Path report = containerLogs(cluster).resolveSibling("slive.txt");
            RunningJob job = cluster.startJob(
                    "slive",
                    SLIVE,
                    "-maps",
                    String.valueOf(MAPS),
                    "-reduces",
                    "1",
                    "-ops",
                    "1000000",
                    "-duration",
                    String.valueOf(SLIVE_SECONDS),
                    "-files",
                    "1000",
                    "-dirSize",
                    "50",
                    "-baseDir",
                    "/slive",
                    "-writeSize",
                    "1,1024",
                    "-appendSize",
                    "1,1024",
                    "-blockSize",
                    "1048576,1048576",
                    "-replication",
                    "1,2",
                    "-seed",
                    "1",
                    "-resFile",
                    report.toString());
            killActivesDuring(job, cluster);
            assertThat(Files.readString(report)).contains("Measurement \"chunks_unverified\" = 0");
            assertThat(failuresOfTasks(cluster)).isNotEmpty().noneMatch(NamespaceBenchmarksIT::isOfFailover);
        });
    }

    /** The first lines of all exceptions that SLive's tasks logged. */
    private static List<String> failuresOfTasks(HaCluster cluster) throws IOException {
        List<String> failures = new ArrayList<>();
        try (Stream<java.nio.file.Path> files = Files.walk(containerLogs(cluster))) {
            for (java.nio.file.Path file :
                    files.filter(file -> file.endsWith("syslog")).toList()) {
                FAILED_CALL
                        .matcher(Files.readString(file))
                        .results()
                        .map(found -> found.group(1))
                        .forEach(failures::add);
            }
        }
        return failures;
    }

    private static boolean isOfFailover(String exception) {
        return FAILOVER_EXCEPTIONS.stream().anyMatch(exception::contains);
    }

    private static java.nio.file.Path containerLogs(HaCluster cluster) {
        return cluster.layout().dataDirectory(YarnServers.NODE_MANAGER).resolve("containers/logs");
    }

    private static HaClusterBuilder builder(String name) {
        return HaCluster.builder(name)
                .dataNodes(2)
                .withAutomaticFailover()
                .withYarn()
                .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName());
    }

    /** The first kill is when maps work. */
    private static void killActivesDuring(RunningJob job, HaCluster cluster) throws InterruptedException {
        long start = System.nanoTime();
        long next = start + UNTIL_MAPS_BEGIN.plusSeconds(2).toNanos();
        int kills = 0;
        while (job.isRunning() && System.nanoTime() - start < LIMIT.toNanos()) {
            if (System.nanoTime() - next >= 0) {
                NameNodeServer active = cluster.awaitActive();
                active.kill9();
                kills++;
                System.out.printf(Locale.ROOT, "%s: %s killed at %s%n", job, active, job.progress());
                next += BETWEEN_KILLS.toNanos();
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        job.awaitSuccess(Await.TIMEOUT);
        assertThat(kills).as("kills during %s", job).isPositive();
        cluster.awaitActiveAndStandbys();
    }
}
