/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.client.hdfs.state.SharedStates;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads of a client, which go to made-up NameNodes that are HDFS's observers: 1 is active, 2 and 3 are observers. */
@Timeout(120)
class SmartObserverReadProxyProviderTest {
    private static final long TXID = 100;
    private static final int READS = 300;

    private FakeGroup group;

    @BeforeEach
    void begin() throws IOException {
        group = new FakeGroup(3);
        group.makeActive(1);
        for (FakeNameNode nameNode : group.nameNodes()) {
            nameNode.apply(TXID);
        }
        group.nameNode(2).become(HAServiceState.OBSERVER);
        group.nameNode(3).become(HAServiceState.OBSERVER);
    }

    @AfterEach
    void end() {
        group.close();
    }

    private static long read(ClientProtocol client) throws IOException {
        return client.getPreferredBlockSize("/a");
    }

    private static void mkdirs(ClientProtocol client) throws IOException {
        assertThat(client.mkdirs("/a", FsPermission.getDirDefault(), true)).isTrue();
    }

    private Configuration configuration() {
        Configuration conf = group.configuration();
        conf.set("dfs.client.failover.proxy.provider.group", SmartObserverReadProxyProvider.class.getName());
        conf.set("dfs.client.failover.observer.probe.retry.period", "1s");
        // An observer that is merely slow on a busy machine is not to be left.
        conf.set("trefoil.client.suspect-after", "30s");
        return conf;
    }

    /** One that knows the observers, and has read from each. */
    private ClientProtocol client() throws IOException {
        return client(configuration());
    }

    private ClientProtocol client(Configuration conf) throws IOException {
        ClientProtocol client = group.client(conf);
        await().until(() -> {
            read(client);
            return group.nameNodes().stream()
                    .filter(nameNode -> nameNode.lastTxid() > 0)
                    .allMatch(nameNode -> nameNode.readCount() > 0);
        });
        return client;
    }

    private void keepOneObserver() {
        group.nameNode(3).close();
        group.nameNode(3).apply(0);
    }

    @Test
    void readsGoToObserversAndChangesToActive() throws IOException {
        ClientProtocol client = client();
        long[] before = {
            group.nameNode(1).readCount(),
            group.nameNode(2).readCount(),
            group.nameNode(3).readCount()
        };
        // One that a busy machine has made slow for a while gets few until it is quick again.
        await().until(() -> {
            for (int i = 0; i < READS; i++) {
                assertThat(read(client)).isEqualTo(TXID);
            }
            return group.nameNode(2).readCount() - before[1] > READS / 10
                    && group.nameNode(3).readCount() - before[2] > READS / 10;
        });
        assertThat(group.nameNode(1).readCount()).isEqualTo(before[0]);
        mkdirs(client);
        assertThat(group.nameNode(1).executedMethods()).containsOnlyOnce("mkdirs");
        assertThat(group.nameNode(2).refusalCount() + group.nameNode(3).refusalCount())
                .isZero();
        assertThat(group.nameNode(2).operationIds()).doesNotHaveDuplicates();
    }

    @Test
    void firstReadGoesToActiveToAlignState() throws IOException {
        read(group.client(configuration()));
        assertThat(group.nameNode(1).executedMethods()).containsExactly("getPreferredBlockSize");
    }

