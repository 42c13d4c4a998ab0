/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.load.CausalPairs;
import io.trefoil.it.operating.KerberosSetUp;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nameservices with Kerberos, by a KDC in this process: an administrator takes a checkpoint of both under load,
 * others are refused, and the restore uses the NameNode's own ticket. {@code GlobalCheckpointIT} tests the same without
 * Kerberos, and {@code KerberosIT} a checkpoint of one nameservice with it.
 */
@Tag("long")
class KerberosFederationIT {
    private static final int CLIENTS = 8;
    private static final int PAIRS = 50;

    @TempDir
    private java.nio.file.Path directory;

    private final List<HaCluster> clusters = new ArrayList<>();

    @AfterEach
    void close() {
        clusters.forEach(HaCluster::close);
    }

    @Test
    void restoresFederationToCheckpointTakenByAdministrator() throws Exception {
        try (KerberosSetUp setUp = KerberosSetUp.setUpAsDocumented(directory)) {
            for (String nameservice : new String[] {"ns1", "ns2"}) {
                HaClusterBuilder builder = HaCluster.builder("kerberos-" + nameservice)
                        .nameservice(nameservice)
                        .nameNodes(2)
                        .withoutSupervision()
                        .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                        // However busy the machine is, no checkpoint fails.
                        .property("trefoil.checkpoint.freeze.timeout", "30s");
                clusters.add(setUp.kerberos(builder, "operator").create());
            }
            FederatedClusters.join(clusters.toArray(HaCluster[]::new));
            FederationOperations operations = new FederationOperations(clusters);
            operations.setUp();
            List<FileSystem> fileSystems = new ArrayList<>();
            clusters.forEach(cluster -> fileSystems.add(cluster.newFileSystem()));

            JsonNode checkpoint = checkpointUnderLoad(setUp, fileSystems);
            List<NamespaceDigest> then = digestsOf(checkpoint);
            for (FileSystem fileSystem : fileSystems) {
                assertThat(fileSystem.mkdirs(new Path("/later"))).isTrue();
            }
            operations.stopNameNodes();
            operations.restore(checkpoint.path("id").asText());
            operations.startNameNodes();
            for (int i = 0; i < clusters.size(); i++) {
                NamespaceDigest.of(clusters.get(i).nameNode(1)).expectSameExceptCounters(then.get(i));
                assertThat(fileSystems.get(i).exists(new Path("/later"))).isFalse();
            }
            assertThat(CausalPairs.countEffectsWithCauses(fileSystems, "/")).isPositive();
            clusters.forEach(HaCluster::markSucceeded);
        }
    }

    private JsonNode checkpointUnderLoad(KerberosSetUp setUp, List<FileSystem> fileSystems) throws Exception {
        Map<String, String> stranger = setUp.loginOf("eve");
        Map<String, String> operator = setUp.loginOf("operator");
        try (CausalPairs pairs = new CausalPairs(fileSystems, CLIENTS)) {
            awaitPairs(pairs);
            ToolResult refused = clusters.get(0).hdfsAs(stranger, "trefoil", "checkpoint", "create", "--name", "hers");
            assertRefused(setUp, refused);

            JsonNode checkpoint = FederationOperations.json(clusters.get(0)
                    .hdfsAs(operator, "trefoil", "checkpoint", "create", "--name", "c", "--json")
                    .expectSuccess());
            assertThat(checkpoint.path("outcome").asText()).isEqualTo("COMPLETE");
            assertThat(checkpoint.path("manifests")).hasSize(clusters.size());
            awaitPairs(pairs);
            ToolResult deleted = clusters.get(0)
                    .hdfsAs(
                            stranger,
                            "trefoil",
                            "checkpoint",
                            "delete",
                            checkpoint.path("id").asText());
            assertRefused(setUp, deleted);
            return checkpoint;
        }
    }

    /** Pool nodes or the plugin refuse, whichever is asked first. */
    private static void assertRefused(KerberosSetUp setUp, ToolResult result) {
        assertThat(result.exitCode()).as(result.output()).isNotZero();
        assertThat(result.output())
                .contains("eve@EXAMPLE.COM")
                .containsAnyOf(
                        setUp.page().requireQuoted("may not use the journals of this cluster"),
                        setUp.page().requireQuoted("Not listed in dfs.cluster.administrators"));
    }

    private static void awaitPairs(CausalPairs pairs) {
        long before = pairs.count();
        Await.until("pairs are written", Await.TIMEOUT, () -> pairs.count() > before + PAIRS, () -> "");
    }

    /** The namespaces at the checkpoint, from the images and edits of the first NameNodes. */
    private List<NamespaceDigest> digestsOf(JsonNode checkpoint) {
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
        assertThat(digests).hasSize(clusters.size());
        return digests;
    }
}
