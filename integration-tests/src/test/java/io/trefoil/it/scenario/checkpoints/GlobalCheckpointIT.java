/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.checkpoints;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.CausalPairs;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Checkpoints of nameservices whose clients write an effect in one only after its cause in another, and restores to
 * some of them. The system properties {@code trefoil.it.nameservices}, {@code trefoil.it.namenodes} of each,
 * {@code trefoil.it.checkpoints} and {@code trefoil.it.restores} set the numbers;
 * {@code docs/design/global-checkpoint.md} describes the long form.
 */
@Tag("long")
class GlobalCheckpointIT {
    private static final int NAMESERVICES = Integer.getInteger("trefoil.it.nameservices", 2);
    private static final int NAMENODES = Integer.getInteger("trefoil.it.namenodes", 2);
    private static final int CHECKPOINTS = Integer.getInteger("trefoil.it.checkpoints", 3);
    private static final int RESTORES = Integer.getInteger("trefoil.it.restores", 1);
    private static final int CLIENTS = 16;
    private static final int PAIRS = 100;

    private final List<HaCluster> clusters = new ArrayList<>();
    private final List<FileSystem> fileSystems = new ArrayList<>();
    private FederationOperations operations;

    @AfterEach
    void close() {
        clusters.forEach(HaCluster::close);
    }

    @Test
    void checkpointIsCausallyConsistentAndOnlyPausesClients() throws Exception {
        for (int i = 1; i <= NAMESERVICES; i++) {
            clusters.add(HaCluster.builder("checkpoint-" + i)
                    .nameservice("ns" + i)
                    .nameNodes(NAMENODES)
                    .withoutSupervision()
                    .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                    // However busy the machine is, no checkpoint fails.
                    .property("trefoil.checkpoint.freeze.timeout", "30s")
                    .create());
        }
        FederatedClusters.join(clusters.toArray(HaCluster[]::new));
        operations = new FederationOperations(clusters);
        operations.setUp();
        for (HaCluster cluster : clusters) {
            fileSystems.add(cluster.newFileSystem());
            cluster.dfsadmin("-allowSnapshot", "/").expectSuccess();
        }
        List<JsonNode> checkpoints = takeConsistentCheckpoints();
        List<String> ids =
                checkpoints.stream().map(one -> one.path("id").asText()).toList();
        assertListedAndVerified(ids);
        restoreEach(checkpoints.subList(1, checkpoints.size()));
        assertDeletedCheckpointIsGone(ids.get(0));
        assertNoCheckpointAndNoFreezeWithoutActive();
        clusters.forEach(HaCluster::markSucceeded);
    }

