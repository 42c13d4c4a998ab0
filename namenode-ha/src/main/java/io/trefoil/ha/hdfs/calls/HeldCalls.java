/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import io.trefoil.ha.hdfs.metrics.CallWaits;
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
 * Lets a client's call wait at a standby that may be active in a moment, and then executes it.
 *
 * <p>HDFS would refuse the call, and a stock client would go on to the next NameNode and sleep, longer each time, and
 * come back well after there is an active. A client that waits here is answered as soon as there is one. Each waiting
 * call occupies a handler thread, so their number is limited.
 */
public final class HeldCalls extends ClientCalls {
    /** HDFS tells nobody when its role changes; this is nothing beside the time that the change takes. */
    private static final long LOOK_MILLIS = 2;

    private final BooleanSupplier standby;
    private final BooleanSupplier mayBecomeActive;
    private final long holdNanos;
    private final Semaphore room;
    private final CallWaits waits;

    /**
     * @param standby whether HDFS would refuse the call now
     * @param mayBecomeActive whether that may change in a moment
     * @param hold for how long a call waits at most
     * @param atOnce how many may wait at the same time; the others are refused as ever
     * @param waits where those that wait are counted
     */
    public HeldCalls(
            BlockingService inner,
            BooleanSupplier standby,
            BooleanSupplier mayBecomeActive,
            Duration hold,
            int atOnce,
            CallWaits waits) {
        super(inner);
        this.standby = standby;
        this.mayBecomeActive = mayBecomeActive;
        this.holdNanos = hold.toNanos();
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
                waits.turnedAway();
            }
        }
        return inner().callBlockingMethod(method, controller, request);
    }

    private void awaitRole() {
        long begun = System.nanoTime();
        waits.began();
        try {
            while (standby.getAsBoolean() && mayBecomeActive.getAsBoolean() && System.nanoTime() - begun < holdNanos) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            waits.ended(System.nanoTime() - begun);
        }
    }
}
