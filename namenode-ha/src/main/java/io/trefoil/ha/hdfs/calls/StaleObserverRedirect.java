/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StateContext;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a read whose client has seen more than this observer has applied to another NameNode, if the observer is not about
 * to apply it.
 *
 * <p>HDFS puts such a call back into the queue until the observer has caught up, however long that takes. At an observer
 * that is cut off from the journal the call would never be answered, and Hadoop's {@code ObserverReadProxyProvider} asks
 * the same observer again after its RPC time-out. So an observer that applies nothing while such calls wait takes them out of
 * the queue after a while and refuses them, as well as those that come later, until it applies something. A standby refuses at
 * once, and an active has everything: a client that has seen more has seen what a failover took back. A refused call has executed
 * nothing.
 *
 * <p>Uses {@code Server.setAlignmentContext}, {@code GlobalStateIdContext} by {@link StateContext}, {@code
 * Server.Call.getClientStateId}, and {@code StandbyException}, after which clients ask elsewhere (see {@link LeasedReads}).
 * Thread-safe.
 */
public final class StaleObserverRedirect extends ClientCalls {
    private static final Logger LOG = LoggerFactory.getLogger(StaleObserverRedirect.class);

    /** The time without calls for transactions that an observer lacks, after which it is unknown whether the observer is stalled. */
    private static final long FORGOTTEN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AlignmentContext hdfs;
    private final Supplier<HAServiceState> role;
    private final BooleanSupplier catchingUp;
    private final LongSupplier nanoClock;
    private final long timeoutNanos;

    private volatile long highestAsked;
    private long lastAskedNanos;
    private long standsAt;
    private long standsSinceNanos;
    private boolean standing;

    /**
     * @param inner what answers a call that is not refused
     * @param hdfs HDFS's own comparison
     * @param role the NameNode's
     * @param catchingUp whether an observer may get what it lacks; if not, calls are refused at once
     * @param nanoClock as {@code System.nanoTime}
     * @param timeout for how long calls may wait while nothing is applied
     */
    public StaleObserverRedirect(
            BlockingService inner,
            AlignmentContext hdfs,
            Supplier<HAServiceState> role,
            BooleanSupplier catchingUp,
            LongSupplier nanoClock,
            Duration timeout) {
        super(inner);
        this.hdfs = hdfs;
        this.role = role;
        this.catchingUp = catchingUp;
        this.nanoClock = nanoClock;
        this.timeoutNanos = timeout.toNanos();
    }

    /**
     * Applies this rule to the NameNode's calls, if HDFS compares states at that NameNode at all ({@code
     * dfs.namenode.state.context.enabled}, which every observer needs). Call it once, before the NameNode has a role.
     */
    public static StaleObserverRedirect install(
            NameNode nameNode, BlockingService inner, BooleanSupplier catchingUp, Duration timeout) {
        StaleObserverRedirect reads = new StaleObserverRedirect(
                inner, StateContext.of(nameNode), () -> roleOf(nameNode), catchingUp, System::nanoTime, timeout);
        setAlignment(nameNode, reads.context());
        return reads;
    }

    private static HAServiceState roleOf(NameNode nameNode) {
        if (nameNode.isActiveState()) {
            return HAServiceState.ACTIVE;
        }
        return nameNode.isObserverState() ? HAServiceState.OBSERVER : HAServiceState.STANDBY;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        Server.Call call = Server.getCurCall().get();
        // Also at a standby: it may be an observer by the time that HDFS looks.
        if (call != null && call.isCallCoordinated() && role.get() != HAServiceState.ACTIVE) {
            long appliedTxId = hdfs.getLastSeenStateId();
            if (call.getClientStateId() > appliedTxId) {
                throw new ServiceException(new StandbyException("This NameNode has applied transaction " + appliedTxId
                        + ", the client has seen " + call.getClientStateId() + "; ask another one"));
            }
        }
        return inner().callBlockingMethod(method, controller, request);
    }

    /** HDFS's comparison, but with calls taken out of the queue if they would wait in it for too long. */
    AlignmentContext context() {
        return new AlignmentContext() {
            @Override
            public long receiveRequestState(RpcRequestHeaderProto header, long clientWaitMillis) throws IOException {
                long seenTxId = hdfs.receiveRequestState(header, clientWaitMillis);
                recordRequestedTxId(seenTxId);
                return seenTxId;
            }

            @Override
            public long getLastSeenStateId() {
                long appliedTxId = hdfs.getLastSeenStateId();
                return mayWait(appliedTxId) ? appliedTxId : Long.MAX_VALUE;
            }

            @Override
            public boolean isCoordinatedCall(String protocol, String method) {
                return hdfs.isCoordinatedCall(protocol, method);
            }

            @Override
            public void updateResponseState(RpcResponseHeaderProto.Builder header) {
                hdfs.updateResponseState(header);
            }

            @Override
            public void receiveResponseState(RpcResponseHeaderProto header) {
                hdfs.receiveResponseState(header);
            }

            @Override
            public void updateRequestState(RpcRequestHeaderProto.Builder header) {
                hdfs.updateRequestState(header);
            }
        };
    }

    private void recordRequestedTxId(long seenTxId) {
        long appliedTxId = hdfs.getLastSeenStateId();
        if (seenTxId <= appliedTxId) {
            return;
        }
        synchronized (this) {
            long now = nanoClock.getAsLong();
            if (highestAsked <= appliedTxId || now - lastAskedNanos > FORGOTTEN_NANOS) {
                // No call has waited until now; a client that has seen what a failover took back may have asked for
                // more than there ever is.
                recordApplied(appliedTxId);
            }
            highestAsked = Math.max(highestAsked, seenTxId);
            lastAskedNanos = now;
        }
    }

    private boolean mayWait(long appliedTxId) {
        if (highestAsked <= appliedTxId) {
            return true;
        }
        return role.get() == HAServiceState.OBSERVER && catchingUp.getAsBoolean() && isApplying(appliedTxId);
    }

    private synchronized boolean isApplying(long appliedTxId) {
        if (appliedTxId > standsAt) {
            recordApplied(appliedTxId);
        }
        if (nanoClock.getAsLong() - standsSinceNanos < timeoutNanos) {
            return true;
        }
        if (!standing) {
            standing = true;
            LOG.warn(
                    "This observer has applied nothing after txid={} for stalledMillis={}; clients that have "
                            + "seen up to txid={} are sent to the active until it does; do: see 'hdfs trefoil status' "
                            + "if that lasts",
                    appliedTxId,
                    TimeUnit.NANOSECONDS.toMillis(timeoutNanos),
                    highestAsked);
        }
        return false;
    }

    private void recordApplied(long appliedTxId) {
        standsAt = appliedTxId;
        standsSinceNanos = nanoClock.getAsLong();
        standing = false;
    }
}
