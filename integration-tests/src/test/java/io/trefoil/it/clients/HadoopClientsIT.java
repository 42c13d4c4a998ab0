/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.jvm.Jdk;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's other clients: the shaded client, WebHDFS, HttpFS, the Router and DistCp lose nothing when the active is
 * killed; and what each says if the property names our class and the jar is missing.
 */
@Tag("long")
class HadoopClientsIT {
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.trefoil";
    private static final String SMART = SmartFailoverProxyProvider.class.getName();
    private static final String FILE_STEPS = "io.trefoil.clients.FileSteps";
    private static final String REPEATABLE_STEPS = "io.trefoil.clients.RepeatableSteps";
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int FILES_TO_COPY = 80;

    private static HaCluster cluster;
    private static int begun;
    private static int passed;

    @BeforeAll
    static void startCluster() {
        String user = System.getProperty("user.name");
        cluster = HaCluster.builder("hadoops-clients")
                .dataNodes(1)
                .withAutomaticFailover()
                .property(PROVIDER, SMART)
                // HttpFS acts for its callers.
                .property("hadoop.proxyuser." + user + ".hosts", "*")
                .property("hadoop.proxyuser." + user + ".groups", "*")
                .start();
    }

    @AfterAll
    static void stopCluster() {
        if (passed == begun) {
            cluster.markSucceeded();
        }
        cluster.close();
    }

    @BeforeEach
    void enterShortPath() {
        begun++;
    }

    @Test
    void shadedClientSurvivesKilledActive() throws Exception {
        SteppingClient client = shadedClient("shaded", FILE_STEPS, Map.of());
        client.assertReportsMissingJar(cluster);
        client.assertSurvivesKill(cluster);
        passed++;
    }

    /** Spark 3 and others bring such a client; it keeps the ids of calls where newer ones do not. */
    @Test
    void shadedClientOfHadoop33SurvivesKilledActive() throws Exception {
        new SteppingClient(
                        "shaded-3.3",
                        Jdk.ofThisJvm(),
                        ClientProject.of("shaded").withHadoopRelease("3.3.6").classPath(),
                        FILE_STEPS)
                .assertSurvivesKill(cluster);
        passed++;
    }

    /** The client itself needs no jar: it asks the NameNodes in turn. Files go through a DataNode, which is a client of HDFS. */
    @Test
    void webHdfsClientSurvivesKilledActive() throws Exception {
        webHdfsClient("webhdfs").assertSurvivesKill(cluster, SmartClientJar.MISSING);
        passed++;
    }

    @Test
    void webHdfsReportsErrorWhenDataNodeLacksJar() {
        // Equivalent to a missing jar: this class does not exist.
        restartDataNodeWith("io.trefoil.client.hdfs.NotInstalled");
        try {
            assertThat(webHdfsClient("webhdfs-of-datanode").outputWithoutJar(cluster))
                    .contains("Couldn't create proxy provider");
        } finally {
            restartDataNodeWith(SMART);
        }
        passed++;
    }

    private static SteppingClient webHdfsClient(String name) {
        return shadedClient(name, REPEATABLE_STEPS, Map.of("fs.defaultFS", "webhdfs://trefoil"));
    }

    private static void restartDataNodeWith(String provider) {
        cluster.setProperty(PROVIDER, provider);
        cluster.dataNode(1).restart();
        cluster.setProperty(PROVIDER, SMART);
        cluster.awaitDataNodes();
    }

    @Test
    void httpFsClientSurvivesKilledActive() throws Exception {
        Server httpFs = HttpFs.start(cluster, "httpfs", SmartClientJar.PRESENT, Map.of());
        httpFsClient(httpFs).assertSurvivesKill(cluster, SmartClientJar.MISSING);
        httpFs.stop();

        Server without = HttpFs.start(cluster, "httpfs-without-jar", SmartClientJar.MISSING, Map.of());
        assertThat(httpFsClient(without).outputWithoutJar(cluster)).contains("Couldn't create proxy provider");
        without.stop();
        passed++;
    }

    private static SteppingClient httpFsClient(Server httpFs) {
        return shadedClient(
                httpFs.name() + "-client",
                REPEATABLE_STEPS,
                Map.of("fs.defaultFS", HttpFs.uri(httpFs).toString()));
    }

