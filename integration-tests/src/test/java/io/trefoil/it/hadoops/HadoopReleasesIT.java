/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadoops;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.clients.SteppingClient;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The oldest release of Hadoop that is supported takes the loss of an active; the newest, with the locks that only it has, does so by itself,
 * and a planned failover, under smart clients of the same release and of that which the build compiles against. The long tests freeze the
 * active, cut it off, restart all, and have clients of the same and of other releases, smart and stock, live through a kill.
 * {@code bin/check-hadoops} does this and more on all releases.
 */
class HadoopReleasesIT {
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.trefoil";
    private static final String SMART = SmartFailoverProxyProvider.class.getName();
    private static final String[] CLIENTS = {"3.1.4", "3.3.6", "3.4.3", "3.5.0"};
    private static final int CHANGES_BETWEEN = 200;

    /** By hand: ZooKeeper's client in Hadoop 3.1 and 3.2 does not connect on Java 14 and newer, which runs this build. */
    @Test
    void oldestReleasePreservesWritesWhenActiveIsKilled() throws Exception {
        HaCluster.builder("hadoop-3.1.4")
                .hadoop(HadoopRelease.of("3.1.4").stockServers())
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        cluster.nameNode(1).kill9();
                        cluster.nameNode(2).becomeActive();
                        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                        FinalChecks.assertNothingLost(fileSystem, load);
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    static Stream<String> releases() {
        return Stream.of(System.getProperty("trefoil.it.hadoops", "3.5.0-fgl").split(","));
    }

    @ParameterizedTest
    @MethodSource("releases")
    void releasePreservesWritesWhenActiveIsKilledAndReplaced(String releaseName) throws Exception {
        HadoopRelease release = HadoopRelease.of(releaseName);
        SteppingClient client = release.smartClientProgram();
        HaClusterBuilder builder = HaCluster.builder("hadoop-" + releaseName)
                .hadoop(release.stockServers())
                .withAutomaticFailover()
                .dataNodes(1)
                .property(PROVIDER, SMART);
        release.properties().forEach(builder::property);
        builder.run(cluster -> {
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load =
                    Workload.on(fileSystem).threads(8).fileWriters(1).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                client.assertSurvivesKill(cluster);
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                cluster.failOverTo(
                        cluster.nameNodesExcept(cluster.awaitActive()).get(0));
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            FinalChecks.assertAllAgree(cluster);
        });
    }

    @ParameterizedTest
    @Tag("long")
    @NeedsRoot
    @MethodSource("releases")
    void releaseLosesNothingWhenActiveIsFrozenOrCutOff(String releaseName) throws Exception {
        HadoopRelease release = HadoopRelease.of(releaseName);
        HaClusterBuilder builder = HaCluster.builder("faults-" + releaseName)
                .hadoop(release.stockServers())
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .property(PROVIDER, SMART);
        release.properties().forEach(builder::property);
        builder.run(cluster -> {
            Configuration impatient = cluster.clientConfiguration();
            // A client waits two minutes for a server that hangs, which is not the subject here.
            impatient.set("ipc.client.rpc-timeout.ms", "3000");
            FileSystem fileSystem = cluster.newFileSystem(impatient);
            try (RunningLoad load = Workload.on(fileSystem).threads(8).start()) {
                load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
                assertReplaced(cluster, load, NameNodeServer::pause, NameNodeServer::resume);
                assertReplaced(cluster, load, cluster.faults()::isolate, cluster.faults()::reconnect);
                FinalChecks.assertNothingLost(fileSystem, load);
            }
            cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
            NamespaceDigest before = NamespaceDigest.of(
                    cluster.nameNodesExcept(cluster.awaitActive()).get(0));
            cluster.nameNodes().forEach(NameNodeServer::kill9ForGood);
            cluster.startNameNodes();
            cluster.awaitActiveAndStandbys();
            NamespaceDigest.ofAll(cluster, Await.TIMEOUT).expectSameExceptMasterKeys(before);
        });
    }

    private static void assertReplaced(
            HaCluster cluster, RunningLoad load, Consumer<NameNodeServer> fault, Consumer<NameNodeServer> healed) {
        NameNodeServer old = cluster.awaitActiveAndStandbys();
        fault.accept(old);
        cluster.awaitActiveOtherThan(old);
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        healed.accept(old);
        old.awaitState(HAServiceState.STANDBY);
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
    }

    @ParameterizedTest
    @Tag("long")
    @MethodSource("releases")
    void clientsOfOtherReleasesSurviveKilledActive(String releaseName) throws Exception {
        HadoopRelease release = HadoopRelease.of(releaseName);
        List<SteppingClient> clients = new ArrayList<>();
        for (String other : Stream.concat(Stream.of(release.number()), Stream.of(CLIENTS))
                .distinct()
                .toList()) {
            clients.add(HadoopRelease.of(other).clientOf(SmartFailoverProxyProvider.class));
            clients.add(HadoopRelease.of(other).clientOf(ConfiguredFailoverProxyProvider.class));
        }
        HaClusterBuilder builder = HaCluster.builder("clients-" + releaseName)
                .hadoop(release.stockServers())
                .withAutomaticFailover()
                .dataNodes(1);
        release.properties().forEach(builder::property);
        builder.run(cluster -> {
            SteppingClient.assertAllSurviveKill(cluster, SmartClientJar.MISSING, clients);
            FinalChecks.assertAllAgree(cluster);
        });
    }
}