    private List<JsonNode> takeConsistentCheckpoints() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        List<Long> frozenMicros = new ArrayList<>();
        try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS)) {
            for (int i = 0; i < CHECKPOINTS; i++) {
                awaitPairs(pairs);
                JsonNode checkpoint = operations.checkpointJson("create", "--name", "c" + i, "--protect-data");
                assertThat(checkpoint.path("outcome").asText()).isEqualTo("COMPLETE");
                assertThat(checkpoint.path("manifests")).hasSize(NAMESERVICES);
                checkpoint
                        .path("manifests")
                        .forEach(manifest -> frozenMicros.add(
                                manifest.path("cut").path("frozenMicros").asLong()));
                all.add(checkpoint);
            }
            awaitPairs(pairs);
        }
        for (JsonNode checkpoint : all) {
            String id = checkpoint.path("id").asText();
            int effects = CausalPairs.countEffectsWithCauses(fileSystems, "/.snapshot/checkpoint-" + id);
            assertThat(effects).as("pairs in " + id).isPositive();
        }
        frozenMicros.sort(null);
        System.out.println("Namesystems were frozen for, in microseconds: " + frozenMicros);
        return all;
    }

    private static void awaitPairs(CausalPairs pairs) {
        long before = pairs.count();
        Await.until("pairs are written", Await.TIMEOUT, () -> pairs.count() > before + PAIRS, () -> "");
    }

    private void assertListedAndVerified(List<String> ids) {
        List<String> listed = new ArrayList<>();
        operations.checkpointJson("list").path("checkpoints").forEach(checkpoint -> {
            assertThat(checkpoint.path("complete").asBoolean()).isTrue();
            listed.add(checkpoint.path("id").asText());
        });
        assertThat(listed).containsExactlyElementsOf(ids);
        // Standbys keep their images a moment later.
        ToolResult[] last = new ToolResult[1];
        Await.until(
                "every NameNode has its image",
                Await.TIMEOUT,
                () -> {
                    last[0] = operations.checkpoint("verify", ids.get(ids.size() - 1));
                    return last[0].exitCode() == 0;
                },
                () -> last[0].output());
        assertThat(last[0].output()).contains("everything that it needs is there");
        assertThat(operations.checkpoint("show", ids.get(1)).expectSuccess().output())
                .contains("complete", "snapshot");
        assertThat(operations.checkpoint("show", "never").exitCode()).isEqualTo(1);
    }

    /** Restores from the newest to the oldest, spread over all; clients go on after each. */
    private void restoreEach(List<JsonNode> checkpoints) throws IOException {
        Map<String, List<NamespaceDigest>> expected = new TreeMap<>();
        List<String> ids = new ArrayList<>();
        for (int i = RESTORES - 1; i >= 0; i--) {
            JsonNode one = checkpoints.get(RESTORES == 1 ? 0 : i * (checkpoints.size() - 1) / (RESTORES - 1));
            ids.add(one.path("id").asText());
            expected.put(one.path("id").asText(), independentDigests(one));
        }
        for (String id : ids) {
            operations.stopNameNodes();
            operations.restore(id);
            operations.startNameNodes();
            for (int i = 0; i < NAMESERVICES; i++) {
                NamespaceDigest.of(clusters.get(i).nameNode(1))
                        .expectSameExceptCounters(expected.get(id).get(i));
            }
            assertThat(CausalPairs.countEffectsWithCauses(fileSystems, "/")).isPositive();
            try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS)) {
                awaitPairs(pairs);
            }
        }
    }

    private List<NamespaceDigest> independentDigests(JsonNode checkpoint) {
        List<NamespaceDigest> digests = new ArrayList<>();
        for (HaCluster cluster : clusters) {
            checkpoint.path("manifests").forEach(manifest -> {
                JsonNode cut = manifest.path("cut");
                if (cut.path("nameservice").asText().equals(cluster.layout().nameservice())) {
                    digests.add(NamespaceDigest.ofTransaction(
                            cluster.nameNode(1), cut.path("txId").asLong()));
                }
            });
        }
        assertThat(digests).hasSize(NAMESERVICES);
        return digests;
    }

    private void assertDeletedCheckpointIsGone(String id) throws IOException {
        operations.checkpoint("delete", id).expectSuccess();
        assertThat(operations.checkpoint("show", id).exitCode()).isEqualTo(1);
        for (FileSystem fileSystem : fileSystems) {
            assertThat(fileSystem.exists(new Path("/.snapshot/checkpoint-" + id)))
                    .isFalse();
        }
        for (HaCluster cluster : clusters) {
            NameNodeServer active = cluster.awaitActive();
            assertThat(active.imageDirectory().resolveSibling("trefoil/checkpoints/" + id))
                    .doesNotExist();
        }
    }

    private void assertNoCheckpointAndNoFreezeWithoutActive() throws IOException {
        HaCluster other = clusters.get(1);
        NameNodeServer active = other.awaitActive();
        active.becomeStandby();
        ToolResult failed = operations.checkpoint("create", "--name", "none", "--nameservices", "ns1,ns2");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(fileSystems.get(0).mkdirs(new Path("/after"))).isTrue();
        assertThat(operations.checkpoint("show", "none").exitCode()).isEqualTo(1);
        other.makeActive(other.nameNodesExcept(active).get(0));
        operations.checkpoint("create", "--name", "again").expectSuccess();
    }
}
