/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.ScarceThreads;
import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ForwardingCalls;
import io.trefoil.ha.hdfs.dated.DeadlineCheckedCalls;
import io.trefoil.ha.hdfs.dated.DeadlineStampedCalls;
import io.trefoil.ha.hdfs.forward.ForwardedCounts.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardedCounts.Refusal;
import io.trefoil.journal.hdfs.TestNameNodes;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.server.ForwardedCalls;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSecretManager;
import org.apache.hadoop.hdfs.server.namenode.HdfsAuditLogger;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.DefaultRpcScheduler;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Schedulable;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Two stock NameNodes: clients call the standby, and HDFS's own handlers of the active execute it. */
class ForwardedCallsTest {
    private static final FsPermission FOR_ALL = new FsPermission((short) 0777);
    private static final NodeAddress ACTIVE = NodeAddress.of("h1", 8485);
    private static final Queue<String> AUDITED = new ConcurrentLinkedQueue<>();

    @TempDir
    private Path directory;

    private TestNameNodes nameNodes;
    private NameNode active;
    private NameNode standby;
    private CallsFromMembers taken;
    private CallsToActive handedOn;
    private volatile BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> way;
    private volatile boolean heard = true;
    private volatile long failingSigns;
    private volatile BooleanSupplier stillWanted = () -> false;
    private final ScarceThreads forwarding = new ScarceThreads();
    private final AtomicReference<NodeAddress> known = new AtomicReference<>(ACTIVE);
    private final Queue<NodeAddress> turnedTo = new ConcurrentLinkedQueue<>();
    /** How often the active's address was looked up: by each sweep, and for each call. */
    private final AtomicLong looks = new AtomicLong();

    private final AtomicLong signs = new AtomicLong();
    private final AtomicLong applied = new AtomicLong(Long.MAX_VALUE);
    private final List<ClientProtocol> clients = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Takes down who did what, from where. */
    public static final class Audit extends HdfsAuditLogger {
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

    /** Has everybody come back later while the test says so. */
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
    void started(TestInfo test) throws Exception {
        AUDITED.clear();
        nameNodes = new TestNameNodes(
                directory, "forward-" + test.getTestMethod().get().getName());
        nameNodes.set("dfs.namenode.audit.loggers", Audit.class.getName());
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

        taken = new CallsFromMembers(active);
        way = (node, call) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            taken.execute(call, answer::complete);
            return answer;
        };
        // However long a thread stands still, no answer is given up.
        handOn(Duration.ofMinutes(1));
        client(active).mkdirs("/all", FOR_ALL, true);
        client(active).setPermission("/all", FOR_ALL);
    }

    /** @param silence how long an answer waits while the active is not heard, or nothing is applied */
    private void handOn(Duration silence) throws IOException {
        handedOn = new CallsToActive(
                () -> {
                    looks.incrementAndGet();
                    return Optional.ofNullable(known.get());
                },
                new CallsToActive.Way() {
                    @Override
                    public CompletableFuture<Bytes> forward(NodeAddress node, Bytes call, BooleanSupplier wanted) {
                        stillWanted = wanted;
                        return way.apply(node, call);
                    }

                    @Override
                    public CompletableFuture<Void> sign(NodeAddress node) {
                        if (signs.incrementAndGet() <= failingSigns) {
                            throw new RejectedExecutionException("planted");
                        }
                        return heard ? CompletableFuture.completedFuture(null) : new CompletableFuture<>();
                    }

                    @Override
                    public void turnTo(NodeAddress node) {
                        turnedTo.add(node);
                    }
                },
                applied::get,
                64L << 20,
                silence.toNanos(),
                forwarding);
        handedOn.start();
        ClientCalls.answer(standby, new ForwardingCalls(ClientCalls.ofHdfs(standby), standby, handedOn));
    }

    @AfterEach
    void close() {
        clients.forEach(RPC::stopProxy);
        threads.shutdownNow();
        handedOn.close();
        taken.close();
        nameNodes.close();
    }

    private ClientProtocol client(NameNode nameNode) throws IOException {
        return clientOf(nameNode, UserGroupInformation.getCurrentUser());
    }

