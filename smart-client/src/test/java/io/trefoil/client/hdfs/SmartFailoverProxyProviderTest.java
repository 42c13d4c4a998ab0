/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The provider as HDFS uses it, below HDFS's own retry handler, against NameNodes that are made up but for their RPC. */
@Timeout(120)
class SmartFailoverProxyProviderTest {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private FakeGroup group;

    /** The first call in a JVM takes a second or two on a busy machine, longer than the times that are tested. */
    @BeforeAll
    static void warmUp() throws IOException {
        try (FakeGroup group = new FakeGroup(1)) {
            group.makeActive(1);
            mkdirs(group.client());
        }
    }

    @BeforeEach
    void begin() throws IOException {
        group = new FakeGroup(3);
    }

    @AfterEach
    void end() {
        group.close();
        threads.shutdownNow();
    }

    private static boolean mkdirs(ClientProtocol client) throws IOException {
        return client.mkdirs("/a", FsPermission.getDirDefault(), true);
    }

    private String port(int nameNode) {
        return group.nameNode(nameNode).address().split(":")[1];
    }

    /** For calls that must not be suspected of hanging, however slow the machine is. */
    private Configuration configurationWithoutHangDetection() {
        Configuration conf = group.configuration();
        conf.set("trefoil.client.suspect-after", "30s");
        return conf;
    }

    private Future<Boolean> mkdirsAsync(ClientProtocol client) {
        return threads.submit(() -> mkdirs(client));
    }

    @Test
    void sticksToActive() throws IOException {
        group.makeActive(3);
        ClientProtocol client = group.client(configurationWithoutHangDetection());
        assertThat(mkdirs(client)).isTrue();
        List<Integer> before =
                group.nameNodes().stream().map(FakeNameNode::roleQueryCount).toList();
        for (int i = 1; i < 10; i++) {
            assertThat(mkdirs(client)).isTrue();
        }
        assertThat(group.nameNode(3).executedMethods()).hasSize(10);
        for (int i = 0; i < before.size(); i++) {
            assertThat(group.nameNodes().get(i).refusalCount()).isZero();
            // One may have been on its way, and one comes from time to time without a reason.
            assertThat(group.nameNodes().get(i).roleQueryCount()).isLessThanOrEqualTo(before.get(i) + 2);
        }
    }

    @Test
    void followsRoleHandover() throws Exception {
        group.makeActive(1);
        ClientProtocol client = group.client(configurationWithoutHangDetection());
        mkdirs(client);
        group.nameNode(1).become(HAServiceState.STANDBY);
        Future<Boolean> call = mkdirsAsync(client);
        await().until(() -> group.nameNode(1).refusalCount() == 1);
        group.makeActive(2);
        assertThat(call.get()).isTrue();
        assertThat(group.nameNode(2).executedMethods()).containsExactly("mkdirs");
        assertThat(group.nameNode(1).refusalCount()).isEqualTo(1);
    }

    @Test
    void resendsCallOfDeadActiveWithSameId() throws Exception {
        group.makeActive(1);
        ClientProtocol client = group.client();
        CountDownLatch executed = new CountDownLatch(1);
        group.nameNode(1).setBehaviour(path -> {
            executed.countDown();
            // The answer never leaves.
            return new CompletableFuture<Boolean>().join();
        });
        Future<Boolean> call = mkdirsAsync(client);
        executed.await();
        group.nameNode(1).close();
        group.makeActive(2);
        assertThat(call.get()).isTrue();
        assertThat(group.nameNode(2).operationIds()).isEqualTo(group.nameNode(1).operationIds());
    }

    @Test
    void eachCallHasOwnId() throws IOException {
        group.makeActive(1);
        ClientProtocol client = group.client();
        mkdirs(client);
        mkdirs(client);
        assertThat(group.nameNode(1).operationIds()).doesNotHaveDuplicates();
    }

    @Test
    void abandonsHungActiveWhenAnotherIsActive() throws Exception {
        group.makeActive(1);
        Configuration conf = group.configuration();
        // A call that is not left runs into the time limit of the test.
        conf.set("trefoil.client.failover.timeout", "10m");
        ClientProtocol client = group.client(conf);
        mkdirs(client);
        group.nameNode(1).freeze();
        AtomicBoolean interrupted = new AtomicBoolean();
        Future<Boolean> call = threads.submit(() -> {
            boolean made = mkdirs(client);
            interrupted.set(Thread.currentThread().isInterrupted());
            return made;
        });
        await().until(() -> group.nameNode(2).roleQueryCount() >= 3);
        assertThat(call.isDone()).isFalse();
        group.makeActive(2);
        assertThat(call.get()).isTrue();
        assertThat(interrupted).isFalse();
        assertThat(group.nameNode(1).executedMethods()).containsExactly("mkdirs");
    }

