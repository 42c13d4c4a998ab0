/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.ha.hdfs.metrics.CallWaitCounters;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Holds a client's call at a standby that may soon be active, and then executes it.
 *
 * <p>HDFS would refuse the call, and a stock client would try the next NameNode, sleep longer each time, and come back
 * well after there is an active. A client that waits here gets its answer as soon as there is one. Each waiting call
 * occupies a handler thread, so their number is limited.
 */
public final class TakeoverCallQueue extends ClientCalls {
    /**
     * HDFS does not announce changes of its role, so it is polled; this interval is negligible compared to the time that a change takes.
     */
    private static final long LOOK_MILLIS = 2;

    private final BooleanSupplier standby;
    private final BooleanSupplier mayBecomeActive;
    private final long holdNanos;
    private final Semaphore room;
    private final CallWaitCounters waits;

    /**
     * @param standby whether HDFS would refuse the call now
     * @param mayBecomeActive whether that may change soon
     * @param holdTime the longest time that a call waits
     * @param atOnce how many may wait at the same time; others are refused as usual
     * @param waits counts those that wait
     */
    public TakeoverCallQueue(
            BlockingService inner,
            BooleanSupplier standby,
            BooleanSupplier mayBecomeActive,
            Duration holdTime,
            int atOnce,
            CallWaitCounters waits) {
        super(inner);
        this.standby = standby;
        this.mayBecomeActive = mayBecomeActive;
        this.holdNanos = holdTime.toNanos();
        this.room = new Semaphore(atOnce);
        this.waits = waits;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (standby.getAsBoolean() && concernsNamespace(method) && mayBecomeActive.getAsBoolean()) {
            if (room.tryAcquire()) {
                try {
                    awaitRole();
                } finally {
                    room.release();
                }
            } else {
                waits.recordRejected();
            }
        }
        return inner().callBlockingMethod(method, controller, request);
    }

    private void awaitRole() {
        long begun = System.nanoTime();
        waits.recordWaitBegin();
        try {
            while (standby.getAsBoolean() && mayBecomeActive.getAsBoolean() && System.nanoTime() - begun < holdNanos) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            waits.recordWaitEnd(System.nanoTime() - begun);
        }
    }
}