    @Test
    void observerAnswersOnlyOnceCaughtUpWithClient() throws Exception {
        ClientProtocol client = client();
        mkdirs(client);
        CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> {
            try {
                return read(client);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        await().until(() ->
                group.nameNode(2).earlyReadCount() + group.nameNode(3).earlyReadCount() == 1);
        group.nameNode(2).apply(TXID + 1);
        group.nameNode(3).apply(TXID + 1);
        long atActive = group.nameNode(1).readCount();
        assertThat(read.get()).isEqualTo(TXID + 1);
        assertThat(group.nameNode(1).readCount()).isEqualTo(atActive);
        for (int i = 0; i < READS; i++) {
            mkdirs(client);
            long written = group.nameNode(1).lastTxid();
            group.nameNode(2 + i % 2).apply(written);
            group.nameNode(3 - i % 2).apply(written);
            assertThat(read(client)).isEqualTo(written);
        }
    }

    @Test
    void clientsOfOneFileSystemSeeEachOthersWrites() throws Exception {
        assertSeesWritesOfOthers(SmartObserverReadProxyProvider.class);
    }

    @Test
    void observerReadsShareStateWithStockProvider() throws Exception {
        assertSeesWritesOfOthers(ObserverReadProxyProvider.class);
    }

    /** As of a file system that has read a newer version of its table: a stream stays with the client of before, reads do not. */
    private void assertSeesWritesOfOthers(Class<?> provider) throws Exception {
        Configuration conf = configuration();
        conf.set("dfs.client.failover.proxy.provider.group", provider.getName());
        Configuration shared = SharedStates.configurationForFileSystem(conf);
        ClientProtocol before = group.client(shared);
        ClientProtocol now = group.client(shared);
        await().until(() -> {
            read(now);
            return group.nameNode(2).readCount() + group.nameNode(3).readCount() > 0;
        });
        mkdirs(before);
        CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> {
            try {
                return read(now);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        await().until(() ->
                group.nameNode(2).earlyReadCount() + group.nameNode(3).earlyReadCount() > 0 || read.isDone());
        assertThat(read).isNotDone();
        group.nameNode(2).apply(TXID + 1);
        group.nameNode(3).apply(TXID + 1);
        assertThat(read.get()).isEqualTo(TXID + 1);
    }

    /** Others may have written since the last answer that any of them got. */
    @Test
    void firstReadGoesToActiveDespiteSharedState() throws IOException {
        Configuration shared = SharedStates.configurationForFileSystem(configuration());
        mkdirs(group.client(shared));
        read(group.client(shared));
        assertThat(group.nameNode(1).executedMethods()).containsExactly("mkdirs", "getPreferredBlockSize");
    }

    @Test
    void clientsOfDifferentFileSystemsShareNothing() throws IOException {
        keepOneObserver();
        ClientProtocol one = client(SharedStates.configurationForFileSystem(configuration()));
        mkdirs(group.client(SharedStates.configurationForFileSystem(configuration())));
        assertThat(read(one)).isEqualTo(TXID);
        assertThat(group.nameNode(2).earlyReadCount()).isZero();
    }

    @Test
    void leavesLaggingObserverForActive() throws IOException {
        Configuration conf = configuration();
        conf.set("trefoil.client.suspect-after", "300ms");
        ClientProtocol client = client(conf);
        mkdirs(client);
        for (int i = 0; i < 50; i++) {
            assertThat(read(client)).isEqualTo(TXID + 1);
        }
        // Each is tried once, and again after 1, 2, 4… seconds; not by each read.
        assertThat(group.nameNode(2).earlyReadCount() + group.nameNode(3).earlyReadCount())
                .isBetween(1, 14);
    }

    @Test
    void leavesObserverReportingItselfTooFarBehind() throws IOException {
        keepOneObserver();
        ClientProtocol client = client();
        group.nameNode(2).setReadHook(() -> {
            throw new RetriableException("too far behind");
        });
        long before = group.nameNode(2).readCount();
        for (int i = 0; i < 10; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
        // Once, and again after 1, 2, 4… seconds.
        assertThat(group.nameNode(2).readCount()).isBetween(before + 1, before + 5);
    }

    @Test
    void readWithoutBlockLocationsGoesToActiveOnce() throws IOException {
        keepOneObserver();
        ClientProtocol client = client();
        group.nameNode(2).setReadHook(() -> {
            throw new ObserverRetryOnActiveException("no locations");
        });
        long atObserver = group.nameNode(2).readCount();
        long atActive = group.nameNode(1).readCount();
        for (int i = 0; i < 10; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
        assertThat(group.nameNode(2).readCount()).isEqualTo(atObserver + 10);
        assertThat(group.nameNode(1).readCount()).isEqualTo(atActive + 10);
        assertThat(group.nameNode(1).operationIds()).containsAll(lastCallIds(10));
    }

    private List<String> lastCallIds(int count) {
        List<String> ids = group.nameNode(2).operationIds();
        return ids.subList(ids.size() - count, ids.size());
    }

    @Test
    void exceptionOfObserverIsFinal() throws IOException {
        keepOneObserver();
        ClientProtocol client = client();
        group.nameNode(2).setReadHook(() -> {
            throw new FileNotFoundException("no such file");
        });
        assertThatThrownBy(() -> read(client))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining("no such file");
    }

    @Test
    void leavesHungObserver() throws IOException {
        Configuration conf = configuration();
        conf.set("trefoil.client.suspect-after", "300ms");
        ClientProtocol client = client(conf);
        group.nameNode(2).freeze();
        long began = System.nanoTime();
        for (int i = 0; i < READS; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
        // 45 s, if half of them tried it.
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void deadObserverDoesNotFailReads() throws IOException {
        ClientProtocol client = client();
        group.nameNode(2).close();
        for (int i = 0; i < 100; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
    }

    /** A client in the west, and where the NameNodes are; it knows its observer there, if there is one. */
    private ClientProtocol clientInWest(String... sites) throws IOException {
        for (int i = 0; i < sites.length; i++) {
            group.nameNode(i + 1).setSite(sites[i]);
        }
        Configuration conf = configuration();
        conf.set("trefoil.client.site", "west");
        ClientProtocol client = group.client(conf);
        await().until(() -> {
            read(client);
            return group.nameNode(2).readCount() > 0;
        });
        return client;
    }

    @Test
    void readsStayInSiteUntilLocalObserverFails() throws IOException {
        ClientProtocol client = clientInWest("east", "west", "east");
        long atActive = group.nameNode(1).readCount();
        // It may have been heard before the near one, and got a read then.
        long farAway = group.nameNode(3).readCount();
        for (int i = 0; i < READS; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
        assertThat(group.nameNode(1).readCount()).isEqualTo(atActive);
        assertThat(group.nameNode(3).readCount()).isEqualTo(farAway);

        group.nameNode(2).close();
        long began = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
        // The suspicion alone would take 30 s.
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(25));
        assertThat(group.nameNode(3).readCount()).isGreaterThan(farAway);
    }

    @Test
    void prefersActiveInSiteToFarObserver() throws IOException {
        ClientProtocol client = clientInWest("west", "west", "east");
        group.nameNode(2).close();
        for (int i = 0; i < READS; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
        assertThat(group.nameNode(3).readCount()).isZero();
    }

    @Test
    void formerObserverPromptlyStopsGettingReads() throws IOException {
        ClientProtocol client = client();
        group.nameNode(2).become(HAServiceState.STANDBY);
        await().until(() -> {
            assertThat(read(client)).isEqualTo(TXID);
            int refusals = group.nameNode(2).refusalCount();
            for (int i = 0; i < 50; i++) {
                assertThat(read(client)).isEqualTo(TXID);
            }
            return group.nameNode(2).refusalCount() == refusals;
        });
        group.nameNode(2).become(HAServiceState.OBSERVER);
        long before = group.nameNode(2).readCount();
        await().until(() -> read(client) == TXID && group.nameNode(2).readCount() > before);
    }

    @Test
    void observersAnswerWhileNoNameNodeIsActive() throws IOException {
        ClientProtocol client = client();
        group.nameNode(1).close();
        for (int i = 0; i < 100; i++) {
            assertThat(read(client)).isEqualTo(TXID);
        }
    }

    @Test
    void slowerObserverGetsFewReads() throws IOException {
        ClientProtocol client = client();
        // Far longer than a quick read takes on a busy machine.
        group.nameNode(2).setReadHook(() -> Thread.sleep(500));
        for (int i = 0; i < 20; i++) {
            read(client);
        }
        long slow = group.nameNode(2).readCount();
        for (int i = 0; i < READS; i++) {
            read(client);
        }
        assertThat(group.nameNode(2).readCount() - slow).isLessThan(READS / 5);
    }

    @Test
    void readsGoToActiveWhenServersReportNoStateId() throws IOException {
        group.nameNodes().forEach(nameNode -> nameNode.apply(0));
        ClientProtocol client = group.client(configuration());
        for (int i = 0; i < 50; i++) {
            read(client);
        }
        assertThat(group.nameNode(1).readCount()).isEqualTo(50);
    }

    @Test
    void autoMsyncAsksActiveForStateId() throws IOException {
        Configuration conf = configuration();
        conf.set(ObserverReads.AUTO_MSYNC_PERIOD + "group", "0ms");
        ClientProtocol client = client(conf);
        long before = msyncs();
        for (int i = 0; i < 20; i++) {
            read(client);
        }
        assertThat(msyncs() - before).isEqualTo(20);
        // Another client writes, and tells us.
        group.nameNode(1).apply(TXID + 5);
        Future<?> catchUp = CompletableFuture.runAsync(() -> {
            group.nameNode(2).apply(TXID + 5);
            group.nameNode(3).apply(TXID + 5);
        });
        assertThat(read(client)).isEqualTo(TXID + 5);
        assertThat(catchUp).succeedsWithin(Duration.ofMinutes(1));
        assertThat(group.nameNode(1).operationIds()).doesNotHaveDuplicates();
        assertThat(group.nameNode(2).operationIds())
                .doesNotContainAnyElementsOf(group.nameNode(1).operationIds());
    }

    private long msyncs() {
        return group.nameNode(1).executedMethods().stream()
                .filter("msync"::equals)
                .count();
    }

    @Test
    void readingIsIndependentOfThreadCount() throws Exception {
        ClientProtocol client = client();
        CountDownLatch begin = new CountDownLatch(1);
        CompletableFuture<?>[] threads = new CompletableFuture<?>[8];
        for (int t = 0; t < threads.length; t++) {
            threads[t] = new CompletableFuture<>();
            CompletableFuture<?> end = threads[t];
            Thread thread = new Thread(() -> {
                try {
                    begin.await();
                    for (int i = 0; i < 50; i++) {
                        assertThat(read(client)).isEqualTo(TXID);
                    }
                    end.complete(null);
                } catch (Throwable e) {
                    end.completeExceptionally(e);
                }
            });
            thread.start();
        }
        begin.countDown();
        CompletableFuture.allOf(threads).get();
    }

    @Test
    void otherProtocolsGoToActive() throws IOException {
        NamenodeProtocol client = NameNodeProxies.createProxy(
                        configuration(), FakeGroup.URI_OF_GROUP, NamenodeProtocol.class)
                .getProxy();
        try {
            assertThat(client.getTransactionID()).isEqualTo(7);
        } finally {
            RPC.stopProxy(client);
        }
    }
}
