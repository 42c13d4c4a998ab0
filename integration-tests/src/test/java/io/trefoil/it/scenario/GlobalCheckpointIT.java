/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.Federation;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints of two nameservices whose clients write an effect in one only after its cause in the other. How many, is said
 * by the system property {@code trefoil.it.checkpoints}.
 */
class GlobalCheckpointIT {
    private static final int CHECKPOINTS = Integer.getInteger("trefoil.it.checkpoints", 3);
    private static final int CLIENTS = 16;
    private static final Duration LIMIT = Duration.ofMinutes(2);

    @Test
    void aCheckpointHasNoEffectWithoutItsCauseAndCostsClientsAPauseOnly() throws Exception {
        try (HaCluster one = plan("one").create();
                HaCluster other = plan("other").create()) {
            Federation.join(one, other);
            one.setUp();
            other.setUp();
            List<FileSystem> fileSystems = List.of(one.newFileSystem(), other.newFileSystem());
            for (HaCluster cluster : List.of(one, other)) {
                cluster.dfsadmin("-allowSnapshot", "/").expectSuccess();
            }
            List<String> ids = consistentCheckpoints(one, fileSystems);
            theyAreListedAndVerified(one, other, ids);
            aDeletedOneIsGone(one, other, fileSystems, ids.get(0));
            withoutAnActiveThereIsNoneAndNobodyStaysFrozen(one, other, fileSystems);
            one.succeeded();
            other.succeeded();
        }
    }

    private static HaClusterBuilder plan(String nameservice) {
        return HaCluster.builder("checkpoint-" + nameservice)
                .nameservice(nameservice)
                .nameNodes(2)
                .unsupervised()
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin");
    }

    private static List<String> consistentCheckpoints(HaCluster cluster, List<FileSystem> fileSystems)
            throws IOException {
        List<String> ids = new ArrayList<>();
        List<Long> frozenMicros = new ArrayList<>();
        try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS)) {
            for (int i = 0; i < CHECKPOINTS; i++) {
                long before = pairs.count();
                Await.until("pairs are written", LIMIT, () -> pairs.count() > before + 100, () -> "");
                JsonNode made = json(checkpoint(cluster, "create", "--name", "c" + i, "--protect-data", "--json")
                        .expectSuccess());
                assertThat(made.path("outcome").asText()).isEqualTo("COMPLETE");
                assertThat(made.path("manifests")).hasSize(2);
                made.path("manifests")
                        .forEach(manifest -> frozenMicros.add(
                                manifest.path("cut").path("frozenMicros").asLong()));
                ids.add(made.path("id").asText());
            }
        }
        for (String id : ids) {
            int effects = CausalPairs.effectsWithTheirCauses(fileSystems, "/.snapshot/checkpoint-" + id);
            assertThat(effects).as("pairs in " + id).isPositive();
        }
        frozenMicros.sort(null);
        System.out.println("Namesystems were frozen for, in microseconds: " + frozenMicros);
        return ids;
    }

    private static void theyAreListedAndVerified(HaCluster one, HaCluster other, List<String> ids) {
        JsonNode list = json(checkpoint(other, "list", "--json").expectSuccess());
        List<String> listed = new ArrayList<>();
        list.path("checkpoints").forEach(checkpoint -> {
            assertThat(checkpoint.path("complete").asBoolean()).isTrue();
            listed.add(checkpoint.path("id").asText());
        });
        assertThat(listed).containsExactlyElementsOf(ids);
        // Standbys keep their images a moment later.
        ToolResult[] last = new ToolResult[1];
        Await.until(
                "every NameNode has its image",
                LIMIT,
                () -> {
                    last[0] = checkpoint(one, "verify", "c0");
                    return last[0].exitCode() == 0;
                },
                () -> last[0].output());
        assertThat(last[0].output()).contains("everything that it needs is there");
        assertThat(checkpoint(one, "show", ids.get(1)).expectSuccess().output()).contains("complete", "snapshot");
        assertThat(checkpoint(one, "show", "never").exitCode()).isEqualTo(1);
    }

    private static void aDeletedOneIsGone(HaCluster one, HaCluster other, List<FileSystem> fileSystems, String id)
            throws IOException {
        checkpoint(one, "delete", id).expectSuccess();
        assertThat(checkpoint(other, "show", id).exitCode()).isEqualTo(1);
        for (FileSystem fileSystem : fileSystems) {
            assertThat(fileSystem.exists(new Path("/.snapshot/checkpoint-" + id)))
                    .isFalse();
        }
        for (HaCluster cluster : List.of(one, other)) {
            NameNodeServer active = cluster.active().orElseThrow();
            assertThat(active.imageDirectory().resolveSibling("trefoil/checkpoints/" + id))
                    .doesNotExist();
        }
    }

    private static void withoutAnActiveThereIsNoneAndNobodyStaysFrozen(
            HaCluster one, HaCluster other, List<FileSystem> fileSystems) throws IOException {
        NameNodeServer killed = other.active().orElseThrow();
        killed.becomeStandby();
        ToolResult failed = checkpoint(one, "create", "--name", "none", "--nameservices", "one,other");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(fileSystems.get(0).mkdirs(new Path("/after"))).isTrue();
        assertThat(checkpoint(one, "show", "none").exitCode()).isEqualTo(1);
        other.makeActive(other.nameNodesBut(killed).get(0));
        checkpoint(one, "create", "--name", "again").expectSuccess();
    }

    private static ToolResult checkpoint(HaCluster cluster, String... arguments) {
        List<String> words = new ArrayList<>(List.of("checkpoint"));
        words.addAll(Arrays.asList(arguments));
        return cluster.tool("io.trefoil.journal.hdfs.TrefoilMain", words.toArray(String[]::new));
    }

    private static JsonNode json(ToolResult result) {
        String output = result.output();
        try {
            return new ObjectMapper().readTree(output.substring(output.indexOf('{')));
        } catch (IOException e) {
            throw new AssertionError(output, e);
        }
    }
}
