/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.process.jvm.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Spark, HBase and Flink, old and new, with the libraries that they bring, do not notice that the active is killed, and say plainly
 * if our jar is missing. Trino, which renames the parts of HDFS that our client needs, says so, and does not notice a
 * kill with the stock class. The first run downloads their libraries.
 */
@Tag("long")
class SparkAndOthersIT {
    private static final String[] OPENED_FOR_SPARK = Stream.of(
                    "java.base/java.lang.invoke",
                    "java.base/java.util.concurrent.atomic",
                    "java.base/jdk.internal.ref",
                    "java.base/sun.nio.cs",
                    "java.base/sun.security.action",
                    "java.base/sun.util.calendar")
            .map(name -> "--add-opens=" + name + "=ALL-UNNAMED")
            .toArray(String[]::new);

    private static final int TESTS = 8;

    private static HaCluster cluster;
    private static int passed;

    @BeforeAll
    static void startCluster() {
        cluster = HaCluster.builder("others-clients")
                .dataNodes(2)
                .withAutomaticFailover()
                .property("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName())
                .start();
    }

    @AfterAll
    static void stopCluster() {
        if (passed == TESTS) {
            cluster.markSucceeded();
        }
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.3.4", "3.5.8", "4.1.1"})
    void sparkJobsSurviveKilledActive(String version) throws Exception {
        check(
                "spark",
                version,
                "SparkSteps",
                List.of(),
                Stream.concat(Stream.of("-Xmx1g"), Stream.of(OPENED_FOR_SPARK)).toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.5.13-hadoop3", "2.6.4-hadoop3"})
    void hbaseRegionSurvivesKilledActive(String version) throws Exception {
        check("hbase", version, "RegionSteps", List.of());
    }

    /** Flink brings no Hadoop, and gets what {@code hadoop classpath} prints. */
    @ParameterizedTest
    @ValueSource(strings = {"1.20.5", "2.1.1"})
    void flinkJobsSurviveKilledActive(String version) throws Exception {
        check("flink", version, "FlinkSteps", StockHadoop.fromSystemProperties().classPath(), "-Xmx1g");
    }

    @Test
    void trinoFilesSurviveKilledActive() throws Exception {
        assertThat(trinoClient(SmartFailoverProxyProvider.class.getName())
                        .immediateOutput(cluster, SmartClientJar.PRESENT))
                .contains("Couldn't create proxy provider class " + SmartFailoverProxyProvider.class.getName())
                .contains("NoClassDefFoundError: org/apache/hadoop/thirdparty/protobuf/");
        trinoClient(ConfiguredFailoverProxyProvider.class.getName())
                .assertSurvivesKill(cluster, SmartClientJar.MISSING);
        passed++;
    }

    private static SteppingClient trinoClient(String provider) {
        return new SteppingClient(
                "trino",
                Jdk.ofThisJvm(),
                ClientProject.of("trino").classPath(),
                "io.trefoil.clients.TrinoSteps",
                Map.of("dfs.client.failover.proxy.provider.trefoil", provider));
    }

    private static void check(String project, String version, String type, List<Path> more, String... jvmOptions)
            throws Exception {
        List<Path> libraries = Stream.concat(
                        ClientProject.of(project).withProgramVersion(version).classPath().stream(), more.stream())
                .toList();
        SteppingClient client = new SteppingClient(
                project + "-" + version, Jdk.ofThisJvm(), libraries, "io.trefoil.clients." + type, jvmOptions);
        // What another version wrote there.
        cluster.newFileSystem().delete(new org.apache.hadoop.fs.Path("/" + project), true);
        client.assertReportsMissingJar(cluster);
        client.assertSurvivesKill(cluster);
        passed++;
    }
}
