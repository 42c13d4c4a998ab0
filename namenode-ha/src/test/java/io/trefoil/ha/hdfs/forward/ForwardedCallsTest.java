/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.hdfs.calls.ClientCalls;
import io.trefoil.ha.hdfs.calls.ForwardingCalls;
import io.trefoil.ha.hdfs.forward.ForwardingCounters.Refusal;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.NodeAddress;
import java.io.EOFException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Which calls a NameNode forwards, how many at a time, and what it does while it waits for the active. */
class ForwardedCallsTest extends ForwardedCallsFixture {
    /** An operator asks each NameNode, for a file on its own host. */
    @Test
    void refusesToForwardCallConcerningSingleNameNode() {
        assertThatThrownBy(() -> client(standby).metaSave("saved"))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
        assertThat(handedOn.counts().forwardedCount()).isZero();
    }

    /** The NameNode's web server calls HDFS directly: what forwards calls is in its RPC server. */
    @Test
    void refusesWebHdfsCallAtStandby() throws Exception {
        HttpURLConnection call =
                (HttpURLConnection) new URL("http://" + NetUtils.getHostPortString(standby.getHttpAddress())
                                + "/webhdfs/v1/all/by-http?op=MKDIRS&user.name=alice")
                        .openConnection();
        call.setRequestMethod("PUT");

        assertThat(call.getResponseCode()).isEqualTo(HttpURLConnection.HTTP_FORBIDDEN);
        assertThat(new String(call.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains(StandbyException.class.getName());
        assertThat(handedOn.counts().forwardedCount()).isZero();
        assertThat(client(standby).mkdirs("/all/by-rpc", WORLD_WRITABLE, false)).isTrue();
    }

    /** What a sweep finds does not send the active a question each time. */
    @Test
    void pendingAnswerPingsActiveSparingly() throws Exception {
        handedOn.close();
        startForwarding(Duration.ofHours(1));
        applied.set(0);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/waits", WORLD_WRITABLE, false));
        await().until(() -> signs.get() > 0);
        long before = looks.get();
        await().until(() -> looks.get() > before + 3);
        assertThat(signs).hasValue(1);
        applied.set(Long.MAX_VALUE);
        assertThat(made.get()).isTrue();
    }

    @Test
    void pendingAnswerRepeatsPing() throws Exception {
        handedOn.close();
        startForwarding(Duration.ofSeconds(5));
        applied.set(Long.MIN_VALUE);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/waits-on", WORLD_WRITABLE, false));
        await().until(() -> {
            // Something is applied all the time.
            applied.incrementAndGet();
            return signs.get() > 2;
        });
        applied.set(Long.MAX_VALUE);
        assertThat(made.get()).isTrue();
    }

    @Test
    void countsUnforwardedCallsByReason() throws Exception {
        known.set(null);
        assertThatThrownBy(() -> client(standby).mkdirs("/all/nobody", WORLD_WRITABLE, false))
                .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                        .isEqualTo(StandbyException.class.getName()));
        known.set(ACTIVE);
        String[] many = new String[200_000];
        Arrays.fill(many, "/a-source");
        assertThatThrownBy(() -> client(standby).concat("/all/large", many)).isInstanceOf(RemoteException.class);

        assertThat(handedOn.counts().count(Refusal.NO_ACTIVE)).isEqualTo(1);
        assertThat(handedOn.counts().count(Refusal.TOO_LARGE)).isEqualTo(1);
        assertThat(handedOn.counts().forwardedCount()).isZero();
    }

    @Test
    void activeCountsOutcomesOfAcceptedCalls() throws Exception {
        assertThat(acceptedCallCounters())
                .isEqualTo(Map.of(
                        "Taken", 0L,
                        "TakenWaiting", 0L,
                        "TakenAnswered", 0L,
                        "TakenRefused", 0L,
                        "TakenNotExecuted", 0L,
                        "TakenBrokenOff", 0L));
        client(standby).mkdirs("/all/counted", WORLD_WRITABLE, false);
        client(active).mkdirs("/all/its-own", WORLD_WRITABLE, false);
        assertThatThrownBy(() -> client(standby).setPermission("/all/nothing", WORLD_WRITABLE))
                .isInstanceOf(RemoteException.class);
        taken.execute(Bytes.ofUtf8("no call"), answer -> {});
        await().until(() -> taken.calls() == 0);
        taken.close();
        taken.execute(Bytes.ofUtf8("too late"), answer -> {});

        assertThat(acceptedCallCounters())
                .isEqualTo(Map.of(
                        "Taken", 4L,
                        "TakenWaiting", 0L,
                        "TakenAnswered", 1L,
                        "TakenRefused", 1L,
                        "TakenNotExecuted", 2L,
                        "TakenBrokenOff", 0L));
    }

    private Map<String, Long> acceptedCallCounters() {
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
            assertThatThrownBy(() -> client(standby).mkdirs("/all/context", WORLD_WRITABLE, false))
                    .isInstanceOfSatisfying(RemoteException.class, refusal -> assertThat(refusal.getClassName())
                            .isEqualTo(StandbyException.class.getName()));
        } finally {
            CallerContext.setCurrent(null);
        }
        assertThat(sentBytes).hasValue(0);
        assertThat(handedOn.counts().count(Refusal.TOO_LARGE)).isEqualTo(1);
        assertThat(handedOn.pendingCount()).isZero();
    }

