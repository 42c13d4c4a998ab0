/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.Test;

class LeasedReadsTest {
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
    private volatile boolean active;
    private volatile boolean locked;
    private volatile OptionalLong needed = OptionalLong.of(40);
    private volatile long applied = 40;

    private final AtomicInteger looked = new AtomicInteger();

    private LeasedReads reads(int atOnce, Duration timeout) {
        return new LeasedReads(hdfs, () -> active, () -> locked, this::pollLease, () -> applied, atOnce, timeout);
    }

    private OptionalLong pollLease() {
        OptionalLong found = needed;
        looked.incrementAndGet();
        return found;
    }

    @Test
    void readIsAnsweredOnceNodeEntriesAreApplied() {
        applied = 38;
        LeasedReads reads = reads(1, LONG);
        CompletableFuture<Void> call = CompletableFuture.runAsync(() -> call(reads, READ));
        await().until(() -> looked.get() == 1);
        // What comes later is of no concern to it.
        needed = OptionalLong.of(1_000);
        applied = 39;
        await().pollDelay(Duration.ofMillis(30)).until(() -> executed.get() == 0);

        applied = 40;

        assertThat(call).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(executed).hasValue(1);
        assertThat(reads.answeredCount()).isEqualTo(1);
        assertThat(reads.waitedNanos()).isPositive();
    }

    @Test
    void refusesReadWithoutLease() {
        needed = OptionalLong.empty();
        LeasedReads reads = reads(1, LONG);

        assertRefused(reads);

        assertThat(reads.refusedCount()).isEqualTo(1);
    }

    /** It would be kept for as long as the whole namespace is counted, which no client can tell from a lost answer. */
    @Test
    void refusesReadImmediatelyWhileQuotasAreCounted() {
        LeasedReads reads = reads(1, LONG);
        locked = true;

        assertRefused(reads);
        assertThat(executed).hasValue(0);
        assertThat(reads.isLeased()).isFalse();

        locked = false;
        call(reads, READ);
        assertThat(executed).hasValue(1);
    }

    @Test
    void refusesReadWhenWaitTimesOutOrQueueIsFull() {
        applied = 39;

        assertRefused(reads(1, Duration.ofMillis(20)));
        assertRefused(reads(0, LONG));
    }

    @Test
    void passesThroughStatisticsAndCallsAtActive() {
        needed = OptionalLong.empty();
        call(reads(1, LONG), STATISTICS);
        active = true;
        call(reads(1, LONG), READ);

        assertThat(executed).hasValue(2);
    }

    /** HDFS refuses it, and it is forwarded. */
    @Test
    void changesPassThroughWithoutWaiting() {
        applied = 39;
        LeasedReads reads = reads(1, LONG);
        List<String> changes =
                List.of("mkdirs", "create", "addBlock", "setPermission", "getDelegationToken", "rename2");
        for (String change : changes) {
            call(reads, ClientNamenodeProtocol.getDescriptor().findMethodByName(change));
        }
        assertThat(executed).hasValue(changes.size());
        assertThat(looked).hasValue(0);
        assertThat(reads.answeredCount()).isZero();
    }

    /** Also a call that has another name on the wire than in HDFS's interface. */
    @Test
    void everyHdfsReadOnlyMethodNeedsLease() {
        needed = OptionalLong.empty();
        for (Method method : ClientProtocol.class.getMethods()) {
            MethodDescriptor onTheWire = ClientNamenodeProtocol.getDescriptor().findMethodByName(method.getName());
            if (method.isAnnotationPresent(ReadOnly.class)
                    && onTheWire != null
                    && !ClientCalls.NAMESPACE_FREE_CALLS.contains(method.getName())) {
                assertThatThrownBy(() -> reads(1, LONG).callBlockingMethod(onTheWire, null, null))
                        .as(method.getName())
                        .hasCauseInstanceOf(StandbyException.class);
            }
        }
        assertThat(looked.get()).isGreaterThan(20);
    }

    private void assertRefused(LeasedReads reads) {
        assertThatThrownBy(() -> reads.callBlockingMethod(READ, null, null))
                .isInstanceOf(ServiceException.class)
                .hasCauseInstanceOf(StandbyException.class);
        assertThat(executed).hasValue(0);
    }

    private static void call(LeasedReads reads, MethodDescriptor method) {
        try {
            reads.callBlockingMethod(method, null, null);
        } catch (ServiceException e) {
            throw new AssertionError(e);
        }
    }
}
