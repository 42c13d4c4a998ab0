/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ForwardingCalls;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Outcome;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Refusal;
import io.trefoil.journal.hdfs.TestNameNodes;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.CallNotExecutedException;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.ForwardedCall;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the calls of clients that know one NameNode, while the active is lost. */
class KeptCallsTest extends ForwardedCallsFixture {
    private static final NodeAddress HERE = NodeAddress.of("localhost", 1);

    private final AtomicInteger attempts = new AtomicInteger();

    @BeforeEach
    void expectActive() {
        expected = true;
    }

    private static CompletableFuture<Bytes> failedFuture(IOException cause) {
        CompletableFuture<Bytes> failed = new CompletableFuture<>();
        failed.completeExceptionally(cause);
        return failed;
    }

    private static void assertRefusedAsByStandby(ClientProtocol client, String path) {
        assertThatThrownBy(() -> client.mkdirs(path, WORLD_WRITABLE, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
    }

    /** Its client gets the answer of the one execution, though it sent the call once. */
    @Test
    void executedCallWithoutAnswerIsRecognizedWhenSentAgain() throws Exception {
        ClientProtocol caller = client(standby);
        assertThat(caller.mkdirs("/all/once", WORLD_WRITABLE, false)).isTrue();
        BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> right = way;
        way = (node, call) -> attempts.incrementAndGet() == 1
                ? right.apply(node, call).thenCompose(answer -> failedFuture(new IOException("the session broke")))
                : right.apply(node, call);
        assertThat(caller.delete("/all/once", true)).isTrue();
        assertThat(attempts).hasValue(2);
        assertThat(handedOn.counts().resentCount()).isEqualTo(1);
        awaitOutcomes(Outcome.ANSWERED, 2);
        await().until(() -> handedOn.pendingCount() == 0);
    }

    @Test
    void waitsForNextActiveWithoutHandler() throws Exception {
        known.set(null);
        ClientProtocol caller = client(standby);
        int handlers = nameNodes.conf("nn2").getInt("dfs.namenode.handler.count", 10);
        Future<?>[] made = new Future<?>[handlers + 1];
        for (int i = 0; i < made.length; i++) {
            String path = "/all/waits-" + i;
            made[i] = threads.submit(() -> caller.mkdirs(path, WORLD_WRITABLE, false));
        }
        await().until(() -> handedOn.calls() == made.length);
        assertThat(client(standby).getHAServiceState()).isNotNull();
        known.set(ACTIVE);
        for (Future<?> each : made) {
            assertThat(each.get()).isEqualTo(true);
        }
    }

    /** No timer is due in this test. */
    @Test
    void sendsKeptCallsWhenActiveChanges() throws Exception {
        handedOn.close();
        resend = Duration.ofHours(1);
        startForwarding(Duration.ofMinutes(1));
        known.set(null);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/woken", WORLD_WRITABLE, false));
        await().until(() -> handedOn.calls() == 1);
        known.set(ACTIVE);
        await().until(() -> {
            handedOn.onActiveChanged();
            return made.isDone();
        });
        assertThat(made.get()).isTrue();
    }

    @Test
    void callAtFormerActiveIsExecutedByNext() throws Exception {
        TestNameNodes.makeStandby(active);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/kept", WORLD_WRITABLE, false));
        await().until(() -> handedOn.counts().resentCount() > 1);
        TestNameNodes.makeActive(active);
        assertThat(made.get()).isTrue();
        awaitOutcomes(Outcome.ANSWERED, 1);
    }

    /** The connection stays, and the former active may have executed the call. */
    @Test
    void executesCallLocallyWhenThisNameNodeBecomesActive() throws Exception {
        ClientProtocol caller = client(standby);
        assertThat(caller.mkdirs("/all/here", WORLD_WRITABLE, false)).isTrue();
        ForwardedCallExecutor here = new ForwardedCallExecutor(standby);
        AtomicBoolean executed = new AtomicBoolean();
        BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> right = way;
        way = (node, call) -> {
            if (node.equals(HERE)) {
                CompletableFuture<Bytes> answer = new CompletableFuture<>();
                here.execute(call, answer::complete);
                return answer;
            }
            return right.apply(node, call).thenCompose(answer -> {
                executed.set(true);
                known.set(null);
                return failedFuture(new IOException("it was killed"));
            });
        };
        Future<Boolean> deleted = threads.submit(() -> caller.delete("/all/here", true));
        await().until(executed::get);
        TestNameNodes.makeStandby(active);
        TestNameNodes.makeActive(standby);
        known.set(HERE);
        assertThat(deleted.get()).isTrue();
        here.close();
    }

    /** A client of HDFS that knows others is better off there. */
    @Test
    void refusesImmediatelyWhenNoActiveWasFoundForLong() throws Exception {
        handedOn.close();
        kept = Duration.ofSeconds(2);
        startForwarding(Duration.ofMinutes(1));
        BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> right = way;
        way = (node, call) -> failedFuture(new CallNotExecutedException("it cannot be reached"));
        ClientProtocol caller = client(standby);
        assertRefusedAsByStandby(caller, "/all/cut");
        assertThat(handedOn.counts().resentCount()).isPositive();
        known.set(null);
        assertRefusedAsByStandby(caller, "/all/cut");
        assertThat(handedOn.counts().count(Refusal.NO_ACTIVE)).isEqualTo(1);
        known.set(ACTIVE);
        way = right;
        assertThat(caller.mkdirs("/all/cut", WORLD_WRITABLE, false)).isTrue();
    }

    /** It is not configured to take calls, which no failover mends. */
    @Test
    void returnsCallImmediatelyWhenActiveAcceptsNoForwardedCalls() throws Exception {
        way = (node, call) -> {
            attempts.incrementAndGet();
            return failedFuture(CallNotExecutedException.permanent("no NameNode here takes calls"));
        };
        assertRefusedAsByStandby(client(standby), "/all/never");
        assertThat(attempts).hasValue(1);
        awaitOutcomes(Outcome.NOT_EXECUTED, 1);
    }

    /** Clients that repeat a refused call under other ids would have it executed twice. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void executedCallIsNotRefusedWhenLaterAttemptIsRefused(boolean lasting) throws Exception {
        BiFunction<NodeAddress, Bytes, CompletableFuture<Bytes>> right = way;
        way = (node, call) -> {
            if (attempts.incrementAndGet() == 1) {
                return right.apply(node, call)
                        .thenCompose(answer -> failedFuture(new IOException("the session broke")));
            }
            expected = false;
            return failedFuture(
                    lasting
                            ? CallNotExecutedException.permanent("no NameNode here takes calls")
                            : new CallNotExecutedException("it cannot be reached"));
        };
        assertThatThrownBy(() -> client(standby).mkdirs("/all/perhaps", WORLD_WRITABLE, false))
                .isInstanceOf(EOFException.class);
        assertThat(attempts).hasValue(2);
        awaitOutcomes(Outcome.UNKNOWN, 1);
    }

    @Test
    void rejectsCallsWhileNoActiveIsExpected() throws Exception {
        expected = false;
        known.set(null);
        assertRefusedAsByStandby(client(standby), "/all/junior");
        assertThat(handedOn.counts().count(Refusal.NO_ACTIVE)).isEqualTo(1);
    }

    /** It may have been executed by then; the next active recognizes it. */
    @Test
    void keepsCallsRefusedBySteppingDownActive() throws Exception {
        ClientProtocol caller = client(active);
        CallForwarder toNext = handedOn;
        AtomicBoolean steppingDown = new AtomicBoolean();
        ClientCalls.install(
                active,
                new ForwardingCalls(
                        new RefusingClientCalls(ClientCalls.hdfsService(active)), active, steppingDown::get, toNext));
        assertRefusedAsByStandby(caller, "/all/steps-down");
        steppingDown.set(true);
        assertThat(caller.mkdirs("/all/steps-down", WORLD_WRITABLE, false)).isTrue();
    }

    /** Executes what another NameNode forwards, and refuses its own clients. */
    private static final class RefusingClientCalls extends ClientCalls {
        RefusingClientCalls(BlockingService inner) {
            super(inner);
        }

        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
                throws ServiceException {
            if (Server.getCurCall().get() instanceof ForwardedCall) {
                return inner().callBlockingMethod(method, controller, request);
            }
            throw new ServiceException(new StandbyException("ceasing to be active"));
        }
    }

    /** HDFS remembers nothing by such ids. */
    @Test
    void assignsIdsToCallsWithoutUsableIds() {
        CallIdentity.Source source = new CallIdentity.Source();
        byte[] own = new byte[16];
        own[3] = 7;
        assertThat(source.of(own, 5).clientId()).isEqualTo(own);
        assertThat(source.of(own, 5).callId()).isEqualTo(5);
        CallIdentity without = source.of(new byte[0], 5);
        CallIdentity negative = source.of(own, -2);
        assertThat(without.clientId())
                .hasSize(16)
                .isEqualTo(negative.clientId())
                .isNotEqualTo(own);
        assertThat(without.callId()).isNotNegative().isNotEqualTo(negative.callId());
    }
}
