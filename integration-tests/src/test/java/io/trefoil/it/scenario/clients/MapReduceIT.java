/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import static io.trefoil.it.load.WordFiles.contentOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RunningJob;
import io.trefoil.it.load.WordFiles;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stock MapReduce jobs on YARN, whose clients and tasks have the smart client, do not notice that the active is killed
 * while they map and while they reduce: no task attempt may fail, and the output equals that of a run in one process
 * without faults. The jobs count words; with {@code trefoil.it.mapreduce.all}, they also generate, sort and validate
 * rows, write and read files, and copy all of it. {@code trefoil.it.mapreduce.scale} multiplies the input.
 */
@Tag("long")
class MapReduceIT {
    private static final boolean ALL = Boolean.getBoolean("trefoil.it.mapreduce.all");
    private static final int SCALE = Integer.getInteger("trefoil.it.mapreduce.scale", 1);
    private static final int MAPS = 3;
    private static final int REDUCES = 2;
    private static final int LINES_OF_A_MAP = 1_000 * SCALE;
    private static final int ROWS_TO_SORT = 20_000 * SCALE;
    private static final String MEGABYTES = 2 * SCALE + "MB";

    private static final String EXAMPLES = "org.apache.hadoop.examples.";
    private static final String WORD_COUNT = EXAMPLES + "WordCount";
    private static final String TERA_GEN = EXAMPLES + "terasort.TeraGen";
    private static final String TERA_SORT = EXAMPLES + "terasort.TeraSort";
    private static final String TERA_VALIDATE = EXAMPLES + "terasort.TeraValidate";
    private static final String DISTCP = "org.apache.hadoop.tools.DistCp";
    private static final String TEST_DFSIO = "org.apache.hadoop.fs.TestDFSIO";

    private static final String[] LOCAL_RUN = {"-Dmapreduce.framework.name=local"};
    private static final String[] REDUCED = {"-Dmapreduce.job.reduces=" + REDUCES};
    private static final String[] MAPPED = {"-Dmapreduce.job.maps=" + MAPS};

    /** When in the life of a job the active is killed. */
    private enum Kill {
        WHILE_MAPPING,
        WHILE_REDUCING
    }

