/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.client.hdfs.NoActiveNameNodeException;
import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.ParallelActions;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeLedger.Gap;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Applications with the smart client do not notice a failover. Clients with the stock provider run beside them, for
 * comparison. The system property {@code trefoil.it.failovers} says how often each fault happens. {@code
 * -Dtrefoil.it.smart.latest=3000} limits how many milliseconds after the new active's announcement our clients go on;
 * otherwise that is printed beside what stock clients need, and our clients go on by themselves in any case.
 */
class SmartClientIT {
    /** Between TCP's seventh and eighth repetition, which comes after 51 s or later. */
    private static final Duration UNHEARD = Duration.ofSeconds(30);

    private static final int FAILOVERS = Integer.getInteger("trefoil.it.failovers", 1);
    private static final int CHANGES_BETWEEN = 300;
    private static final Duration MIN_GAP = Duration.ofMillis(20);
    /** Far below what stock clients need, far above what a machine shows that has its CPUs all the time. */
    private static final Long LATEST_MILLIS = Long.getLong("trefoil.it.smart.latest");

    @Test
    void clientsResumeOnceActiveExistsWithoutLossOrRepetition() throws Exception {
        HaCluster.builder("smart-client")
                .withAutomaticFailover()
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .run(cluster -> {
                    FileSystem ours = cluster.newFileSystem(ClientKinds.smart(cluster));
                    FileSystem stock = cluster.newFileSystem(ClientKinds.stock(cluster));
                    try (RunningLoad load =
                                    Workload.on(ours).under("/ours").threads(8).start();
                            RunningLoad stockLoad = Workload.on(stock)
                                    .under("/stock")
                                    .threads(8)
                                    .seed(2)
                                    .start()) {
                        for (int i = 1; i <= FAILOVERS; i++) {
                            runFault("killed", cluster, load, stockLoad, NameNodeServer::kill9);
                            runFault("frozen", cluster, load, stockLoad, NameNodeServer::pause);
                            runFault(
                                    "handed over",
                                    cluster,
                                    load,
                                    stockLoad,
                                    old -> cluster.failOverTo(
                                            cluster.nameNodesExcept(old).get(0)));
                        }
                        FinalChecks.assertNothingLost(ours, load);
                        stockLoad.stop(Await.TIMEOUT);
                    }
                    FinalChecks.assertAllAgree(cluster);
                });
    }

    private static void runFault(
            String description,
            HaCluster cluster,
            RunningLoad load,
            RunningLoad stockLoad,
            Consumer<NameNodeServer> damage) {
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        stockLoad.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        NameNodeServer old = cluster.awaitActive();
        cluster.nameNodesExcept(old).forEach(nameNode -> nameNode.awaitState(HAServiceState.STANDBY));
        CompletableFuture<Long> announced = CompletableFuture.supplyAsync(() -> activationTimeOfOther(cluster, old));
        long began = System.nanoTime();
        damage.accept(old);
        load.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        long active = announced.join();
        if (description.equals("frozen")) {
            old.resume();
        }
        stockLoad.awaitMore(CHANGES_BETWEEN, Await.TIMEOUT);
        old.awaitState(HAServiceState.STANDBY);

        Duration ours = gapBetween(load, began, active);
        Duration stock = gapBetween(stockLoad, began, active);
        Duration outage = Duration.ofNanos(active - began);
        System.out.printf(
                Locale.ROOT,
                "active %s: another one announced after %d ms; longest gap of our clients %d ms, of stock clients %d ms%s%n",
                description,
                outage.toMillis(),
                ours.toMillis(),
                stock.toMillis(),
                description.equals("frozen") ? ", as it was thawed when ours went on" : "");
        if (LATEST_MILLIS != null) {
            assertThat(ours)
                    .as("gap of our clients, active " + description)
                    .isLessThan(outage.plus(Duration.ofMillis(LATEST_MILLIS)));
        }
    }

