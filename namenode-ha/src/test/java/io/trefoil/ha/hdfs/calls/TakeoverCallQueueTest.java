/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.hdfs.metrics.CallWaitCounters;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.Test;

class TakeoverCallQueueTest {
    private static final MethodDescriptor READ =
            ClientNamenodeProtocol.getDescriptor().findMethodByName("getFileInfo");
    private static final MethodDescriptor STATISTICS =
            ClientNamenodeProtocol.getDescriptor().findMethodByName("getFsStats");
    private static final Duration LONG = Duration.ofHours(1);

    private final AtomicInteger executed = new AtomicInteger();
    private final BlockingService hdfs = new ClientCalls(null) {
        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request) {
            executed.incrementAndGet();
            return null;
        }
    };
    private final CallWaitCounters waits = new CallWaitCounters(new MetricsRegistry("test"));
    private volatile boolean standby = true;
    private volatile boolean candidate = true;

    @Test
    void callWaitsUntilStandbyIsActive() {
        TakeoverCallQueue calls = queueOf(LONG, 1);
        CompletableFuture<Void> call = call(calls, READ);
        await().until(() -> waits.waitingCalls() == 1);
        await().pollDelay(Duration.ofMillis(30)).until(() -> executed.get() == 0);

        standby = false;

        assertThat(call).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(executed).hasValue(1);
        assertThat(waits.waitingCalls()).isZero();
    }

    @Test
    void callProceedsWhenAnotherWinsOrTimeoutExpires() {
        CompletableFuture<Void> call = call(queueOf(LONG, 1), READ);
        candidate = false;
        assertThat(call).succeedsWithin(60, TimeUnit.SECONDS);

        candidate = true;
        assertThat(call(queueOf(Duration.ofMillis(20), 1), READ)).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(executed).hasValue(2);
    }

    @Test
    void callDoesNotWaitWhenNotCandidateOrNotStandby() {
        candidate = false;
        assertThat(call(queueOf(LONG, 1), READ)).succeedsWithin(60, TimeUnit.SECONDS);

        candidate = true;
        standby = false;
        assertThat(call(queueOf(LONG, 1), READ)).succeedsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void callProceedsWhenQueueIsFullOrIndependentOfNamespace() {
        assertThat(call(queueOf(LONG, 0), READ)).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(waits.rejectedCalls()).isEqualTo(1);
        assertThat(call(queueOf(LONG, 1), STATISTICS)).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(waits.rejectedCalls()).isEqualTo(1);
    }

    private TakeoverCallQueue queueOf(Duration holdTime, int atOnce) {
        return new TakeoverCallQueue(hdfs, () -> standby, () -> candidate, holdTime, atOnce, waits);
    }

    private static CompletableFuture<Void> call(TakeoverCallQueue calls, MethodDescriptor method) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                calls.callBlockingMethod(method, null, null);
                done.complete(null);
            } catch (ServiceException e) {
                done.completeExceptionally(e);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return done;
    }
}