    private ClientProtocol clientOf(NameNode nameNode, UserGroupInformation user) throws IOException {
        ClientProtocol client = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                nameNode.getNameNodeAddress(), nameNodes.conf("nn1"), user, false, null);
        clients.add(client);
        return client;
    }

    private static boolean sent(int id, PrivilegedExceptionAction<Boolean> call) throws Exception {
        Client.setCallIdAndRetryCountUnprotected(id, 0, null);
        return call.run();
    }

    @Test
    void activeExecutesForwardedCallAsClientUser() throws Exception {
        ClientProtocol alice = clientOf(standby, UserGroupInformation.createRemoteUser("alice"));
        CallerContext.setCurrent(new CallerContext.Builder("job-1").build());
        try {
            assertThat(alice.mkdirs("/all/alices", FOR_ALL, false)).isTrue();
        } finally {
            CallerContext.setCurrent(null);
        }
        assertThat(client(active).getFileInfo("/all/alices").getOwner()).isEqualTo("alice");
        assertThat(alice.getFileInfo("/all/alices").isDirectory()).isTrue();
        awaitEnded(Outcome.ANSWERED, 2);
        assertThat(AUDITED).contains("alice (auth:SIMPLE) from 127.0.0.1: mkdirs /all/alices for job-1");
    }

    @Test
    void proxyUserKeepsRealUser() throws Exception {
        UserGroupInformation self = UserGroupInformation.getCurrentUser();
        ClientProtocol bob = clientOf(standby, UserGroupInformation.createProxyUser("bob", self));
        assertThat(bob.mkdirs("/all/bobs", FOR_ALL, false)).isTrue();
        assertThat(client(active).getFileInfo("/all/bobs").getOwner()).isEqualTo("bob");
        assertThat(AUDITED)
                .anyMatch(line -> line.startsWith("bob (auth:PROXY) via " + self.getShortUserName())
                        && line.contains("mkdirs /all/bobs"));
    }

    /** As a task of a job, which has no ticket. */
    @Test
    void standbyServesClientWithTokenOnly() throws Exception {
        ClientCalls.takeTokens(standby, handedOn::knowsActive);
        whoHasOnlyATokenIsServed();
    }

    /** HDFS takes tokens there, as it answers reads; the calls for the active are what a task needs it for. */
    @Test
    void observerServesClientWithTokenOnly() throws Exception {
        ClientCalls.takeTokens(standby, handedOn::knowsActive);
        TestNameNodes.makeObserver(standby);
        whoHasOnlyATokenIsServed();
        assertThat(standby.isObserverState()).isTrue();
    }

    private void whoHasOnlyATokenIsServed() throws Exception {
        ClientProtocol alice = clientOf(standby, UserGroupInformation.createRemoteUser("alice"));
        for (ClientProtocol issuer : List.of(alice, clientOf(active, UserGroupInformation.createRemoteUser("alice")))) {
            Token<DelegationTokenIdentifier> token = issuer.getDelegationToken(new Text("renewer"));
            ClientProtocol task = clientWith(token, standby);
            // The follower may not have applied what a token from the active is made of.
            await().ignoreExceptionsMatching(e -> e instanceof RemoteException refusal
                            && refusal.getClassName().equals(StandbyException.class.getName()))
                    .until(() -> task.mkdirs("/all/by-token", FOR_ALL, false));
            assertThat(AUDITED)
                    .anyMatch(line -> line.startsWith("alice (auth:TOKEN) from 127.0.0.1: mkdirs /all/by-token"));
            AUDITED.clear();
        }
    }

    /** It may have been issued a moment ago, so its client must ask again, and not give up. */
    @Test
    void followerDoesNotReportUnknownTokenAsInvalid() throws Exception {
        ClientCalls.takeTokens(standby, handedOn::knowsActive);
        ClientCalls.takeTokens(active, () -> false);
        Token<DelegationTokenIdentifier> unknown = client(active).getDelegationToken(new Text("renewer"));
        DelegationTokenIdentifier other = unknown.decodeIdentifier();
        other.setSequenceNumber(1_000);
        Token<DelegationTokenIdentifier> forged =
                new Token<>(other.getBytes(), unknown.getPassword(), unknown.getKind(), new Text());
        expectRefusal(forged, standby, StandbyException.class);
        expectRefusal(forged, active, SecretManager.InvalidToken.class);
        TestNameNodes.makeObserver(standby);
        expectRefusal(forged, standby, StandbyException.class);
        TestNameNodes.makeStandby(standby);
        // One that knows no active says what HDFS says.
        known.set(null);
        expectRefusal(unknown, standby, StandbyException.class);
        // And an observer does not say that it is invalid, whether it forwards or not.
        TestNameNodes.makeObserver(standby);
        expectRefusal(forged, standby, StandbyException.class);
    }

    private void expectRefusal(Token<DelegationTokenIdentifier> token, NameNode nameNode, Class<?> refused)
            throws IOException {
        ClientProtocol client = clientWith(token, nameNode);
        assertThatThrownBy(() -> client.mkdirs("/all/refused", FOR_ALL, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(refused.getName()));
    }

    private ClientProtocol clientWith(Token<DelegationTokenIdentifier> token, NameNode nameNode) throws IOException {
        UserGroupInformation user = UserGroupInformation.createRemoteUser("task");
        Token<DelegationTokenIdentifier> ofAddress = new Token<>(token);
        SecurityUtil.setTokenService(ofAddress, nameNode.getNameNodeAddress());
        user.addToken(ofAddress);
        return clientOf(nameNode, user);
    }

    @Test
    void recognizesRetriedCallOnEitherPath() throws Exception {
        for (boolean firstByTheStandby : new boolean[] {true, false}) {
            ClientProtocol first = client(firstByTheStandby ? standby : active);
            ClientProtocol second = client(firstByTheStandby ? active : standby);
            first.mkdirs("/all/gone", FOR_ALL, true);
            int id = Client.nextCallId();
            assertThat(sent(id, () -> first.delete("/all/gone", true))).isTrue();
            first.mkdirs("/all/gone", FOR_ALL, true);
            assertThat(sent(id, () -> second.delete("/all/gone", true))).isTrue();
            assertThat(client(active).getFileInfo("/all/gone")).isNotNull();
            assertThat(sent(id, () -> first.delete("/all/gone", true))).isTrue();
            assertThat(client(active).getFileInfo("/all/gone")).isNotNull();
        }
    }

    @Test
    void relaysExceptionsOfActive() throws Exception {
        client(active).mkdirs("/all/private", new FsPermission((short) 0700), false);
        ClientProtocol alice = clientOf(standby, UserGroupInformation.createRemoteUser("alice"));
        assertThatThrownBy(() -> alice.mkdirs("/all/private/x", FOR_ALL, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> {
                    assertThat(refusal.getClassName()).isEqualTo(AccessControlException.class.getName());
                    assertThat(refusal.getMessage()).startsWith("Permission denied: user=alice");
                });
        assertThatThrownBy(() -> alice.setPermission("/all/nothing", FOR_ALL))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.unwrapRemoteException())
                        .isInstanceOf(FileNotFoundException.class)
                        .hasMessageContaining("/all/nothing"));
        awaitEnded(Outcome.ANSWERED, 2);
    }

    /** Hadoop has no way to make these exceptions again, or makes another text each time. */
    @Test
    void relayedExceptionKeepsNameAndText() throws Exception {
        client(active).mkdirs("/all/full/of", FOR_ALL, true);
        String tooLong = "x".repeat(300);
        assertRefusedAlike(client -> client.mkdirs("/all/" + tooLong, FOR_ALL, false), "PathComponentTooLong");
        assertRefusedAlike(client -> client.delete("/all/full", false), "PathIsNotEmptyDirectory");
        assertRefusedAlike(client -> client.setOwner("/all/nothing", "alice", null), "FileNotFound");
    }

    private interface Calling {
        void at(ClientProtocol client) throws IOException;
    }

    private void assertRefusedAlike(Calling calling, String name) throws IOException {
        List<String> told = new ArrayList<>();
        for (NameNode each : List.of(active, standby)) {
            ClientProtocol client = client(each);
            assertThatThrownBy(() -> calling.at(client))
                    .isInstanceOfSatisfying(
                            RemoteException.class,
                            refusal -> told.add(refusal.getClassName() + ": "
                                    + refusal.getMessage().lines().findFirst().orElse("")));
        }
        assertThat(told.get(0)).contains(name);
        assertThat(told.get(1)).isEqualTo(told.get(0));
    }

    /** HDFS has its clients come back later, and calls it no failover. */
    @Test
    void busyActiveMakesClientRetry() throws Exception {
        ClientProtocol caller = client(standby);
        assertThat(caller.getHAServiceState()).isNotNull();
        BusyScheduler.BUSY.set(true);
        assertThatThrownBy(() -> caller.mkdirs("/all/busy", FOR_ALL, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(RetriableException.class.getName()));
        BusyScheduler.BUSY.set(false);
        assertThat(caller.mkdirs("/all/busy", FOR_ALL, false)).isTrue();
        awaitEnded(Outcome.ANSWERED, 2);
    }

    /** An operator asks each NameNode, for a file on its own host. */
    @Test
    void refusesToForwardCallConcerningSingleNameNode() {
        assertThatThrownBy(() -> client(standby).metaSave("saved"))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
        assertThat(handedOn.counts().forwarded()).isZero();
    }

    /** A client is answered before its call is counted; nothing else is counted then. */
    private void awaitEnded(Outcome outcome, long count) {
        await().until(() -> handedOn.counts().with(outcome) == count);
        assertThat(handedOn.counts().forwarded()).isEqualTo(count);
    }

    @Test
    void clientIsAnsweredOnceStandbyHasAppliedChange() throws Exception {
        applied.set(0);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/later", FOR_ALL, false));
        await().until(() -> client(active).getFileInfo("/all/later") != null && handedOn.calls() == 1);
        long written = active.getNamesystem().getLastWrittenTransactionId();
        applied.set(written - 1);
        // It goes by another connection than the answer that waits.
        assertThat(client(standby).getHAServiceState()).isNotNull();
        assertThat(made).isNotDone();
        applied.set(written);
        assertThat(made.get()).isTrue();
        await().until(() -> handedOn.calls() == 0);
    }

    /** As in a network that drops everything: nothing will be applied there for long. */
    @Test
    void clientRetriesElsewhereWhenStandbyIsCutOffBeforeApplying() throws Exception {
        handedOn.close();
        handOn(Duration.ofSeconds(1));
        applied.set(0);
        heard = false;
        ClientProtocol caller = client(standby);
        int id = Client.nextCallId();
        assertThatThrownBy(() -> sent(id, () -> caller.mkdirs("/all/cut", FOR_ALL, false)))
                .hasMessageContaining("it does not hear the active");
        // The client is answered before the call is no longer counted.
        await().until(() -> handedOn.calls() == 0);
        awaitEnded(Outcome.NOT_APPLIED, 1);
        assertThat(sent(id, () -> client(active).mkdirs("/all/cut", FOR_ALL, false)))
                .isTrue();
    }

    /** What a sweep finds does not send the active a question each time. */
    @Test
    void pendingAnswerAsksActiveForSignOfLifeSparingly() throws Exception {
        handedOn.close();
        handOn(Duration.ofHours(1));
        applied.set(0);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/waits", FOR_ALL, false));
        await().until(() -> signs.get() > 0);
        long before = looks.get();
        await().until(() -> looks.get() > before + 3);
        assertThat(signs).hasValue(1);
        applied.set(Long.MAX_VALUE);
        assertThat(made.get()).isTrue();
    }

    @Test
    void pendingAnswerRepeatsSignOfLifeRequest() throws Exception {
        handedOn.close();
        handOn(Duration.ofSeconds(5));
        applied.set(Long.MIN_VALUE);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/waits-on", FOR_ALL, false));
        await().until(() -> {
            // Something is applied all the time.
            applied.incrementAndGet();
            return signs.get() > 2;
        });
        applied.set(Long.MAX_VALUE);
        assertThat(made.get()).isTrue();
    }

    @Test
    void nonActiveExecutesNothingAndClientGetsStandbyException() throws Exception {
        TestNameNodes.makeStandby(active);
        assertThatThrownBy(() -> client(standby).mkdirs("/all/none", FOR_ALL, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> {
                    assertThat(refusal.getClassName()).isEqualTo(StandbyException.class.getName());
                    assertThat(refusal.getMessage()).contains("could not forward the call");
                });
        awaitEnded(Outcome.NOT_EXECUTED, 1);
        TestNameNodes.makeActive(active);
        assertThat(client(active).getFileInfo("/all/none")).isNull();
    }

    @Test
    void closesClientConnectionWhenOutcomeIsUnknown() throws Exception {
        BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> right = way;
        way = (node, call) -> {
            CompletableFuture<Bytes> broken = new CompletableFuture<>();
            right.apply(node, call).thenRun(() -> broken.completeExceptionally(new IOException("the session broke")));
            return broken;
        };
        ClientProtocol caller = client(standby);
        int id = Client.nextCallId();
        assertThatThrownBy(() -> sent(id, () -> caller.mkdirs("/all/perhaps", FOR_ALL, false)))
                .hasMessageContaining("the session broke");
        awaitEnded(Outcome.UNKNOWN, 1);
        way = right;
        assertThat(sent(id, () -> caller.mkdirs("/all/perhaps", FOR_ALL, false)))
                .isTrue();
    }

    /** It would come behind what its client has done since, by another way. */
    @Test
    void abandonedCallIsNotExecuted() throws Exception {
        way = (node, call) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            taken.execute(call, new ForwardedCalls.Asker() {
                @Override
                public void accept(Bytes bytes) {
                    answer.complete(bytes);
                }

                @Override
                public boolean isWaiting() {
                    return false;
                }
            });
            return answer;
        };
        assertThatThrownBy(() -> client(standby).mkdirs("/all/late", FOR_ALL, false))
                .isInstanceOf(RemoteException.class);
        assertThat(client(active).getFileInfo("/all/late")).isNull();
    }

    /** As when a cut is over: its client repeated it at the active, which remembers no such calls, and changed more. */
    @Test
    void abandonedCallDoesNotUndoLaterChange() throws Exception {
        DeadlineCheckedCalls punctual = new DeadlineCheckedCalls(taken);
        Queue<Runnable> held = new ConcurrentLinkedQueue<>();
        AtomicBoolean cut = new AtomicBoolean();
        DeadlineStampedCalls dated = new DeadlineStampedCalls((node, call, wanted) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            if (cut.get()) {
                held.add(() -> punctual.execute(call, nobody -> {}));
                answer.completeExceptionally(new IOException("nothing was heard from it"));
            } else {
                punctual.execute(call, answer::complete);
            }
            return answer;
        });
        way = (node, call) -> dated.forward(node, call, () -> true);
        ClientProtocol caller = client(standby);
        assertThat(caller.mkdirs("/all/given-up", FOR_ALL, false)).isTrue();
        cut.set(true);
        FsPermission first = new FsPermission((short) 0700);
        assertThatThrownBy(() -> caller.setPermission("/all/given-up", first))
                .hasMessageContaining("nothing was heard");
        client(active).setPermission("/all/given-up", first);
        FsPermission second = new FsPermission((short) 0755);
        client(active).setPermission("/all/given-up", second);

        await().pollDelay(CallLink.SILENCE).until(() -> true);
        held.remove().run();
        await().until(() -> taken.calls() == 0);

        assertThat(client(active).getFileInfo("/all/given-up").getPermission()).isEqualTo(second);
    }

    @Test
    void countsUnforwardedCallsByReason() throws Exception {
        known.set(null);
        assertThatThrownBy(() -> client(standby).mkdirs("/all/nobody", FOR_ALL, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
        known.set(ACTIVE);
        String[] many = new String[200_000];
        Arrays.fill(many, "/a-source");
        assertThatThrownBy(() -> client(standby).concat("/all/large", many)).isInstanceOf(RemoteException.class);

        assertThat(handedOn.counts().with(Refusal.NO_ACTIVE)).isEqualTo(1);
        assertThat(handedOn.counts().with(Refusal.TOO_LARGE)).isEqualTo(1);
        assertThat(handedOn.counts().forwarded()).isZero();
    }

    @Test
    void activeCountsOutcomesOfTakenCalls() throws Exception {
        assertThat(takenNumbers())
                .isEqualTo(Map.of(
                        "Taken", 0L,
                        "TakenWaiting", 0L,
                        "TakenAnswered", 0L,
                        "TakenRefused", 0L,
                        "TakenNotExecuted", 0L,
                        "TakenBrokenOff", 0L));
        client(standby).mkdirs("/all/counted", FOR_ALL, false);
        client(active).mkdirs("/all/its-own", FOR_ALL, false);
        assertThatThrownBy(() -> client(standby).setPermission("/all/nothing", FOR_ALL))
                .isInstanceOf(RemoteException.class);
        taken.execute(Bytes.ofUtf8("no call"), answer -> {});
        await().until(() -> taken.calls() == 0);
        taken.close();
        taken.execute(Bytes.ofUtf8("too late"), answer -> {});

        assertThat(takenNumbers())
                .isEqualTo(Map.of(
                        "Taken", 4L,
                        "TakenWaiting", 0L,
                        "TakenAnswered", 1L,
                        "TakenRefused", 1L,
                        "TakenNotExecuted", 2L,
                        "TakenBrokenOff", 0L));
    }

    private Map<String, Long> takenNumbers() {
        MetricsCollectorImpl collector = new MetricsCollectorImpl();
        new ForwardedCallsMetrics(handedOn, Optional.of(taken)).getMetrics(collector, true);
        Map<String, Long> numbers = new TreeMap<>();
        for (AbstractMetric metric : collector.getRecords().get(0).metrics()) {
            if (metric.name().startsWith("Taken")) {
                numbers.put(metric.name(), metric.value().longValue());
            }
        }
        return numbers;
    }

    /** The message in which it would travel is larger than a pool node reads, which then ends the session of all clients. */
    @Test
    void rejectsCallWithLargeContextBeforeSending() throws Exception {
        AtomicLong sentBytes = new AtomicLong();
        BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> right = way;
        way = (node, call) -> {
            sentBytes.accumulateAndGet(call.size(), Math::max);
            return right.apply(node, call);
        };
        char[] text = new char[5 << 20];
        Arrays.fill(text, 'x');
        CallerContext.setCurrent(new CallerContext.Builder(new String(text)).build());
        try {
            assertThatThrownBy(() -> client(standby).mkdirs("/all/context", FOR_ALL, false))
                    .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                            .isEqualTo(StandbyException.class.getName()));
        } finally {
            CallerContext.setCurrent(null);
        }
        assertThat(sentBytes).hasValue(0);
        assertThat(handedOn.counts().with(Refusal.TOO_LARGE)).isEqualTo(1);
        assertThat(handedOn.places()).isZero();
    }

    /** The active counts it, too, and ends the session of all clients if there are too many. */
    @Test
    void abandonedCallKeepsPlaceWhileActiveOwesAnswer() throws Exception {
        CompletableFuture<Bytes> owed = new CompletableFuture<>();
        way = (node, call) -> owed;
        Configuration impatient = new Configuration(nameNodes.conf("nn1"));
        impatient.setInt("ipc.client.rpc-timeout.ms", 3_000);
        ClientProtocol caller = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                standby.getNameNodeAddress(), impatient, UserGroupInformation.getCurrentUser(), false, null);
        clients.add(caller);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/left", FOR_ALL, false));
        await().until(() -> handedOn.calls() == 1 && stillWanted.getAsBoolean());
        assertThatThrownBy(made::get).hasRootCauseInstanceOf(SocketTimeoutException.class);
        await().until(() -> handedOn.calls() == 0);
        assertThat(handedOn.places()).isEqualTo(1);
        assertThat(owed).isNotDone();
        assertThat(stillWanted.getAsBoolean()).isFalse();
        owed.completeExceptionally(new IOException("the session broke"));
        await().until(() -> handedOn.places() == 0);
    }

    /** The connection would end for all clients, and again when the call is repeated. */
    @Test
    void replacesOversizedAnswerWithException() throws Exception {
        for (int i = 0; i < 50; i++) {
            client(active).mkdirs("/all/one-of-many-" + i, FOR_ALL, false);
        }
        AtomicLong largest = new AtomicLong();
        CallsFromMembers small = new CallsFromMembers(active, 1_000, System::nanoTime);
        way = (node, call) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            small.execute(call, bytes -> {
                largest.accumulateAndGet(bytes.size(), Math::max);
                answer.complete(bytes);
            });
            return answer;
        };
        assertThatThrownBy(() -> client(standby).getListing("/all", new byte[0], false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> {
                    assertThat(refusal.getClassName()).isEqualTo(StandbyException.class.getName());
                    assertThat(refusal.getMessage()).contains("too large to be forwarded");
                });
        assertThat(client(standby).getFileInfo("/all/one-of-many-1")).isNotNull();
        assertThat(largest.get()).isLessThanOrEqualTo(1_000);
        small.close();
    }

    /** Its forwarder has given it up, or will before it is executed; its client may have changed more since, elsewhere. */
    @Test
    void handlerDoesNotExecuteLateCall() throws Exception {
        AtomicLong clock = new AtomicLong();
        CallsFromMembers slow =
                new CallsFromMembers(active, 1 << 20, () -> clock.getAndAdd(CallsFromMembers.WANTED_NANOS));
        way = (node, call) -> {
            CompletableFuture<Bytes> answer = new CompletableFuture<>();
            slow.execute(call, answer::complete);
            return answer;
        };
        assertThatThrownBy(() -> client(standby).mkdirs("/all/too-late", FOR_ALL, false))
                .isInstanceOf(RemoteException.class);
        assertThat(client(active).getFileInfo("/all/too-late")).isNull();
        assertThat(CallLink.LONGEST_UNSENT.toNanos() + CallsFromMembers.WANTED_NANOS)
                .isLessThanOrEqualTo(CallsToActive.PATIENCE_NANOS * 5 / 6);
        slow.close();
    }

    /** HDFS puts the connection's protection into block tokens, and the active would not know it. */
    @Test
    void refusesToForwardCallFromProtectedAuxiliaryPort() throws Exception {
        ForwardingCalls calls = new ForwardingCalls(ClientCalls.ofHdfs(standby), standby, handedOn);
        ClientCalls.answer(standby, new ClientCalls(calls) {
            @Override
            public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                    throws ServiceException {
                pretendAuxiliaryPort();
                return calls.callBlockingMethod(method, controller, request);
            }
        });
        assertThatThrownBy(() -> client(standby).mkdirs("/all/protected", FOR_ALL, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
        assertThat(handedOn.counts().with(Refusal.AUXILIARY_PORT)).isEqualTo(1);
        assertThat(client(active).getFileInfo("/all/protected")).isNull();
    }

    /** Without Kerberos, no connection has a protection. */
    private static void pretendAuxiliaryPort() {
        try {
            Server.Call call = Server.getCurCall().get();
            Field field = call.getClass().getDeclaredField("connection");
            field.setAccessible(true);
            Object connection = field.get(call);
            Field port = connection.getClass().getDeclaredField("isOnAuxiliaryPort");
            port.setAccessible(true);
            port.set(connection, true);
            Field protection = connection.getClass().getDeclaredField("establishedQOP");
            protection.setAccessible(true);
            protection.set(connection, "auth-conf");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Hadoop has other fields", e);
        }
    }

    @Test
    void clientRetriesAndKeepsNoPlaceWhenThreadIsUnavailable() throws Exception {
        handedOn.close();
        forwarding.runOut();
        assertThatThrownBy(() -> handOn(Duration.ofMinutes(1))).isInstanceOf(InternalError.class);
        ClientCalls.answer(standby, new ForwardingCalls(ClientCalls.ofHdfs(standby), standby, handedOn));
        assertThatThrownBy(() -> client(standby).mkdirs("/all/no-thread", FOR_ALL, false))
                .hasMessageContaining("failed to forward the call");
        assertThat(handedOn.places()).isZero();
        assertThat(handedOn.calls()).isZero();
        // What was in the queue for the thread is not sent afterwards.
        forwarding.comeBack();
        assertThat(client(standby).mkdirs("/all/thread", FOR_ALL, false)).isTrue();
        assertThat(client(active).getFileInfo("/all/no-thread")).isNull();
    }

    @Test
    void failedSignOfLifeRequestIsRetried() throws Exception {
        handedOn.close();
        failingSigns = 1;
        handOn(Duration.ofSeconds(5));
        applied.set(Long.MIN_VALUE);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/signs", FOR_ALL, false));
        await().until(() -> {
            // Something is applied all the time.
            applied.incrementAndGet();
            return signs.get() > 1;
        });
        applied.set(Long.MAX_VALUE);
        assertThat(made.get()).isTrue();
    }

    @Test
    void failingPathLeavesNoCallPending() throws Exception {
        way = (node, call) -> {
            throw new RejectedExecutionException("closed");
        };
        assertThatThrownBy(() -> client(standby).mkdirs("/all/nowhere", FOR_ALL, false))
                .hasMessageContaining("closed");
        await().until(() -> handedOn.calls() == 0);
    }

    @Test
    void turnsToNextActiveWithoutFurtherCall() throws Exception {
        assertThat(client(standby).mkdirs("/all/first", FOR_ALL, false)).isTrue();
        NodeAddress next = NodeAddress.of("h2", 8485);
        known.set(next);
        await().until(() -> turnedTo.contains(next));
        assertThat(turnedTo).containsExactly(next);
    }

    @Test
    void handlerServesFurtherCallsAfterForwarding() throws Exception {
        ClientProtocol caller = client(standby);
        for (int i = 0; i < 50; i++) {
            assertThat(caller.mkdirs("/all/many-" + i, FOR_ALL, false)).isTrue();
            assertThat(caller.getHAServiceState()).isNotNull();
        }
        // The last one is counted until a moment after its answer.
        await().until(() -> handedOn.calls() == 0);
    }
}