    /** TCP by itself would repeat the call after as long again, however soon the network is back. */
    @Test
    void resendsCallWhenActiveReturnsButConnectionIsLost() throws Exception {
        group.makeActive(1);
        Configuration conf = group.configuration();
        conf.set("hadoop.rpc.socket.factory.class.default", FaultySockets.class.getName());
        conf.set("dfs.client.failover.namenode.ha-state.probe.timeout", "500ms");
        ClientProtocol client = group.client(conf);
        mkdirs(client);
        FaultySockets.blackhole(group.nameNode(1).port());
        try {
            Future<Boolean> first = mkdirsAsync(client);
            Future<Boolean> second = mkdirsAsync(client);
            int before = group.nameNode(2).roleQueryCount();
            await().until(() -> group.nameNode(2).roleQueryCount() >= before + 3);
            FaultySockets.repair(group.nameNode(1).port());

            assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(second.get(30, TimeUnit.SECONDS)).isTrue();
            assertThat(group.nameNode(1).executedMethods()).containsExactly("mkdirs", "mkdirs", "mkdirs");
        } finally {
            FaultySockets.repair(group.nameNode(1).port());
        }
    }

    @Test
    void leavesHostThatRefusesConnections() throws Exception {
        try (ServerSocket full = new ServerSocket()) {
            full.bind(new InetSocketAddress("127.0.0.1", 0), 1);
            List<Socket> fillers = new ArrayList<>();
            List<Future<?>> filled = new ArrayList<>();
            Configuration conf = group.configuration();
            // A thread that waits for a connection runs into the time limit of the test.
            conf.setInt("ipc.client.connect.timeout", 600_000);
            conf.set("dfs.namenode.rpc-address.group.nn1", "127.0.0.1:" + full.getLocalPort());
            try {
                // A queue that is full loses packets without a word, as a link that is cut.
                for (int i = 0; i < 3; i++) {
                    Socket filler = new Socket();
                    fillers.add(filler);
                    filled.add(threads.submit(() -> {
                        filler.connect(full.getLocalSocketAddress());
                        return null;
                    }));
                }
                await().until(() -> filled.stream().filter(Future::isDone).count() >= 2);
                group.makeActive(2);
                assertThat(mkdirs(group.client(conf))).isTrue();
            } finally {
                for (Socket filler : fillers) {
                    filler.close();
                }
            }
        }
    }

