/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.load.CausalPairs;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The second act: a checkpoint of two nameservices under load, a mistake, and the way back. */
final class RestoreAct {
    private static final int CLIENTS = 8;
    private static final int PAIRS = 300;
    private static final Path KEPT = new Path("/kept");
    private static final Path NEWER = new Path("/newer");

    private final Screen screen;

    RestoreAct(Screen screen) {
        this.screen = screen;
    }

    /** Plays the act; returns true if both are as they were, and consistent with each other. */
    boolean play() throws IOException {
        screen.printTitle("2. Two nameservices, one checkpoint of both, and the way back to it");
        try (HaCluster one = plan("ns1");
                HaCluster other = plan("ns2")) {
            FederatedClusters.join(one, other);
            boolean isRight = play(List.of(one, other));
            if (isRight) {
                one.markSucceeded();
                other.markSucceeded();
            }
            screen.waitFor("the servers end");
            return isRight;
        }
    }

    private static HaCluster plan(String nameservice) {
        return HaCluster.builder("demo-" + nameservice)
                .nameservice(nameservice)
                .nameNodes(2)
                .withoutSupervision()
                .disposable()
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                // However busy the machine is, no checkpoint fails.
                .property("trefoil.checkpoint.freeze.timeout", "30s")
                .create();
    }

    /** Plays the act on two clusters; returns whether both are as they were, and consistent with each other. */
    private boolean play(List<HaCluster> clusters) throws IOException {
        FederationOperations operations = new FederationOperations(clusters);
        List<FileSystem> fileSystems = new ArrayList<>();
        try (Screen.Wait waiting = screen.waitFor("four NameNodes start")) {
            operations.setUp();
            screen.print("two nameservices with two NameNodes each: up in %.0f s", waiting.seconds());
        }
        for (HaCluster cluster : clusters) {
            fileSystems.add(cluster.newFileSystem());
        }
        for (FileSystem fileSystem : fileSystems) {
            fileSystem.mkdirs(KEPT);
        }
        String id = checkpoint(operations, fileSystems);
        awaitKept(operations, id);
        for (FileSystem fileSystem : fileSystems) {
            fileSystem.delete(KEPT, true);
            fileSystem.mkdirs(NEWER);
        }
        int effects = CausalPairs.countEffectsWithCauses(fileSystems, "/");
        screen.print("a mistake: %s is deleted in both, and %,d effects are there by now", KEPT, effects);
        restore(operations, id);
        return isAsBefore(fileSystems, effects);
    }

    /**
     * Takes a checkpoint under load: clients write an effect in one nameservice only after its cause in the other was
     * acknowledged.
     */
    private String checkpoint(FederationOperations operations, List<FileSystem> fileSystems) {
        try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS);
                Screen.Wait waiting = screen.waitFor("a checkpoint is made under load")) {
            screen.print("%d clients make a cause in one nameservice, and then its effect in the other", CLIENTS);
            awaitProgress(pairs);
            JsonNode made = operations.checkpointJson("create", "--name", "demo");
            awaitProgress(pairs);
            long frozen = StreamSupport.stream(made.path("manifests").spliterator(), false)
                    .mapToLong(manifest ->
                            manifest.path("cut").path("frozenMicros").asLong())
                    .max()
                    .orElse(0);
            screen.print(
                    "hdfs trefoil checkpoint create: %s, writers waited %.0f ms meanwhile",
                    made.path("outcome").asText(), frozen / 1e3);
            return made.path("id").asText();
        }
    }

    /** Waits until each host has the data it needs for a restore, which some get a moment later. */
    private void awaitKept(FederationOperations operations, String id) {
        try (Screen.Wait waiting = screen.waitFor("hdfs trefoil checkpoint verify")) {
            ToolResult[] last = new ToolResult[1];
            Await.until(
                    "all hosts can go back to it",
                    Await.TIMEOUT,
                    () -> {
                        last[0] = operations.checkpoint("verify", id);
                        return last[0].exitCode() == 0;
                    },
                    () -> last[0].output());
            screen.print("hdfs trefoil checkpoint verify: all four hosts can go back to it");
        }
    }

    private static void awaitProgress(CausalPairs pairs) {
        long goal = pairs.count() + PAIRS;
        Await.until(PAIRS + " more pairs are written", Await.TIMEOUT, () -> pairs.count() >= goal, () -> "");
    }

    private void restore(FederationOperations operations, String id) {
        try (Screen.Wait waiting = screen.waitFor("hdfs trefoil checkpoint restore")) {
            operations.stopNameNodes();
            operations.restore(id);
            screen.print("hdfs trefoil checkpoint restore on the four hosts: done in %.0f s", waiting.seconds());
        }
        try (Screen.Wait waiting = screen.waitFor("four NameNodes start")) {
            operations.startNameNodes();
        }
    }

    private boolean isAsBefore(List<FileSystem> fileSystems, int before) throws IOException {
        boolean isRight = true;
        for (FileSystem fileSystem : fileSystems) {
            isRight &= fileSystem.exists(KEPT) && !fileSystem.exists(NEWER);
        }
        int effects = CausalPairs.countEffectsWithCauses(fileSystems, "/");
        isRight &= effects > 0 && effects < before;
        screen.print(
                isRight
                        ? "both are as they were: %s is back, and %,d effects, each with its cause"
                        : "NOT as they were: %s, %d effects",
                KEPT,
                effects);
        return isRight;
    }
}
