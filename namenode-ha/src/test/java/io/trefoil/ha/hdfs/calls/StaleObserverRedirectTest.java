/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.hdfs.ClientGSIContext;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleObserverRedirectTest {
    private static final MethodDescriptor READ =
            ClientNamenodeProtocol.getDescriptor().findMethodByName("getFileInfo");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private final AtomicInteger executed = new AtomicInteger();
    private final BlockingService inner = new ClientCalls(null) {
        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request) {
            executed.incrementAndGet();
            return null;
        }
    };
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final AtomicLong applied = new AtomicLong(100);
    private final AtomicBoolean catchingUp = new AtomicBoolean(true);
    private HAServiceState role = HAServiceState.OBSERVER;
    private final StaleObserverRedirect reads =
            new StaleObserverRedirect(inner, new States(), () -> role, catchingUp::get, nanos::get, TIMEOUT);

    /** HDFS's comparison at an observer. */
    private final class States implements AlignmentContext {
        @Override
        public long receiveRequestState(RpcRequestHeaderProto header, long clientWaitMillis) {
            return header.getStateId();
        }

        @Override
        public long getLastSeenStateId() {
            return applied.get();
        }

        @Override
        public boolean isCoordinatedCall(String protocol, String method) {
            return true;
        }

        @Override
        public void updateResponseState(RpcResponseHeaderProto.Builder header) {}

        @Override
        public void receiveResponseState(RpcResponseHeaderProto header) {}

        @Override
        public void updateRequestState(RpcRequestHeaderProto.Builder header) {}
    }

    @AfterEach
    void clearCurrentCall() {
        Server.getCurCall().remove();
    }

    @Test
    void readAheadOfObserverWaitsWhileItAppliesEdits() throws IOException {
        receiveCall(150);
        assertThat(isRequeued(150)).isTrue();
        for (int i = 0; i < 10; i++) {
            advance(TIMEOUT.minusSeconds(1));
            applied.incrementAndGet();
            assertThat(isRequeued(150)).isTrue();
        }
        applied.set(150);
        assertThat(isRequeued(150)).isFalse();
        assertThat(isExecuted(150)).isTrue();
    }

    @Test
    void readAheadOfObserverGoesToActiveWhenItStalls() throws IOException {
        receiveCall(150);
        advance(TIMEOUT.minusMillis(1));
        assertThat(isRequeued(150)).isTrue();
        advance(Duration.ofMillis(1));
        assertThat(isRequeued(150)).isFalse();
        assertThat(isExecuted(150)).isFalse();

        // Others that have seen more do not wait again; those that have not are answered.
        receiveCall(120);
        assertThat(isRequeued(120)).isFalse();
        assertThat(isExecuted(120)).isFalse();
        receiveCall(100);
        assertThat(isExecuted(100)).isTrue();

        applied.set(101);
        assertThat(isRequeued(150)).isTrue();
        assertThat(isRequeued(101)).isFalse();
    }

    @Test
    void idleTimeDoesNotCountTowardsTimeout() throws IOException {
        receiveCall(101);
        assertThat(isRequeued(101)).isTrue();
        applied.set(101);
        assertThat(isRequeued(101)).isFalse();
        advance(Duration.ofHours(1));

        receiveCall(102);

        assertThat(isRequeued(102)).isTrue();
    }

    @Test
    void observerNotCatchingUpSendsReadToActiveImmediately() throws IOException {
        catchingUp.set(false);
        receiveCall(101);
        assertThat(isRequeued(101)).isFalse();
        assertThat(isExecuted(101)).isFalse();
        assertThat(isExecuted(100)).isTrue();
    }

    @Test
    void standbyRefusesReadsAheadOfItAndActiveAnswers() throws IOException {
        role = HAServiceState.STANDBY;
        receiveCall(150);
        assertThat(isRequeued(150)).isFalse();
        assertThat(isExecuted(150)).isFalse();

        // A client that has seen what a failover took back is answered by the next active.
        role = HAServiceState.ACTIVE;
        assertThat(isRequeued(150)).isFalse();
        assertThat(isExecuted(150)).isTrue();
    }

    @Test
    void unreachableTransactionDoesNotStopOthersFromWaiting() throws IOException {
        receiveCall(Long.MAX_VALUE - 1);
        advance(TIMEOUT);
        assertThat(isRequeued(150)).isFalse();
        advance(Duration.ofMinutes(2));

        receiveCall(101);

        assertThat(isRequeued(101)).isTrue();
    }

    @Test
    void stockObserverRefusesReadsTooFarAhead() throws Exception {
        try (TestNameNodes nameNodes = new TestNameNodes(directory, "reads-ahead")) {
            nameNodes.set("dfs.namenode.state.context.enabled", "true");
            nameNodes.set("dfs.ha.tail-edits.in-progress", "true");
            nameNodes.format("nn1");
            NameNode active = nameNodes.start("nn1");
            TestNameNodes.makeActive(active);
            assertThat(nameNodes.bootstrap("nn2")).isZero();
            NameNode stock = nameNodes.start("nn2");
            await().until(stock::isStandbyState);
            stock.getRpcServer().transitionToObserver(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
            catchingUp.set(true);
            ClientCalls.install(
                    stock,
                    StaleObserverRedirect.install(
                            stock, ClientCalls.hdfsService(stock), catchingUp::get, Duration.ofHours(1)));
            ClientProtocol upToDate = client(stock, nameNodes.conf("nn2"), 1);
            ClientProtocol ahead = client(stock, nameNodes.conf("nn2"), 10_000);
            try {
                assertThat(upToDate.getFileInfo("/").isDirectory()).isTrue();
                CompletableFuture<Throwable> refusal = CompletableFuture.supplyAsync(() -> refusalFrom(ahead));
                await().pollDelay(Duration.ofMillis(300)).until(() -> !refusal.isDone());
                catchingUp.set(false);

                assertThat(refusal).succeedsWithin(20, TimeUnit.SECONDS);
                assertThat(refusal.get())
                        .isInstanceOfSatisfying(RemoteException.class, e -> assertThat(e.unwrapRemoteException())
                                .isInstanceOf(StandbyException.class));
                assertThat(upToDate.getFileInfo("/").isDirectory()).isTrue();
            } finally {
                RPC.stopProxy(upToDate);
                RPC.stopProxy(ahead);
            }
        }
    }

    private static Throwable refusalFrom(ClientProtocol client) {
        try {
            client.getFileInfo("/");
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private static ClientProtocol client(NameNode nameNode, Configuration conf, long seenTxId) throws IOException {
        ClientGSIContext states = new ClientGSIContext();
        states.receiveResponseState(RpcResponseHeaderProto.newBuilder()
                .setCallId(0)
                .setStatus(RpcResponseHeaderProto.RpcStatusProto.SUCCESS)
                .setStateId(seenTxId)
                .build());
        return NameNodeProxiesClient.createProxyWithAlignmentContext(
                nameNode.getNameNodeAddress(),
                conf,
                UserGroupInformation.getCurrentUser(),
                false,
                new AtomicBoolean(),
                states);
    }

    private void receiveCall(long seenTxId) throws IOException {
        reads.context()
                .receiveRequestState(
                        RpcRequestHeaderProto.newBuilder()
                                .setCallId(0)
                                .setClientId(org.apache.hadoop.thirdparty.protobuf.ByteString.EMPTY)
                                .setStateId(seenTxId)
                                .build(),
                        1_000);
    }

    /** Whether HDFS's handlers put a call back into the queue. */
    private boolean isRequeued(long seenTxId) {
        return seenTxId > reads.context().getLastSeenStateId();
    }

    private boolean isExecuted(long seenTxId) {
        Server.Call call = new Server.Call(1, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[16]);
        call.markCallCoordinated(true);
        call.setClientStateId(seenTxId);
        Server.getCurCall().set(call);
        int before = executed.get();
        try {
            reads.callBlockingMethod(READ, null, null);
        } catch (ServiceException e) {
            assertThatThrownBy(() -> {
                        throw e;
                    })
                    .hasCauseInstanceOf(StandbyException.class);
        }
        return executed.get() > before;
    }

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
