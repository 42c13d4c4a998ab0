/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Has an observer answer only what misses nothing that anybody was told before the question: by a read lease, and when it has
 * applied what its pool node had by then ({@code docs/design/near-reads.md}). What it may not answer goes to the active.
 *
 * <p>A call waits for the last entries to be committed and applied, mostly for less than the time between two of them; it
 * occupies a handler thread, so only some may wait.
 *
 * <p>Uses {@code ObserverRetryOnActiveException}, after which HDFS's clients ask the active, this once.
 */
public final class LeasedReads extends ClientCalls {
    /** HDFS tells nobody what it has applied. */
    private static final long LOOK_MICROS = 300;

    private final BooleanSupplier observer;
    private final Supplier<OptionalLong> neededTxId;
    private final LongSupplier appliedTxId;
    private final Semaphore room;
    private final long patienceNanos;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong waitedNanos = new AtomicLong();

    /**
     * @param observer whether this NameNode is one
     * @param neededTxId the last transaction that a read must show which was asked before; empty if it may not be answered here
     * @param appliedTxId the last transaction that this NameNode has applied
     * @param atOnce how many calls may wait at the same time; others go to the active
     * @param patience how long one waits at most
     */
    public LeasedReads(
            BlockingService inner,
            BooleanSupplier observer,
            Supplier<OptionalLong> neededTxId,
            LongSupplier appliedTxId,
            int atOnce,
            Duration patience) {
        super(inner);
        this.observer = observer;
        this.neededTxId = neededTxId;
        this.appliedTxId = appliedTxId;
        this.room = new Semaphore(atOnce);
        this.patienceNanos = patience.toNanos();
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (observer.getAsBoolean() && concernsNamespace(method)) {
            if (!isUpToDate()) {
                refused.incrementAndGet();
                throw new ServiceException(new ObserverRetryOnActiveException(
                        "This observer does not know whether it has all that others were told; ask the active"));
            }
            answered.incrementAndGet();
        }
        return inner().callBlockingMethod(method, controller, request);
    }

    private boolean isUpToDate() {
        OptionalLong needed = neededTxId.get();
        if (!needed.isPresent()) {
            return false;
        }
        if (appliedTxId.getAsLong() >= needed.getAsLong()) {
            return true;
        }
        if (!room.tryAcquire()) {
            return false;
        }
        long begunNanos = System.nanoTime();
        try {
            while (appliedTxId.getAsLong() < needed.getAsLong()) {
                if (System.nanoTime() - begunNanos > patienceNanos) {
                    return false;
                }
                TimeUnit.MICROSECONDS.sleep(LOOK_MICROS);
            }
            return true;
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            waitedNanos.addAndGet(System.nanoTime() - begunNanos);
            room.release();
        }
    }

    /** How many calls were answered by a lease. */
    long answered() {
        return answered.get();
    }

    /** How many were sent to the active. */
    long refused() {
        return refused.get();
    }

    /** For how long calls have waited, all together. */
    long waitedNanos() {
        return waitedNanos.get();
    }

    /** Whether a read that came now would be answered here. */
    boolean isLeased() {
        return neededTxId.get().isPresent();
    }
}