    /** The active counts it, too, and ends the session of all clients if there are too many. */
    @Test
    void abandonedCallCountsTowardsLimitUntilActiveAnswers() throws Exception {
        CompletableFuture<Bytes> owed = new CompletableFuture<>();
        way = (node, call) -> owed;
        Configuration impatient = new Configuration(nameNodes.conf("nn1"));
        impatient.setInt("ipc.client.rpc-timeout.ms", 3_000);
        ClientProtocol caller = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                standby.getNameNodeAddress(), impatient, UserGroupInformation.getCurrentUser(), false, null);
        clients.add(caller);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/left", WORLD_WRITABLE, false));
        await().until(() -> handedOn.calls() == 1 && stillWanted.getAsBoolean());
        assertThatThrownBy(made::get).hasRootCauseInstanceOf(SocketTimeoutException.class);
        await().until(() -> handedOn.calls() == 0);
        assertThat(handedOn.pendingCount()).isEqualTo(1);
        assertThat(owed).isNotDone();
        assertThat(stillWanted.getAsBoolean()).isFalse();
        owed.completeExceptionally(new IOException("the session broke"));
        await().until(() -> handedOn.pendingCount() == 0);
    }

    /** The connection would end for all clients, and again when the call is repeated. */
    @Test
    void replacesOversizedAnswerWithException() throws Exception {
        for (int i = 0; i < 50; i++) {
            client(active).mkdirs("/all/one-of-many-" + i, WORLD_WRITABLE, false);
        }
        AtomicLong largest = new AtomicLong();
        ForwardedCallExecutor small = new ForwardedCallExecutor(active, 1_000, System::nanoTime);
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

    @Test
    void clientRetriesAndCallIsNotCountedWithoutThread() throws Exception {
        handedOn.close();
        forwarding.exhaust();
        assertThatThrownBy(() -> startForwarding(Duration.ofMinutes(1))).isInstanceOf(InternalError.class);
        ClientCalls.install(
                standby, new ForwardingCalls(ClientCalls.hdfsService(standby), standby, () -> false, handedOn));
        assertThatThrownBy(() -> client(standby).mkdirs("/all/no-thread", WORLD_WRITABLE, false))
                .isInstanceOf(EOFException.class);
        assertThat(handedOn.pendingCount()).isZero();
        assertThat(handedOn.calls()).isZero();
        // What was in the queue for the thread is not sent afterwards.
        forwarding.restore();
        assertThat(client(standby).mkdirs("/all/thread", WORLD_WRITABLE, false)).isTrue();
        assertThat(client(active).getFileInfo("/all/no-thread")).isNull();
    }

    @Test
    void retriesFailedPing() throws Exception {
        handedOn.close();
        failingSigns = 1;
        startForwarding(Duration.ofSeconds(5));
        applied.set(Long.MIN_VALUE);
        ClientProtocol caller = client(standby);
        Future<Boolean> made = threads.submit(() -> caller.mkdirs("/all/signs", WORLD_WRITABLE, false));
        await().until(() -> {
            // Something is applied all the time.
            applied.incrementAndGet();
            return signs.get() > 1;
        });
        applied.set(Long.MAX_VALUE);
        assertThat(made.get()).isTrue();
    }

    @Test
    void failingPathCompletesAllCalls() throws Exception {
        way = (node, call) -> {
            throw new RejectedExecutionException("closed");
        };
        assertThatThrownBy(() -> client(standby).mkdirs("/all/nowhere", WORLD_WRITABLE, false))
                .isInstanceOf(EOFException.class);
        await().until(() -> handedOn.calls() == 0);
    }

    @Test
    void handlerServesFurtherCallsAfterForwarding() throws Exception {
        ClientProtocol caller = client(standby);
        for (int i = 0; i < 50; i++) {
            assertThat(caller.mkdirs("/all/many-" + i, WORLD_WRITABLE, false)).isTrue();
            assertThat(caller.getHAServiceState()).isNotNull();
        }
        // The last one is counted until a moment after its answer.
        await().until(() -> handedOn.calls() == 0);
    }
}