    @Test
    void waitsForSlowButRespondingActive() throws Exception {
        group.makeActive(1);
        Configuration conf = group.configuration();
        // It must answer within half of that, also on a busy machine.
        conf.set("trefoil.client.suspect-after", "5s");
        ClientProtocol client = group.client(conf);
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        group.nameNode(1).setBehaviour(path -> {
            called.countDown();
            try {
                return goOn.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        });
        Future<Boolean> call = mkdirsAsync(client);
        called.await();
        int before = group.nameNode(1).roleQueryCount();
        // A NameNode that was deposed and does not know it yet, say.
        group.makeActive(2);
        await().atMost(Duration.ofSeconds(30)).until(() -> group.nameNode(1).roleQueryCount() >= before + 2);
        goOn.countDown();
        assertThat(call.get()).isTrue();
        assertThat(group.nameNode(1).executedMethods()).containsExactly("mkdirs");
        assertThat(group.nameNode(2).executedMethods()).isEmpty();
    }

    @Test
    void applicationInterruptEndsCallAndIsPreserved() throws Exception {
        group.makeActive(1);
        ClientProtocol client = group.client();
        mkdirs(client);
        int before = group.nameNode(2).roleQueryCount();
        group.nameNode(1).freeze();
        AtomicBoolean interrupted = new AtomicBoolean();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                failure.complete(new AssertionError("it returned " + mkdirs(client)));
            } catch (IOException e) {
                interrupted.set(Thread.currentThread().isInterrupted());
                failure.complete(e);
            }
        });
        caller.start();
        // One question may have been on its way; the next is asked as the call hangs.
        await().until(() -> group.nameNode(2).roleQueryCount() >= before + 2);
        caller.interrupt();
        assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
        assertThat(interrupted).isTrue();
    }

    @Test
    void applicationInterruptEndsSearch() throws Exception {
        ClientProtocol client = group.client();
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                failure.complete(new AssertionError("it returned " + mkdirs(client)));
            } catch (IOException e) {
                failure.complete(e);
            }
        });
        caller.start();
        await().until(() -> group.nameNode(2).roleQueryCount() >= 2);
        caller.interrupt();
        assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
    }

    @Test
    void reportsEachAnswerOnTimeout() throws Exception {
        group.nameNode(2).close();
        group.nameNode(3).freeze();
        Configuration conf = group.configuration();
        // Within that, each must have said what it has to say, also on a busy machine.
        conf.set("trefoil.client.failover.timeout", "12s");
        conf.set("dfs.client.failover.namenode.ha-state.probe.timeout", "1m");
        ClientProtocol client = group.client(conf);
        long began = System.nanoTime();
        assertThatThrownBy(() -> mkdirs(client))
                .isInstanceOf(NoActiveNameNodeException.class)
                .hasMessageContaining("hdfs://group")
                .hasMessageContaining("mkdirs")
                .hasMessageContaining("trefoil.client.failover.timeout")
                .hasMessageContaining(port(1) + ": standby")
                .hasMessageContaining(port(2) + ": no answer: ConnectException")
                .hasMessageContaining(port(3) + ": no answer for");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(11_900));
    }

    @Test
    void hungCallFailsWhenTimeoutExpires() throws Exception {
        group.makeActive(1);
        Configuration conf = group.configuration();
        conf.set("trefoil.client.failover.timeout", "5s");
        ClientProtocol client = group.client(conf);
        mkdirs(client);
        group.nameNode(1).freeze();
        assertThatThrownBy(() -> mkdirs(client))
                .isInstanceOf(NoActiveNameNodeException.class)
                .hasMessageContaining("did not answer");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void exceptionOfActiveIsNotRetried() throws Exception {
        group.makeActive(1);
        group.nameNode(1).setBehaviour(path -> {
            throw new FileNotFoundException("no parent");
        });
        ClientProtocol client = group.client();
        assertThatThrownBy(() -> mkdirs(client))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("no parent");
        assertThat(group.nameNode(1).executedMethods()).hasSize(1);
    }

    @Test
    void retriesWhenNameNodeThrowsRetriableException() throws Exception {
        group.makeActive(1);
        AtomicInteger tries = new AtomicInteger();
        group.nameNode(1).setBehaviour(path -> {
            if (tries.incrementAndGet() < 4) {
                throw new RetriableException("starting");
            }
            return true;
        });
        assertThat(mkdirs(group.client())).isTrue();
        assertThat(group.nameNode(1).operationIds()).hasSize(4);
        assertThat(group.nameNode(1).operationIds().stream().distinct()).hasSize(1);
    }

    @Test
    void otherInterfacesFailOverToo() throws Exception {
        group.makeActive(1);
        NamenodeProtocol client = NameNodeProxies.createProxy(
                        group.configuration(), FakeGroup.URI_OF_GROUP, NamenodeProtocol.class)
                .getProxy();
        try {
            assertThat(client.getTransactionID()).isEqualTo(7);
            group.nameNode(1).close();
            group.makeActive(3);
            assertThat(client.getTransactionID()).isEqualTo(7);
            assertThat(group.nameNode(3).executedMethods()).containsExactly("getTransactionID");
        } finally {
            RPC.stopProxy(client);
        }
    }

    @Test
    void reportsAddressOfActive() throws Exception {
        group.makeActive(2);
        ClientProtocol client = group.client();
        mkdirs(client);
        assertThat(RPC.getServerAddress(client).getPort()).isEqualTo(Integer.parseInt(port(2)));
    }

    @Test
    void hundredThreadsShareProbes() throws Exception {
        ClientProtocol client = group.client();
        List<Future<Boolean>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(mkdirsAsync(client));
        }
        await().until(() -> group.nameNode(1).roleQueryCount() >= 5);
        group.makeActive(3);
        for (Future<Boolean> call : calls) {
            assertThat(call.get()).isTrue();
        }
        assertThat(group.nameNode(1).roleQueryCount()).isLessThan(60);
        assertThat(group.nameNode(1).refusalCount()).isZero();
        assertThat(group.nameNode(3).operationIds()).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void rejectsMalformedSettingByName() {
        Configuration conf = group.configuration();
        conf.set("trefoil.client.failover.timeout", "soon");
        assertThatThrownBy(() -> group.client(conf))
                .hasStackTraceContaining(
                        "trefoil.client.failover.timeout is 'soon', which cannot be read as a time (500ms, 5s)");
    }

    @Test
    void reachesNameNodeResolvedLater() throws Exception {
        group.makeActive(1);
        Configuration conf = configurationWithoutHangDetection();
        conf.set("dfs.namenode.rpc-address.group.nn1", "late.invalid:" + port(1));
        ClientProtocol client = group.client(conf);
        Future<Boolean> call = mkdirsAsync(client);
        await().until(() -> group.nameNode(2).roleQueryCount() > 1);
        assertThat(call).isNotDone();

        NetUtils.addStaticResolution("late.invalid", "127.0.0.1");

        assertThat(call.get(30, TimeUnit.SECONDS)).isTrue();
    }
}
