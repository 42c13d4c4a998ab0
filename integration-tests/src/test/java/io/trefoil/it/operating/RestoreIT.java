/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.ParallelActions;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.CausalPairs;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A federation goes back to a checkpoint, following {@code docs/operating/backup-and-restore.md}. */
@Tag("long")
class RestoreIT {
    private static final int CLIENTS = 8;
    private static final int PAIRS = 50;
    private static final Pattern LOST = Pattern.compile("^  (/\\S+): of \\d+ blocks", Pattern.MULTILINE);
    private static final Pattern CORRUPT = Pattern.compile("^(/\\S+): (?:CORRUPT|MISSING)", Pattern.MULTILINE);
    private static final Pattern REPORTED = Pattern.compile("reported blocks (\\d+) ");

    private HaCluster sales;
    private HaCluster research;
    private List<HaCluster> both;
    private List<FileSystem> fileSystems;
    private OperatorsPage page;
    private FederationOperator operator;

    @Test
    void restoresFederationAsDocumented() throws Exception {
        page = OperatorsPage.read("backup-and-restore.md");
        try (HaCluster first = plan("sales", 3);
                HaCluster second = plan("research", 2)) {
            sales = first;
            research = second;
            both = List.of(sales, research);
            operator = new FederationOperator(sales, research);
            FederatedClusters.join(sales, research);
            ParallelActions.forEach(both, HaCluster::setUp);
            fileSystems = List.of(sales.newFileSystem(), research.newFileSystem());

            write("/data/kept", "/data/deleted", "/data/changed");
            checkpointUnderLoad();
            List<NamespaceDigest> digests = checkpointAtRest();
            writeMore();
            sales.nameNode(3).kill9ForGood();
            operator.skipHost("sales3");
            restoreCheckpointWithData(digests);
            assertOmittedHostRestoresNothing();
            restoreCheckpointWithoutData();
            sales.markSucceeded();
            research.markSucceeded();
        }
    }

    private static HaCluster plan(String nameservice, int nameNodes) {
        return HaCluster.builder("restore-" + nameservice)
                .nameservice(nameservice)
                .nameNodes(nameNodes)
                .dataNodes(1)
                .withoutSupervision()
                // The first restore of each nameservice waits for the end of the lease that pool nodes believe in.
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                // However busy the machine is, no checkpoint fails.
                .property("trefoil.checkpoint.freeze.timeout", "30s")
                .create();
    }