    /** When another NameNode says that it is active, by {@link System#nanoTime}. */
    private static long activationTimeOfOther(HaCluster cluster, NameNodeServer old) {
        List<NameNodeServer> others = cluster.nameNodesExcept(old);
        while (others.stream().noneMatch(NameNodeServer::isActive)) {
            Thread.onSpinWait();
        }
        return System.nanoTime();
    }

    /** The longest gap that lies in a period at least in part: later ones have other reasons. */
    private static Duration gapBetween(RunningLoad load, long from, long to) {
        return load.ledger().gaps(MIN_GAP).stream()
                .filter(gap ->
                        gap.beganNanos() < to && gap.beganNanos() + gap.length().toNanos() > from)
                .map(Gap::length)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    @Test
    void everyHdfsInterfaceWorks() throws Exception {
        HaCluster.builder("smart-client-ways")
                .nameNodes(2)
                .dataNodes(1)
                .withAutomaticFailover()
                .property(ClientKinds.PROVIDER, SmartFailoverProxyProvider.class.getName())
                .property("dfs.namenode.delegation.token.always-use", "true")
                .run(cluster -> {
                    FileSystem fileSystem = cluster.newFileSystem();
                    FileContext context =
                            FileContext.getFileContext(fileSystem.getUri(), cluster.clientConfiguration());
                    FileSystem byToken = fileSystemByToken(cluster, fileSystem);
                    cluster.awaitActive().kill9();

                    assertThat(fileSystem.mkdirs(new Path("/by-file-system"))).isTrue();
                    context.mkdir(new Path("/by-context"), FsPermission.getDirDefault(), true);
                    assertThat(byToken.mkdirs(new Path("/tmp-of-token"))).isTrue();
                    assertThat(fileSystem.getCanonicalServiceName()).isEqualTo("ha-hdfs:trefoil");
                    // A majority of two nodes is both of them: the killed one may be back before the other has its
                    // promise.
                    NameNodeServer standby =
                            cluster.nameNodesExcept(cluster.awaitActive()).get(0);
                    standby.awaitState(HAServiceState.STANDBY);
                    assertThat(fileSystemKnowingOnly(cluster, standby).exists(new Path("/by-context")))
                            .as("a client that knows a standby only")
                            .isTrue();
                    cluster.tool("org.apache.hadoop.fs.FsShell", "-touchz", "/by-file-system/by-shell")
                            .expectSuccess();
                    cluster.dfsadmin("-report").expectSuccess();
                    cluster.tool("org.apache.hadoop.hdfs.server.balancer.Balancer")
                            .expectSuccess();
                    assertThat(fileSystem.exists(new Path("/by-file-system/by-shell")))
                            .isTrue();
                    assertErrorListsAttempts(cluster);
                });
    }

    /** Any user who may write to ZooKeeper can register a NameNode there. People see it, but no client calls it. */
    @Test
    @Tag("long")
    void clientsIgnoreForeignServerRegisteredInZooKeeper() throws Exception {
        HaCluster.builder("smart-client-stranger")
                .nameNodes(3)
                .withAutomaticFailover()
                .property(ClientKinds.PROVIDER, SmartFailoverProxyProvider.class.getName())
                .run(cluster -> {
                    AtomicInteger callers = new AtomicInteger();
                    try (ServerSocket strangerSocket = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
                        Thread door = new Thread(() -> countCallers(strangerSocket, callers), "stranger");
                        door.start();
                        String address = "127.0.0.1:" + strangerSocket.getLocalPort();
                        cluster.faults().registerForeignNameNode("nn9", address);
                        NameNodeServer active = cluster.awaitActive();
                        cluster.nameNodes()
                                .forEach(nameNode ->
                                        nameNode.await("sees the stranger", Await.TIMEOUT, () -> nameNode.jmx()
                                                .readText("Hadoop:service=NameNode,name=TrefoilGroup", "View")
                                                .contains(address)));
                        NameNodeServer standby = cluster.nameNodesExcept(active).get(0);

                        FileSystem fileSystem = fileSystemKnowingOnly(cluster, standby);
                        assertThat(fileSystem.mkdirs(new Path("/found"))).isTrue();
                        active.kill9();
                        assertThat(fileSystem.mkdirs(new Path("/found-again"))).isTrue();
                        // By then, it has found members that its file does not name.
                        assertThat(callers).as("calls of the stranger").hasValue(0);
                    }
                });
    }

    private static void countCallers(ServerSocket strangerSocket, AtomicInteger callers) {
        try {
            while (true) {
                strangerSocket.accept();
                callers.incrementAndGet();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    /** No NameNode is left: the time limit is kept, and the error names every NameNode and what it answered. */
    private static void assertErrorListsAttempts(HaCluster cluster) throws IOException {
        Configuration conf = cluster.clientConfiguration();
        conf.set("trefoil.client.failover.timeout", "10s");
        FileSystem fileSystem = cluster.newFileSystem(conf);
        assertThat(fileSystem.exists(new Path("/by-context"))).isTrue();
        ParallelActions.forEach(cluster.nameNodes(), NameNodeServer::kill9ForGood);
        long began = System.nanoTime();
        assertThatThrownBy(() -> fileSystem.mkdirs(new Path("/nobody")))
                .isInstanceOf(NoActiveNameNodeException.class)
                .hasMessageContaining("mkdirs")
                .hasMessageContaining("trefoil.client.failover.timeout")
                .hasMessageContaining(
                        cluster.nameNode(1).address("rpc").split(":")[1] + ": no answer: ConnectException")
                .hasMessageContaining(
                        cluster.nameNode(2).address("rpc").split(":")[1] + ": no answer: ConnectException");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofMillis(9_900), Await.TIMEOUT);
    }

    /** Like a job: another user's process that has only a token for the logical name. */
    private static FileSystem fileSystemByToken(HaCluster cluster, FileSystem fileSystem) throws Exception {
        fileSystem.setPermission(new Path("/"), new FsPermission((short) 0777));
        Token<?> token = fileSystem.getDelegationToken("nobody");
        UserGroupInformation job = UserGroupInformation.createRemoteUser("job");
        job.addToken(token);
        return job.doAs((PrivilegedExceptionAction<FileSystem>) cluster::newFileSystem);
    }

    private static FileSystem fileSystemKnowingOnly(HaCluster cluster, NameNodeServer one) throws IOException {
        Configuration conf = cluster.clientConfiguration();
        conf.set("dfs.ha.namenodes.trefoil", one.name());
        return cluster.newFileSystem(conf);
    }

    /** It hears the call, and stays the active; TCP's next repetition would come more than 20 s later. */
    @Test
    @Tag("long")
    @NeedsRoot
    void callIsAnsweredPromptlyWhenActiveRecovers() throws Exception {
        HaCluster.builder("unheard-active")
                .journal(JournalKind.ssp())
                .withNetworkNamespaces()
                .run(cluster -> {
                    NameNodeServer active = cluster.nameNode(1);
                    FileSystem fileSystem = cluster.newFileSystem(ClientKinds.smart(cluster));
                    fileSystem.mkdirs(new Path("/before"));
                    ExecutorService thread = Executors.newSingleThreadExecutor();
                    try {
                        cluster.faults().cutLinkToClients(active);
                        long cutNanos = System.nanoTime();
                        Future<Boolean> call = thread.submit(() -> fileSystem.mkdirs(new Path("/unheard")));
                        Await.until(
                                "the cut has lasted",
                                UNHEARD.plus(Await.TIMEOUT),
                                () -> System.nanoTime() - cutNanos > UNHEARD.toNanos(),
                                () -> "time stands still");
                        assertThat(call).isNotDone();
                        cluster.faults().healLinkToClients(active);
                        long healedNanos = System.nanoTime();

                        assertThat(call.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                                .isTrue();
                        Duration waited = Duration.ofNanos(System.nanoTime() - healedNanos);
                        System.out.printf("the active was heard again: a call waited %d ms%n", waited.toMillis());
                        assertThat(waited).isLessThan(Duration.ofSeconds(10));
                    } finally {
                        thread.shutdownNow();
                    }
                });
    }
}
