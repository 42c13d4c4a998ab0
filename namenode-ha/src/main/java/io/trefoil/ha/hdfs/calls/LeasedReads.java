/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Lets an observer answer a read only if the answer reflects everything that was revealed to any client before the read. That
 * requires a read lease, and that the observer has applied what its pool node had when the read came ({@code
 * docs/design/near-reads.md}). Other reads go to the active.
 *
 * <p>A call waits for the last entries to be committed and applied, usually for less than the time between two of them.
 * It occupies a handler thread, so the number of waiting calls is limited.
 *
 * <p>Uses {@code ReadOnly}, by which HDFS marks what reads; {@code StandbyException}, after which clients that read from observers ask
 * the next one, then the active. After HDFS's {@code ObserverRetryOnActiveException}, Hadoop's {@code ObserverReadProxyProvider} would
 * ask no observer for ten minutes.
 */
public final class LeasedReads extends ClientCalls {
    /** HDFS does not announce what it has applied, so it is polled. */
    private static final long LOOK_MICROS = 300;

    /**
     * Calls that HDFS does not mark as reads, so that an observer refuses them. A name on the wire that {@code ClientProtocol} does not
     * have is not among them.
     */
    private static final Set<String> CHANGES =
            Collections.unmodifiableSet(Arrays.stream(ClientProtocol.class.getMethods())
                    .filter(method -> !method.isAnnotationPresent(ReadOnly.class))
                    .map(Method::getName)
                    .collect(Collectors.toSet()));

    private final BooleanSupplier active;
    private final BooleanSupplier locked;
    private final Supplier<OptionalLong> neededTxId;
    private final LongSupplier appliedTxId;
    private final Semaphore room;
    private final long timeoutNanos;
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong waitedNanos = new AtomicLong();

    /**
     * @param active whether this NameNode is, which has everything. A standby is asked for a lease like an observer, as it may be one
     *     by the time that HDFS looks
     * @param locked whether a call that wants the namesystem's lock would wait for longer than users should
     * @param neededTxId the last transaction that a read must show which came before this is called; empty if it may
     *     not be answered here
     * @param appliedTxId the last transaction that this NameNode has applied
     * @param atOnce how many calls may wait at the same time; others go to the active
     * @param timeout the longest time that a call waits
     */
    public LeasedReads(
            BlockingService inner,
            BooleanSupplier active,
            BooleanSupplier locked,
            Supplier<OptionalLong> neededTxId,
            LongSupplier appliedTxId,
            int atOnce,
            Duration timeout) {
        super(inner);
        this.active = active;
        this.locked = locked;
        this.neededTxId = neededTxId;
        this.appliedTxId = appliedTxId;
        this.room = new Semaphore(atOnce);
        this.timeoutNanos = timeout.toNanos();
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        if (!active.getAsBoolean() && isRead(method)) {
            if (locked.getAsBoolean()) {
                throw refusal("This NameNode counts its quotas and answers no read until it has; ask another one");
            }
            if (!isUpToDate()) {
                throw refusal("This NameNode does not know whether it has all that others were told; ask another one");
            }
            answered.incrementAndGet();
        }
        return inner().callBlockingMethod(method, controller, request);
    }

    private ServiceException refusal(String reason) {
        refused.incrementAndGet();
        return new ServiceException(new StandbyException(reason));
    }

    /** Whether a call is a read, and so must wait; HDFS itself refuses all others. */
    private static boolean isRead(MethodDescriptor method) {
        return concernsNamespace(method) && !CHANGES.contains(method.getName());
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
                if (System.nanoTime() - begunNanos > timeoutNanos) {
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

    /** Returns the number of calls that were answered under a lease. */
    long answeredCount() {
        return answered.get();
    }

    /** Returns the number of calls that were sent to the active. */
    long refusedCount() {
        return refused.get();
    }

    /** Returns how long calls have waited in total. */
    long waitedNanos() {
        return waitedNanos.get();
    }

    /** Whether this NameNode would answer a read that arrived now. */
    boolean isLeased() {
        return !locked.getAsBoolean() && neededTxId.get().isPresent();
    }
}