    /** A checkpoint without {@code --protect-data}, under load, so that the cut lies between writes. */
    private void checkpointUnderLoad() {
        try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS)) {
            Await.until("pairs are written", Await.TIMEOUT, () -> pairs.count() > PAIRS, () -> "");
            sales.nameNode(1).trefoil("checkpoint", "create", "--name", "busy").expectSuccess();
            long before = pairs.count();
            Await.until("pairs are written", Await.TIMEOUT, () -> pairs.count() > before + PAIRS, () -> "");
        }
    }

    /** Takes a checkpoint at rest; returns each namespace, as one of its standbys saves it. */
    private List<NamespaceDigest> checkpointAtRest() {
        operator.runAll(page.section("Taking a checkpoint"));
        both.forEach(cluster -> cluster.awaitStandbysCaughtUp(Await.TIMEOUT));
        return both.stream()
                .map(cluster -> NamespaceDigest.of(cluster.nameNode(2)))
                .toList();
    }

    private void writeMore() throws IOException {
        try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS)) {
            Await.until("pairs are written", Await.TIMEOUT, () -> pairs.count() > PAIRS, () -> "");
        }
        delete("/data/deleted");
        for (FileSystem fileSystem : fileSystems) {
            try (OutputStream out = fileSystem.append(path("/data/changed"))) {
                out.write("more".getBytes(StandardCharsets.UTF_8));
            }
        }
        write("/data/new");
    }

    private void restoreCheckpointWithData(List<NamespaceDigest> digests) throws IOException {
        List<Set<String>> predicted = restoreAsDocumented("nightly", 2);
        assertThat(predicted).allSatisfy(files -> assertThat(files).containsExactly("/data/changed"));
        for (int i = 0; i < both.size(); i++) {
            NamespaceDigest.of(both.get(i).nameNode(1)).expectSameExceptCounters(digests.get(i));
            assertThat(read(i, "/data/kept")).isEqualTo("/data/kept");
            assertThat(read(i, "/data/deleted")).isEqualTo("/data/deleted");
            assertThat(fileSystems.get(i).exists(path("/data/new"))).isFalse();
        }
        assertThat(CausalPairs.countEffectsWithCauses(fileSystems, "/")).isPositive();
    }

    private void assertOmittedHostRestoresNothing() throws IOException {
        NameNodeServer leftOut = sales.nameNode(3);
        int exits = leftOut.exits().size();
        leftOut.start();
        leftOut.awaitExit(exits, Await.TIMEOUT);
        assertThat(leftOut.log().tail(200))
                .contains("is from before the nameservice was restored to checkpoint nightly");
        operator.requireReachable("sales3");
        operator.runAll(page.section("7. Hosts that were left out"));
        leftOut.awaitState(HAServiceState.STANDBY);
        NamespaceDigest whole = NamespaceDigest.ofAll(sales, Await.TIMEOUT);
        // Now it is half of the majority, together with the pool node that had everything.
        sales.nameNode(1).kill9ForGood();
        sales.makeActive(sales.nameNode(2));
        assertThat(fileSystems.get(0).exists(path("/data/new"))).isFalse();
        NamespaceDigest.of(sales.nameNode(2)).expectSameAs(whole);
        sales.startNameNodes();
    }

    private void restoreCheckpointWithoutData() throws IOException {
        sales.nameNode(1).trefoil("checkpoint", "delete", "nightly", "--force").expectSuccess();
        List<Long> before = both.stream().map(RestoreIT::blockFiles).toList();
        delete("/data/deleted", "/data/changed");
        for (int i = 0; i < both.size(); i++) {
            awaitFewerBlockFiles(both.get(i), before.get(i));
        }
        List<Set<String>> predicted = restoreAsDocumented("busy", 1);
        assertThat(predicted)
                .allSatisfy(files -> assertThat(files).containsExactlyInAnyOrder("/data/changed", "/data/deleted"));
        assertThat(CausalPairs.countEffectsWithCauses(fileSystems, "/")).isPositive();
        for (int i = 0; i < both.size(); i++) {
            assertThat(read(i, "/data/kept")).isEqualTo("/data/kept");
        }
    }

    /**
     * Types what the page says.
     *
     * @param blocks how many blocks of each nameservice will be there
     * @return which files will be incomplete according to the dry run; the test checks that HDFS says the same
     *     afterwards
     */
    private List<Set<String>> restoreAsDocumented(String name, int blocks) {
        List<Set<String>> predicted = extractFiles(LOST, runSection("1. Look", name));
        runSection("2. Stop everything", name);
        runSection("3. Let the pools serve", name);
        assertThat(runSection("4. Go back", name))
                .hasSize(sales.nameNodes().size() - (name.equals("nightly") ? 1 : 0) + 2)
                .allSatisfy(output -> assertThat(output).contains(".before-restore-" + name));
        runSection("5. Start the NameNodes", name);
        List<Command> last = commands("6. Start the DataNodes", name);
        operator.runAll(last.subList(0, 2));
        both.forEach(cluster -> awaitReported(cluster.awaitActive(), blocks));
        List<String> outputs = operator.runAll(last.subList(2, last.size()));
        assertThat(extractFiles(CORRUPT, outputs.subList(outputs.size() - 2, outputs.size())))
                .isEqualTo(predicted);
        return predicted;
    }

    private List<String> runSection(String section, String name) {
        return operator.runAll(commands(section, name));
    }

    private List<Command> commands(String section, String name) {
        return page.section(section).stream()
                .map(command -> new Command(
                        command.group(), command.host(), command.text().replace("nightly", name)))
                .toList();
    }

    private static List<Set<String>> extractFiles(Pattern pattern, List<String> outputs) {
        return outputs.stream()
                .map(output -> {
                    Set<String> files = new TreeSet<>();
                    Matcher matcher = pattern.matcher(output);
                    while (matcher.find()) {
                        files.add(matcher.group(1));
                    }
                    return files;
                })
                .toList();
    }

    /** It may leave safe mode before a block is reported that is newer than the namespace. */
    private static void awaitReported(NameNodeServer nameNode, int blocks) {
        nameNode.await("was told of " + blocks + " blocks", Await.TIMEOUT, () -> {
            String safeMode = nameNode.jmx().readText("Hadoop:service=NameNode,name=NameNodeInfo", "Safemode");
            Matcher reported = REPORTED.matcher(safeMode);
            return safeMode.isEmpty() || (reported.find() && Integer.parseInt(reported.group(1)) == blocks);
        });
    }

    /** The replica that was appended to stays: HDFS wants to delete the earlier one. */
    private static void awaitFewerBlockFiles(HaCluster cluster, long before) {
        cluster.dataNode(1).await("has deleted a replica", Await.TIMEOUT, () -> blockFiles(cluster) < before);
    }

    private static long blockFiles(HaCluster cluster) {
        try (Stream<Path> files = Files.walk(cluster.dataNode(1).dataDirectory())) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.matches("blk_\\d+"))
                    .count();
        } catch (IOException | UncheckedIOException e) {
            // A file was deleted while they were counted.
            return Long.MAX_VALUE;
        }
    }

    private void write(String... files) throws IOException {
        for (FileSystem fileSystem : fileSystems) {
            for (String file : files) {
                try (OutputStream out = fileSystem.create(path(file))) {
                    out.write(file.getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    private void delete(String... files) throws IOException {
        for (FileSystem fileSystem : fileSystems) {
            for (String file : files) {
                assertThat(fileSystem.delete(path(file), false)).as(file).isTrue();
            }
        }
    }

    private String read(int nameservice, String file) throws IOException {
        try (FSDataInputStream in = fileSystems.get(nameservice).open(path(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static org.apache.hadoop.fs.Path path(String file) {
        return new org.apache.hadoop.fs.Path(file);
    }
}