    /** The Router finds the active by itself, and does not use the property. Its own clients may: to them it is active. */
    @Test
    void routerClientSurvivesKilledActive() throws Exception {
        Server router = startRouter();
        shadedClient(
                        "router-client",
                        REPEATABLE_STEPS,
                        Map.of(
                                "fs.defaultFS",
                                "hdfs://federation",
                                "dfs.nameservices",
                                "federation",
                                "dfs.ha.namenodes.federation",
                                "r1",
                                "dfs.namenode.rpc-address.federation.r1",
                                router.address("rpc"),
                                "dfs.client.failover.proxy.provider.federation",
                                SMART))
                .assertSurvivesKill(cluster);
        router.stop();
        passed++;
    }

    private static Server startRouter() {
        String name = "router";
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put("rpc-address", cluster.layout().address(name, "rpc"));
        properties.put("admin-address", cluster.layout().address(name, "admin"));
        // Its web pages are not in its jar.
        properties.put("http.enable", "false");
        properties.put("default.nameserviceId", "trefoil");
        properties.put("monitor.namenode", "trefoil.nn1,trefoil.nn2,trefoil.nn3");
        properties.put("monitor.localnamenode.enable", "false");
        properties.put("heartbeat.interval", "500");
        properties.put("cache.ttl", "500ms");
        properties.put("safemode.enable", "false");
        properties.put(
                "store.driver.class", "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl");
        properties.put(
                "store.driver.file.directory",
                cluster.layout().dataDirectory(name).resolve("store").toString());
        Map<String, String> all = new LinkedHashMap<>();
        properties.forEach((key, value) -> all.put("dfs.federation.router." + key, value));
        Server router = cluster.startProgram(new ClientProgram(
                name,
                Jdk.ofThisJvm(),
                List.of(),
                ClientProject.of(name).classPath(),
                SmartClientJar.MISSING,
                all,
                "org.apache.hadoop.hdfs.server.federation.router.DFSRouter",
                List.of()));
        // It answers before it knows the NameNodes.
        router.await("finds the active", LIMIT, () -> {
            try (FileSystem throughIt = FileSystem.newInstance(
                    URI.create("hdfs://" + router.address("rpc")), cluster.clientConfiguration())) {
                return throughIt.listStatus(new Path("/")) != null;
            }
        });
        return router;
    }

    @Test
    void distCpSurvivesKilledActive() throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        Path originals = new Path("/original");
        for (int file = 0; file < FILES_TO_COPY; file++) {
            try (FSDataOutputStream out = fileSystem.create(new Path(originals, String.valueOf(file)))) {
                out.writeUTF("file " + file);
            }
        }
        Server without = startDistCp("distcp-without-jar", SmartClientJar.MISSING);
        without.awaitExit(0, LIMIT);
        assertThat(without.exits().get(0).code()).as(without.describe()).isNotZero();
        assertThat(without.log().textSince(0) + without.console().textSince(0)).contains(SMART + " not found");

        Server copying = startDistCp("distcp", SmartClientJar.PRESENT);
        Path copies = new Path("/copies");
        copying.await(
                "has copied some files",
                LIMIT,
                () -> fileSystem.exists(copies) && fileSystem.listStatus(copies).length > FILES_TO_COPY / 10);
        NameNodeServer killed = cluster.awaitActive();
        killed.kill9();
        assertThat(copying.isAlive()).as("in the middle of its work").isTrue();
        copying.awaitExit(0, LIMIT);
        assertThat(copying.exits().get(0).code()).as(copying.describe()).isZero();
        assertThat(fileSystem.getContentSummary(copies).getFileCount()).isEqualTo(FILES_TO_COPY);
        for (int file = 0; file < FILES_TO_COPY; file++) {
            assertThat(fileSystem.getFileChecksum(new Path(copies, String.valueOf(file))))
                    .isEqualTo(fileSystem.getFileChecksum(new Path(originals, String.valueOf(file))));
        }
        killed.awaitState(HAServiceState.STANDBY);
        passed++;
    }

    /** In one process, without YARN: other tests cover MapReduce. */
    private static Server startDistCp(String name, SmartClientJar jar) {
        return cluster.startProgram(new ClientProgram(
                name,
                Jdk.ofThisJvm(),
                List.of(),
                StockHadoop.fromSystemProperties().yarnClassPath(),
                jar,
                Map.of("mapreduce.framework.name", "local"),
                "org.apache.hadoop.tools.DistCp",
                List.of("/original", "/copies")));
    }

    private static SteppingClient shadedClient(String name, String type, Map<String, String> properties) {
        return new SteppingClient(
                name, Jdk.ofThisJvm(), ClientProject.of("shaded").classPath(), type, properties);
    }
}
