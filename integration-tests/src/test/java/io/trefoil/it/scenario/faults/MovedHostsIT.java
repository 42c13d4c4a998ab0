/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Steps;
import io.trefoil.it.process.jvm.Jdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/** Names do not resolve, and hosts come back at other addresses, as pods and hosts that were replaced do. */
@NeedsRoot
class MovedHostsIT {
    /** On a machine that runs other clusters beside this one. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    private static final Pattern STEP = Pattern.compile("^step [0-9]+: ([0-9]+) ms$", Pattern.MULTILINE);

    @Test
    void restartedNodesServeAndTakeOverWithoutNameResolution() throws Exception {
        HaCluster.builder("lost-names")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .withNamedHosts()
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    cluster.awaitFullJournal();
                    NameNodeServer active = cluster.awaitActive();
                    List<NameNodeServer> standbys = cluster.nameNodesExcept(active);
                    FileSystem fileSystem = cluster.newFileSystem();
                    fileSystem.mkdirs(new Path("/before"));

                    cluster.faults().breakNameResolution();
                    standbys.forEach(Server::kill9ForGood);
                    standbys.forEach(Server::start);
                    standbys.forEach(standby -> standby.awaitState(HAServiceState.STANDBY));
                    fileSystem.mkdirs(new Path("/while-names-are-gone"));

                    active.kill9ForGood();
                    long killedNanos = System.nanoTime();
                    fileSystem.mkdirs(new Path("/after-the-takeover"));
                    Duration waited = elapsedSince(killedNanos);
                    System.out.printf("names were gone: the takeover took %d ms%n", waited.toMillis());
                    assertThat(waited).as("a takeover without names").isLessThan(BOUND);
                });
    }

    @Test
    void nodeRejoinsPromptlyAtNewAddress() throws Exception {
        HaCluster.builder("moved-host")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .withNamedHosts()
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    cluster.awaitFullJournal();
                    NameNodeServer active = cluster.awaitActive();
                    NameNodeServer moved = cluster.nameNodesExcept(active).get(0);
                    NameNodeServer third = cluster.nameNodesExcept(active).get(1);
                    FileSystem fileSystem = cluster.newFileSystem();
                    fileSystem.mkdirs(new Path("/before"));

                    cluster.faults().moveHost(moved);
                    cluster.faults().killHostOf(moved);
                    fileSystem.mkdirs(new Path("/while-it-is-away"));
                    // From now on the one that moves is needed for every write.
                    third.kill9ForGood();
                    moved.start();
                    moved.awaitListening("pool");
                    long backNanos = System.nanoTime();
                    fileSystem.mkdirs(new Path("/when-it-is-back"));
                    Duration waited = elapsedSince(backNanos);
                    System.out.printf("a node came back elsewhere: a write waited %d ms%n", waited.toMillis());
                    assertThat(waited).as("a write that needs the moved node").isLessThan(BOUND);
                });
    }

    /** Their JVMs would give old answers until long after the test. */
    @Test
    void agentAndClientReachActivePromptlyAtNewAddress() throws Exception {
        HaCluster.builder("moved-active")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .withNamedHosts()
                .jvmOption("-Dsun.net.inetaddr.ttl=3600")
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    cluster.awaitFullJournal();
                    NameNodeServer moved = cluster.awaitActive();
                    Server client = cluster.startProgramOnOwnHost(directoryCreatingProgram());
                    awaitSteps(client, 3);

                    cluster.faults().moveHost(moved);
                    cluster.faults().killHostOf(moved);
                    NameNodeServer second = cluster.awaitActiveOtherThan(moved);
                    NameNodeServer third = cluster.nameNodesExcept(moved).stream()
                            .filter(one -> one != second)
                            .findFirst()
                            .orElseThrow();
                    awaitSteps(client, stepCount(client) + 3);

                    moved.start();
                    moved.await("may take over", Await.TIMEOUT, moved::mayTakeOver);
                    // The agent of the second has to reach that of the first, and no other is left to ask.
                    third.kill9ForGood();
                    long askedNanos = System.nanoTime();
                    moved.takeOver();
                    Duration tookOver = elapsedSince(askedNanos);
                    int before = stepCount(client);
                    awaitSteps(client, before + 3);
                    Duration longest = longestStep(client, before);
                    System.out.printf(
                            "the active came back elsewhere: handed over in %d ms, a client waited %d ms%n",
                            tookOver.toMillis(), longest.toMillis());
                    assertThat(tookOver).as("handing over to the moved node").isLessThan(BOUND);
                    assertThat(longest).as("a call to the moved node").isLessThan(BOUND);
                });
    }

    private static ClientProgram directoryCreatingProgram() {
        List<java.nio.file.Path> libraries = new ArrayList<>(StockHadoop.fromSystemProperties().jars().stream()
                .filter(jar -> !jar.getFileName().toString().startsWith("trefoil-"))
                .toList());
        libraries.add(java.nio.file.Path.of(DirectorySteps.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath()));
        return new ClientProgram(
                "client1",
                Jdk.ofThisJvm(),
                List.of(),
                libraries,
                SmartClientJar.PRESENT,
                Map.of("dfs.client.failover.proxy.provider.trefoil", SmartFailoverProxyProvider.class.getName()),
                Steps.class.getName(),
                List.of("/dev/null/never", DirectorySteps.class.getName()));
    }

    private static void awaitSteps(Server client, int count) {
        client.await("has done " + count + " steps", Await.TIMEOUT, () -> stepCount(client) >= count);
    }

    private static int stepCount(Server client) {
        return (int) STEP.matcher(client.console().textSince(0)).results().count();
    }

    /** Of those after this many, and of the one that was under way then. */
    private static Duration longestStep(Server client, int after) {
        return STEP.matcher(client.console().textSince(0))
                .results()
                .skip(after)
                .map(step -> Duration.ofMillis(Long.parseLong(step.group(1))))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static Duration elapsedSince(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
