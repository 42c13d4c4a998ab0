/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.StateContext;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.apache.hadoop.ipc.Server;
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
 * Sends a read whose client has seen more than this observer has applied to the active, if the observer is not about to
 * apply it.
 *
 * <p>HDFS puts such a call back into the queue until the observer has caught up, however long that takes. At an observer
 * that is cut off from the journal the call would never be answered, and Hadoop's {@code ObserverReadProxyProvider} asks
 * the same observer again after its RPC time-out. So an observer that applies nothing while such calls wait takes them out of
 * the queue after a while and refuses them, as well as those that come later, until it applies something. A refused call has
 * executed nothing.
 *
 * <p>Uses {@code Server.setAlignmentContext}, {@code GlobalStateIdContext} by {@link StateContext}, {@code
 * Server.Call.getClientStateId}, and {@code ObserverRetryOnActiveException}, after which HDFS's clients ask the active, this
 * once. Thread-safe.
 */
public final class ReadsAhead extends ClientCalls {
    private static final Logger LOG = LoggerFactory.getLogger(ReadsAhead.class);

    private final AlignmentContext hdfs;
    private final BooleanSupplier observer;
    private final BooleanSupplier catchingUp;
    private final LongSupplier nanoClock;
    private final long patienceNanos;

    private volatile long highestAsked;
    private long standsAt;
    private long standsSinceNanos;
    private boolean standing;

    /**
     * @param inner what answers a call that is not refused
     * @param hdfs HDFS's own comparison
     * @param observer whether this NameNode is one; others hold and refuse nothing
     * @param catchingUp whether this NameNode may get what it lacks; if not, calls are refused at once
     * @param nanoClock as {@code System.nanoTime}
     * @param patience for how long calls may wait while nothing is applied
     */
    public ReadsAhead(
            BlockingService inner,
            AlignmentContext hdfs,
            BooleanSupplier observer,
            BooleanSupplier catchingUp,
            LongSupplier nanoClock,
            Duration patience) {
        super(inner);
        this.hdfs = hdfs;
        this.observer = observer;
        this.catchingUp = catchingUp;
        this.nanoClock = nanoClock;
        this.patienceNanos = patience.toNanos();
    }

    /**
     * Puts the NameNode's calls under this rule, if HDFS compares states there at all ({@code
     * dfs.namenode.state.context.enabled}, which every observer needs). Call it once, before the NameNode has a role.
     */
    public static ReadsAhead at(
            NameNode nameNode, BlockingService inner, BooleanSupplier catchingUp, Duration patience) {
        ReadsAhead reads = new ReadsAhead(
                inner, StateContext.of(nameNode), nameNode::isObserverState, catchingUp, System::nanoTime, patience);
        align(nameNode, reads.context());
        return reads;
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        Server.Call call = Server.getCurCall().get();
        if (call != null && call.isCallCoordinated() && observer.getAsBoolean()) {
            long applied = hdfs.getLastSeenStateId();
            if (call.getClientStateId() > applied) {
                throw new ServiceException(new ObserverRetryOnActiveException("This observer has applied transaction "
                        + applied + " and nothing after it for a while, the client has seen " + call.getClientStateId()
                        + "; ask the active"));
            }
        }
        return inner().callBlockingMethod(method, controller, request);
    }

    /** HDFS's comparison, which lets calls out of the queue if they would wait there for too long. */
    AlignmentContext context() {
        return new AlignmentContext() {
            @Override
            public long receiveRequestState(RpcRequestHeaderProto header, long clientWaitMillis) throws IOException {
                long seen = hdfs.receiveRequestState(header, clientWaitMillis);
                asked(seen);
                return seen;
            }

            @Override
            public long getLastSeenStateId() {
                long applied = hdfs.getLastSeenStateId();
                return mayWait(applied) ? applied : Long.MAX_VALUE;
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

    private void asked(long seen) {
        long applied = hdfs.getLastSeenStateId();
        if (seen <= highestAsked || seen <= applied) {
            return;
        }
        synchronized (this) {
            if (highestAsked <= applied) {
                // Nobody has waited until now.
                standsAt(applied);
            }
            highestAsked = Math.max(highestAsked, seen);
        }
    }

    private boolean mayWait(long applied) {
        if (highestAsked <= applied || !observer.getAsBoolean()) {
            return true;
        }
        return catchingUp.getAsBoolean() && isMoving(applied);
    }

    private synchronized boolean isMoving(long applied) {
        if (applied > standsAt) {
            standsAt(applied);
        }
        if (nanoClock.getAsLong() - standsSinceNanos < patienceNanos) {
            return true;
        }
        if (!standing) {
            standing = true;
            LOG.warn(
                    "This observer has applied nothing after transaction {} for {} ms; clients that have seen up to {} are"
                            + " sent to the active until it does",
                    applied,
                    TimeUnit.NANOSECONDS.toMillis(patienceNanos),
                    highestAsked);
        }
        return false;
    }

    private void standsAt(long applied) {
        standsAt = applied;
        standsSinceNanos = nanoClock.getAsLong();
        standing = false;
    }
}
