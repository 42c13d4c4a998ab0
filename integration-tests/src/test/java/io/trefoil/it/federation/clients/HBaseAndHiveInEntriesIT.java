/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.clients;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.client.hdfs.SubtreeFs;
import io.trefoil.it.clients.ClientProject;
import io.trefoil.it.clients.SteppingClient;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * HBase writes its log by HDFS's client below the file system, and Hive asks that for keys and numbers of files: both work in an entry of a
 * table, and do not notice that the active of its owner is killed; so do a whole HBase that loses a region server, and queries of Hive. The
 * first run downloads their libraries.
 */
@Tag("long")
class HBaseAndHiveInEntriesIT {
    private static final String TABLE = "hdfs://ns1/.trefoil/subtrees";
    private static final List<String> ENTRIES = List.of("/hbase", "/warehouse");
    private static final int TESTS = 4;
    /** What Hive reaches by reflection. */
    private static final String[] OPENED_FOR_HIVE = Stream.of(
                    "lang", "net", "nio", "util", "util.concurrent", "util.concurrent.atomic", "util.regex")
            .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
            .toArray(String[]::new);

    private static HaCluster first;
    private static HaCluster second;
    private static int passed;

    @BeforeAll
    static void startClusters() throws IOException {
        first = plan("ns1");
        second = plan("ns2");
        FederatedClusters.join(first, second);
        first.setUp();
        second.setUp();
        first.trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();
        for (String entry : ENTRIES) {
            for (HaCluster one : List.of(first, second)) {
                try (DistributedFileSystem files = one.newFileSystem()) {
                    files.mkdirs(new org.apache.hadoop.fs.Path(entry));
                }
            }
            first.trefoil("table", "add", entry, "ns2", "--table", TABLE).expectSuccess();
        }
    }

    private static HaCluster plan(String nameservice) {
        return HaCluster.builder("entries-" + nameservice)
                .nameservice(nameservice)
                .dataNodes(1)
                .property("dfs.replication", "1")
                .withAutomaticFailover()
                .create();
    }

    @AfterAll
    static void stopClusters() {
        if (passed == TESTS) {
            first.markSucceeded();
            second.markSucceeded();
        }
        first.close();
        second.close();
    }

    @Test
    void hbaseRegionSurvivesKilledActive() throws Exception {
        check("hbase", "RegionSteps");
    }

    @Test
    void hivePartitionsSurviveKilledActive() throws Exception {
        check("hive", "HiveSteps");
    }

    @Test
    void regionServersContinueWhenActiveIsKilled() throws Exception {
        check("hbase", "RegionServerSteps", "-Xmx1g");
    }

    @Test
    void queriesContinueWhenActiveIsKilled() throws Exception {
        check(
                "hive-query",
                "HiveQuerySteps",
                Stream.concat(Stream.of("-Xmx1g"), Stream.of(OPENED_FOR_HIVE)).toArray(String[]::new));
    }

    private static void check(String project, String type, String... jvmOptions) throws Exception {
        String provider = SmartFailoverProxyProvider.class.getName();
        List<Path> libraries = ClientProject.of(project).classPath();
        new SteppingClient(
                        type,
                        Jdk.ofThisJvm(),
                        libraries,
                        "io.trefoil.clients." + type,
                        Map.of(
                                "fs.defaultFS",
                                "hdfs://cluster",
                                "fs.hdfs.impl",
                                SubtreeFileSystem.class.getName(),
                                "fs.AbstractFileSystem.hdfs.impl",
                                SubtreeFs.class.getName(),
                                "fs.viewfs.mounttable.path",
                                TABLE,
                                "dfs.client.failover.proxy.provider.ns1",
                                provider,
                                "dfs.client.failover.proxy.provider.ns2",
                                provider),
                        jvmOptions)
                .assertSurvivesKill(second);
        passed++;
    }
}
