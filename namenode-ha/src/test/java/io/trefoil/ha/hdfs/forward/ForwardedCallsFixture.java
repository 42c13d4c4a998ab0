/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.ExhaustibleThreadFactory;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ForwardingCalls;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.journal.hdfs.TestNameNodes;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.DefaultRpcScheduler;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Schedulable;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A stock active and a stock standby, of which the second forwards to the first what clients ask of it. */
abstract class ForwardedCallsFixture {
    static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);
    static final NodeAddress ACTIVE = NodeAddress.of("h1", 8485);
    static final Queue<String> AUDITED = new ConcurrentLinkedQueue<>();

    @TempDir
    Path directory;

    TestNameNodes nameNodes;
    NameNode active;
    NameNode standby;
    ForwardedCallExecutor taken;
    CallForwarder handedOn;
    volatile BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> way;
    volatile boolean heard = true;
    volatile long failingSigns;
    /** Whether calls are kept when the active is lost, and for how long. */
    volatile boolean expected;

    Duration kept = Duration.ofMinutes(1);
    Duration resend = Duration.ofMillis(50);
    volatile BooleanSupplier stillWanted = () -> false;
    final ExhaustibleThreadFactory forwarding = new ExhaustibleThreadFactory();
    final AtomicReference<NodeAddress> known = new AtomicReference<>(ACTIVE);
    final Queue<NodeAddress> turnedTo = new ConcurrentLinkedQueue<>();
    /** How often the active's address was looked up: by each sweep, and for each call. */
    final AtomicLong looks = new AtomicLong();

    final AtomicLong signs = new AtomicLong();
    final AtomicLong applied = new AtomicLong(Long.MAX_VALUE);
    final List<ClientProtocol> clients = new ArrayList<>();
    final ExecutorService threads = Executors.newCachedThreadPool();

    /** Takes down who did what, from where. */
    public static final class RecordingAuditLogger extends HdfsAuditLogger {
        @Override
        public void initialize(Configuration conf) {}

        @Override
        public void logAuditEvent(
                boolean succeeded,
                String user,
                InetAddress address,
                String command,
                String source,
                String destination,
                FileStatus status,
                CallerContext context,
                UserGroupInformation ugi,
                DelegationTokenSecretManager tokens) {
            AUDITED.add(user + " from " + address.getHostAddress() + ": " + command + " " + source + " for "
                    + (context == null ? "nothing" : context.getContext()));
        }

        @Override
        public void logAuditEvent(
                boolean succeeded,
                String user,
                InetAddress address,
                String command,
                String source,
                String destination,
                FileStatus status,
                UserGroupInformation ugi,
                DelegationTokenSecretManager tokens) {
            logAuditEvent(succeeded, user, address, command, source, destination, status, null, ugi, tokens);
        }
    }

    /** Has all callers come back later while the test says so. */
    public static final class BusyScheduler extends DefaultRpcScheduler {
        static final AtomicBoolean BUSY = new AtomicBoolean();

        public BusyScheduler(int levels, String namespace, Configuration conf) {
            super(levels, namespace, conf);
        }

        @Override
        public boolean shouldBackOff(Schedulable call) {
            return BUSY.get();
        }
    }

    @BeforeEach
    void start(TestInfo test) throws Exception {
        AUDITED.clear();
        nameNodes = new TestNameNodes(
                directory, "forward-" + test.getTestMethod().get().getName());
        nameNodes.set("dfs.namenode.audit.loggers", RecordingAuditLogger.class.getName());
        String self = UserGroupInformation.getCurrentUser().getShortUserName();
        nameNodes.set("hadoop.proxyuser." + self + ".hosts", "*");
        nameNodes.set("hadoop.proxyuser." + self + ".groups", "*");
        nameNodes.set("hadoop.proxyuser." + self + ".users", "*");
        nameNodes.set("dfs.namenode.delegation.token.always-use", "true");
        BusyScheduler.BUSY.set(false);
        String ofActive = "ipc." + nameNodes.rpcPort("nn1") + ".";
        nameNodes.set(ofActive + "scheduler.impl", BusyScheduler.class.getName());
        nameNodes.set(ofActive + "backoff.enable", "true");
        nameNodes.format("nn1");
        active = nameNodes.start("nn1");
        TestNameNodes.makeActive(active);
        assertThat(nameNodes.bootstrap("nn2")).isZero();
        standby = nameNodes.start("nn2");
        await().until(standby::isStandbyState);

        taken = new ForwardedCallExecutor(active);
        way = (node, call) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            taken.execute(call, answer::complete);
            return answer;
        };
        // However long a thread stands still, no answer is given up.
        startForwarding(Duration.ofMinutes(1));
        client(active).mkdirs("/all", WORLD_WRITABLE, true);
        client(active).setPermission("/all", WORLD_WRITABLE);
    }

    private final class FakeChannel implements CallForwarder.ForwardingChannel {
        private final NodeAddress node;

        FakeChannel(NodeAddress node) {
            this.node = node;
        }

        @Override
        public CompletableFuture<Bytes> forward(Bytes call, BooleanSupplier isWanted) {
            stillWanted = isWanted;
            return way.apply(node, call);
        }

        @Override
        public CompletableFuture<Void> probe() {
            if (signs.incrementAndGet() <= failingSigns) {
                throw new RejectedExecutionException("planted");
            }
            return heard ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
        }

        @Override
        public void select() {
            turnedTo.add(node);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof FakeChannel channel && node.equals(channel.node);
        }

        @Override
        public int hashCode() {
            return node.hashCode();
        }
    }

    /** @param silence how long an answer waits while the active is not heard, or nothing is applied */
    void startForwarding(Duration silence) throws IOException {
        handedOn = new CallForwarder(
                () -> {
                    looks.incrementAndGet();
                    return Optional.ofNullable(known.get()).map(FakeChannel::new);
                },
                () -> expected,
                applied::get,
                64L << 20,
                new CallForwarder.Timeouts(silence, kept, resend),
                forwarding);
        handedOn.start();
        ClientCalls.install(
                standby, new ForwardingCalls(ClientCalls.hdfsService(standby), standby, () -> false, handedOn));
    }

    @AfterEach
    void close() {
        clients.forEach(RPC::stopProxy);
        threads.shutdownNow();
        handedOn.close();
        taken.close();
        nameNodes.close();
    }

    ClientProtocol client(NameNode nameNode) throws IOException {
        return clientAs(nameNode, UserGroupInformation.getCurrentUser());
    }

    ClientProtocol clientAs(NameNode nameNode, UserGroupInformation user) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.getNameNodeAddress(), nameNodes.conf("nn1"), user, false, null);
        clients.add(client);
        return client;
    }

    /** A client is answered before its call is counted; nothing else is counted then. */
    void awaitOutcomes(Outcome outcome, long count) {
        await().until(() -> handedOn.counts().count(outcome) == count);
        assertThat(handedOn.counts().forwardedCount()).isEqualTo(count);
    }
}