    @Test
    void jobsDoNotNoticeKilledActive() throws Exception {
        HaCluster.builder("map-reduce")
                .dataNodes(2)
                .withAutomaticFailover()
                .withYarn()
                .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName())
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    WordFiles.write(fileSystem, new Path("/words"), MAPS, LINES_OF_A_MAP);
                    runWordCount(cluster, fileSystem);
                    if (ALL) {
                        runTeraSort(cluster, fileSystem);
                        runDfsioAndDistCp(cluster, fileSystem);
                    }
                });
    }

    /** Counts in the client's process first, without faults, for comparison. */
    private static void runWordCount(HaCluster cluster, FileSystem fileSystem) throws IOException {
        run(
                cluster,
                cluster.startJob(
                        "wordcount-local", WORD_COUNT, concat(LOCAL_RUN, concat(REDUCED, "/words", "/local/counts"))));
        run(
                cluster,
                cluster.startJob("wordcount", WORD_COUNT, concat(REDUCED, "/words", "/counts")),
                Kill.WHILE_MAPPING,
                Kill.WHILE_REDUCING);
        expectEqual(fileSystem, "/counts", "/local/counts");
    }

    private static void runTeraSort(HaCluster cluster, FileSystem fileSystem) throws IOException {
        run(
                cluster,
                cluster.startJob(
                        "teragen-local", TERA_GEN, concat(LOCAL_RUN, concat(MAPPED, rowsToSort(), "/local/unsorted"))));
        run(
                cluster,
                cluster.startJob(
                        "terasort-local",
                        TERA_SORT,
                        concat(LOCAL_RUN, concat(REDUCED, "/local/unsorted", "/local/sorted"))));
        run(
                cluster,
                cluster.startJob("teragen", TERA_GEN, concat(MAPPED, rowsToSort(), "/unsorted")),
                Kill.WHILE_MAPPING);
        expectEqual(fileSystem, "/unsorted", "/local/unsorted");
        run(
                cluster,
                cluster.startJob("terasort", TERA_SORT, concat(REDUCED, "/unsorted", "/sorted")),
                Kill.WHILE_MAPPING,
                Kill.WHILE_REDUCING);
        expectEqual(fileSystem, "/sorted", "/local/sorted");
        run(cluster, cluster.startJob("teravalidate", TERA_VALIDATE, "/sorted", "/report"), Kill.WHILE_REDUCING);
        assertThat(contentOf(fileSystem, new Path("/report")).get("part-r-00000"))
                .as("what TeraValidate says: a checksum, and no error")
                .startsWith("checksum\t")
                .doesNotContain("error");
    }

    private static void runDfsioAndDistCp(HaCluster cluster, FileSystem fileSystem) throws IOException {
        String[] files = {"-nrFiles", String.valueOf(MAPS), "-size", MEGABYTES};
        run(
                cluster,
                cluster.startJob("dfsio-write", TEST_DFSIO, concat(files, "-write")),
                Kill.WHILE_MAPPING,
                Kill.WHILE_REDUCING);
        Collection<String> contents =
                contentOf(fileSystem, new Path("/benchmarks/TestDFSIO/io_data")).values();
        String expected = dfsioContent();
        assertThat(contents).hasSize(MAPS);
        assertThat(contents.stream().allMatch(expected::equals))
                .as("all files hold what TestDFSIO writes, and no more")
                .isTrue();

        // Two jobs at once, one killed in this phase and one in any phase.
        RunningJob read = cluster.startJob("dfsio-read", TEST_DFSIO, concat(files, "-read"));
        RunningJob copy = cluster.startJob("distcp", DISTCP, "-m", String.valueOf(MAPS), "/unsorted", "/copied");
        run(cluster, read, Kill.WHILE_MAPPING);
        assertThat(read.log().textSince(0)).containsPattern("Total MBytes processed: +" + 2 * SCALE * MAPS);
        run(cluster, copy);
        assertThat(contentOf(fileSystem, new Path("/copied")).equals(contentOf(fileSystem, new Path("/unsorted"))))
                .as("what DistCp made is a copy")
                .isTrue();
    }

    /** Compares the parts in sequence: in one process, a job may have fewer of them. */
    private static void expectEqual(FileSystem fileSystem, String directory, String expected) throws IOException {
        String wanted = readParts(fileSystem, expected);
        assertThat(wanted).isNotEmpty();
        assertThat(readParts(fileSystem, directory).equals(wanted))
                .as("%s holds the same as %s", directory, expected)
                .isTrue();
    }

    private static String readParts(FileSystem fileSystem, String directory) throws IOException {
        return contentOf(fileSystem, new Path(directory)).entrySet().stream()
                .filter(file -> file.getKey().startsWith("part-"))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining());
    }

    /** It discards the pattern that it made, and writes zeros: so only the length of a file is significant. */
    private static String dfsioContent() {
        return "\0".repeat((2 * SCALE) << 20);
    }

    private static String rowsToSort() {
        return String.valueOf(ROWS_TO_SORT);
    }

    private static String[] concat(String[] options, String... arguments) {
        return Stream.concat(Arrays.stream(options), Arrays.stream(arguments)).toArray(String[]::new);
    }

    private static void run(HaCluster cluster, RunningJob job, Kill... kills) {
        for (Kill kill : List.of(kills)) {
            if (kill == Kill.WHILE_MAPPING) {
                job.awaitMapPhase();
            } else {
                job.awaitReducePhase();
            }
            NameNodeServer killed = cluster.awaitActive();
            killed.kill9();
            assertThat(job.isRunning())
                    .as("job %s, when %s was killed", job, killed)
                    .isTrue();
            System.out.printf(Locale.ROOT, "%s: %s killed at %s%n", job, killed, job.progress());
        }
        job.awaitSuccess(Await.TIMEOUT);
        cluster.awaitActiveAndStandbys();
    }
}
