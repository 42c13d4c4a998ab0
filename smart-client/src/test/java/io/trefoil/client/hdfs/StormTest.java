/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What many clients, which all lose their active in one moment, do to the other NameNodes until there is a new one, and then. The
 * same with stock clients, to compare; both are printed.
 */
@Timeout(180)
class StormTest {
    /** So few that two busy cores could carry a storm of them, as otherwise it would not be seen. */
    private static final int CLIENTS = Integer.getInteger("trefoil.clients", 20);

    private static final long GAP_MILLIS = 3_000;
    /** 9 questions in the first second are expected, 13 if chance makes all waits the shortest. */
    private static final int REQUESTS_OF_A_SECOND = 12;
    /** Then the waits are longer; and the call itself. */
    private static final int REQUESTS_OF_A_SECOND_AFTER = 6;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** What happened to the two NameNodes that were left. */
    private record Storm(int clients, int mostOfASecond, int mostOfASecondAfter, int refusals, long lastMillis) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d clients, no NameNode active for %d ms: a NameNode got %d requests in its worst second, %d from the new"
                            + " active on; %d calls were refused; the last client was served after %d ms",
                    clients,
                    GAP_MILLIS,
                    mostOfASecond,
                    mostOfASecondAfter,
                    refusals,
                    lastMillis);
        }
    }

    private Storm simulateStorm(Class<?> provider, int count, boolean asOneProcess) throws Exception {
        try (FakeGroup group = new FakeGroup(3)) {
            group.makeActive(1);
            Configuration conf = group.configuration();
            conf.set("dfs.client.failover.proxy.provider.group", provider.getName());
            conf.set("trefoil.client.failover.timeout", "60s");
            List<ClientProtocol> clients = new ArrayList<>();
            List<Future<Long>> calls = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                if (!asOneProcess) {
                    FakeGroup.isolate(conf);
                }
                ClientProtocol client = group.client(conf);
                clients.add(client);
                calls.add(threads.submit(() -> timeOfMkdirs(client)));
            }
            for (Future<Long> call : calls) {
                call.get();
            }
            calls.clear();
            CyclicBarrier together = new CyclicBarrier(count + 1);
            for (ClientProtocol client : clients) {
                calls.add(threads.submit(() -> {
                    together.await();
                    return timeOfMkdirs(client);
                }));
            }
            int refusals = refusals(group);
            group.nameNode(1).close();
            together.await();
            long lost = System.nanoTime();
            TimeUnit.MILLISECONDS.sleep(GAP_MILLIS);
            long found = System.nanoTime();
            group.makeActive(3);
            long last = found;
            for (Future<Long> call : calls) {
                last = Math.max(last, call.get());
            }
            return new Storm(
                    count,
                    Math.max(
                            group.nameNode(2).peakRequestsPerSecond(lost),
                            group.nameNode(3).peakRequestsPerSecond(lost)),
                    group.nameNode(3).peakRequestsPerSecond(found),
                    refusals(group) - refusals,
                    TimeUnit.NANOSECONDS.toMillis(last - found));
        }
    }

    private static long timeOfMkdirs(ClientProtocol client) throws IOException {
        mkdirs(client);
        return System.nanoTime();
    }

    private static int refusals(FakeGroup group) {
        return group.nameNode(2).refusalCount() + group.nameNode(3).refusalCount();
    }

    private static void mkdirs(ClientProtocol client) throws IOException {
        assertThat(client.mkdirs("/a", FsPermission.getDirDefault(), true)).isTrue();
    }

    @Test
    void clientsSendFewRequestsPerSecondDuringFailover() throws Exception {
        Storm stock = simulateStorm(ConfiguredFailoverProxyProvider.class, CLIENTS, false);
        Storm ours = simulateStorm(SmartFailoverProxyProvider.class, CLIENTS, false);
        System.out.println("stock: " + stock);
        System.out.println("ours: " + ours);
        assertThat(ours.mostOfASecond()).isLessThanOrEqualTo(REQUESTS_OF_A_SECOND * CLIENTS);
        assertThat(ours.mostOfASecondAfter()).isLessThanOrEqualTo(REQUESTS_OF_A_SECOND_AFTER * CLIENTS);
        // No client calls a NameNode that has not said that it is active.
        assertThat(ours.refusals()).isZero();
    }

    /** However many file systems a process has: an answer counts for half a wait, so it asks like two of one client each. */
    @Test
    void fileSystemsOfOneProcessShareProbes() throws Exception {
        Storm ours = simulateStorm(SmartFailoverProxyProvider.class, CLIENTS, true);
        System.out.println("ours, of one process: " + ours);
        // And the calls, once there is an active to call.
        assertThat(ours.mostOfASecond()).isLessThanOrEqualTo(2 * REQUESTS_OF_A_SECOND + CLIENTS);
        assertThat(ours.refusals()).isZero();
    }

    /** Clients of different users, which share none in one process: one for calls, one for questions. */
    @Test
    void clientOpensAtMostTwoConnectionsPerNameNode() throws Exception {
        int count = 50;
        try (FakeGroup group = new FakeGroup(3)) {
            group.makeActive(1);
            List<Future<?>> calls = new ArrayList<>();
            List<ClientProtocol> clients = new ArrayList<>();
            Configuration alone = group.configuration();
            for (int i = 0; i < count; i++) {
                FakeGroup.isolate(alone);
                UserGroupInformation user = UserGroupInformation.createRemoteUser("user" + i);
                ClientProtocol client =
                        user.doAs((PrivilegedExceptionAction<ClientProtocol>) () -> group.client(alone));
                clients.add(client);
                mkdirs(client);
            }
            group.nameNode(1).close();
            for (ClientProtocol client : clients) {
                calls.add(threads.submit(() -> {
                    mkdirs(client);
                    return null;
                }));
            }
            int most = 0;
            long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GAP_MILLIS);
            while (System.nanoTime() - until < 0) {
                most = Math.max(most, group.nameNode(2).connectionCount());
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertThat(most).as("connections for questions only").isBetween(1, count);
            group.makeActive(2);
            for (Future<?> call : calls) {
                call.get();
            }
            assertThat(group.nameNode(2).connectionCount()).isLessThanOrEqualTo(2 * count);
            assertThat(group.nameNode(3).connectionCount()).isLessThanOrEqualTo(count);
        }
    }
}
