/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.clients.ClientProject;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** NameNodes archive to a server that speaks S3, through Hadoop's own client, while the server hangs and is killed. */
@Tag("long")
class ObjectStoreArchiveIT {
    private static final String S3 = "s3";
    private static final String DIRECTORY = "s3a://backup/hdfs";

    @Test
    void archiveInStoreHasNamespaceWhenStoreHangsAndDies() throws Exception {
        StockHadoop stock = StockHadoop.fromSystemProperties();
        List<Path> fileSystem =
                ClientProject.of("s3").withHadoopRelease(stock.version()).classPath();
        try (HaCluster cluster = HaCluster.builder("s3-archive")
                .hadoop(stock.withOptionalTools(fileSystem))
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                .property("dfs.namenode.checkpoint.txns", "150")
                .property("dfs.namenode.checkpoint.check.period", "1s")
                .create()) {
            FederatedClusters.join(cluster);
            clientProperties(cluster).forEach(cluster::setProperty);
            Server store = startStore(cluster);
            cluster.setUp();
            cluster.awaitActive();
            new Run(cluster, store).check();
            cluster.markSucceeded();
        }
    }

    private static Map<String, String> clientProperties(HaCluster cluster) {
        return Map.of(
                "trefoil.archive.dir",
                DIRECTORY,
                "fs.s3a.endpoint",
                "http://" + cluster.layout().address(S3, "http"),
                "fs.s3a.endpoint.region",
                "us-east-1",
                "fs.s3a.path.style.access",
                "true",
                "fs.s3a.access.key",
                "archive",
                "fs.s3a.secret.key",
                "secret");
    }

    private static Server startStore(HaCluster cluster) throws IOException {
        Path data = cluster.layout().dataDirectory(S3);
        Files.createDirectories(data.resolve("backup"));
        Path settings = data.resolveSibling("s3.conf");
        Files.write(
                settings,
                List.of(
                        "s3proxy.endpoint=http://" + cluster.layout().address(S3, "http"),
                        "s3proxy.authorization=aws-v2-or-v4",
                        "s3proxy.identity=archive",
                        "s3proxy.credential=secret",
                        "jclouds.provider=filesystem",
                        "jclouds.identity=any",
                        "jclouds.credential=any",
                        "jclouds.filesystem.basedir=" + data));
        return cluster.startProgram(new ClientProgram(
                S3,
                Jdk.ofThisJvm(),
                List.of(),
                ClientProject.of("s3-server").classPath(),
                SmartClientJar.MISSING,
                Map.of(),
                "org.gaul.s3proxy.Main",
                List.of("--properties", settings.toString())));
    }

    private record Run(HaCluster cluster, Server store) {
        void check() throws Exception {
            WriteLoad.makeSome(cluster, "/first");
            awaitAll();
            awaitImage();

            WriteLoad.runDuring(cluster, "/while-away", load -> {
                store.pause();
                load.awaitMore(200);
                store.resume();
                awaitAll();
                store.kill9ForGood();
                load.awaitMore(200);
                store.start();
                awaitAll();
                NameNodeServer active = cluster.awaitActive();
                active.kill9();
                cluster.awaitActiveOtherThan(active);
                load.awaitMore(100);
                awaitAll();
            });

            cluster.awaitStandbysCaughtUp(WriteLoad.LIMIT);
            NamespaceDigest now = NamespaceDigest.ofAll(cluster, WriteLoad.LIMIT);
            long last = cluster.awaitActive().appliedTxId();
            awaitAll();
            Path past = cluster.layout().dataDirectory("last");
            runArchive("fetch", "--to", past.toString(), "--txid", Long.toString(last))
                    .expectSuccess();
            NamespaceDigest.ofDirectory(past, "the archive at " + last).expectSameExceptMasterKeys(now);
            assertThat(runArchive("verify").expectSuccess().output())
                    .contains("every object has what was written to it");
            assertThat(runArchive("list").expectSuccess().output()).doesNotContain("gap", "damaged");
            runArchive("prune", "--retention", "1s", "--execute").expectSuccess();
            assertThat(runArchive("verify").expectSuccess().output())
                    .contains("every object has what was written to it");
        }

        private ToolResult runArchive(String command, String... options) {
            return cluster.trefoil(Stream.concat(Stream.of("archive", command, "--dir", DIRECTORY), Stream.of(options))
                    .toArray(String[]::new));
        }

        private JsonNode status() {
            ToolResult status = runArchive("status", "--json");
            try {
                return new ObjectMapper().readTree(status.output());
            } catch (IOException e) {
                throw new UncheckedIOException(status.toString(), e);
            }
        }

        private void awaitAll() {
            long txId = cluster.awaitActive().appliedTxId();
            Await.until(
                    "the archive has transaction " + txId,
                    WriteLoad.LIMIT,
                    () -> status().path("archivedTxId").asLong() >= txId,
                    cluster::describe);
        }

        private void awaitImage() {
            Await.until(
                    "the archive has an image", WriteLoad.LIMIT, () -> status().has("imageTxId"), cluster::describe);
        }
    }
}
