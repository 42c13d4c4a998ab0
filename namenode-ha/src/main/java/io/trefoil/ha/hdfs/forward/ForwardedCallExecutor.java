/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.pool.server.ForwardedCalls;
import io.trefoil.journal.protocol.ForwardedReply;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ForwardedCall;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Executes, as the active, the calls that clients made at other NameNodes. HDFS's own handlers take them from its own
 * queue and execute them as the client's user, with the client's address and call ids.
 *
 * <p>The pool node that receives them decides which processes may send them: other NameNodes only. Bounded in number
 * and bytes; calls beyond that are not executed. Thread-safe.
 *
 * <p>Uses {@code NameNodeRpcServer.getClientRpcServer}, {@code FSNamesystem.getLastWrittenTransactionId}, {@code
 * RequestHeaderProto}; {@code StandbyException}, {@code RetriableException}.
 */
public final class ForwardedCallExecutor implements ForwardedCalls, Closeable {
    /** The limit for all members together. */
    private static final int MAX_CALLS = 2_048;

    private static final long MAX_BYTES = 64L << 20;

    /**
     * How long after its arrival a call may still be executed. The forwarder gives it up later, even if the call was
     * {@link CallForwarder#MAX_UNSENT_NANOS} old when it was sent. Otherwise it could undo what its client, which was told to ask
     * again, has done since.
     */
    static final long WANTED_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final String PROTOCOL = RPC.getProtocolName(ClientNamenodeProtocolPB.class);
    private static final long PROTOCOL_VERSION = RPC.getProtocolVersion(ClientNamenodeProtocolPB.class);

    /** The NameNode that received the calls from clients. */
    private enum Origin {
        ANOTHER_NAME_NODE,
        THIS_NAME_NODE
    }

    private final NameNode nameNode;
    private final Origin origin;
    private final int maxAnswerBytes;
    private final LongSupplier nanoTime;
    private final Server server;
    /** The thread that queues calls and waits while HDFS's queue is full, as the pool node's threads must not wait. */
    private final ThreadPoolExecutor queueing;

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final LongAdder came = new LongAdder();
    /** The outcomes of the calls that have ended; the map itself never changes, only its counters. */
    private final Map<SerializedResponse.Kind, LongAdder> outcomes = new EnumMap<>(SerializedResponse.Kind.class);

    public ForwardedCallExecutor(NameNode nameNode) {
        this(nameNode, ForwardedReply.MAX_BYTES, System::nanoTime);
    }

    /** @param maxAnswerBytes what the connection between NameNodes carries as one answer */
    ForwardedCallExecutor(NameNode nameNode, int maxAnswerBytes, LongSupplier nanoTime) {
        this(nameNode, Origin.ANOTHER_NAME_NODE, maxAnswerBytes, nanoTime);
    }

    private ForwardedCallExecutor(NameNode nameNode, Origin origin, int maxAnswerBytes, LongSupplier nanoTime) {
        this.nameNode = nameNode;
        this.origin = origin;
        this.maxAnswerBytes = maxAnswerBytes;
        this.nanoTime = nanoTime;
        this.server = ((NameNodeRpcServer) nameNode.getRpcServer()).getClientRpcServer();
        this.queueing = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), DaemonThreads.newFactory("mams-calls"));
        this.queueing.allowCoreThreadTimeOut(true);
        for (SerializedResponse.Kind each : SerializedResponse.Kind.values()) {
            outcomes.put(each, new LongAdder());
        }
    }

    /** Executes calls that this NameNode itself has held. */
    static ForwardedCallExecutor forLocalCalls(NameNode nameNode) {
        return new ForwardedCallExecutor(nameNode, Origin.THIS_NAME_NODE, ForwardedReply.MAX_BYTES, System::nanoTime);
    }

    /** Executes no calls. */
    public static ForwardedCalls none() {
        return (call, answer) -> answer.accept(
                CallCodec.encode(SerializedResponse.notExecuted("the active takes no calls of other NameNodes")));
    }

    @Override
    public void execute(Bytes call, Forwarder answer) {
        AcceptedCall acceptedCall = new AcceptedCall(call.size(), answer);
        if (calls.get() > MAX_CALLS || bytes.get() > MAX_BYTES) {
            acceptedCall.end(
                    SerializedResponse.notExecuted("the active has taken as many calls of other NameNodes as it can"));
            return;
        }
        try {
            queueing.execute(() -> queue(call, acceptedCall));
        } catch (RejectedExecutionException e) {
            acceptedCall.end(SerializedResponse.notExecuted("the active is stopping"));
        } catch (Error e) {
            // For example, no thread was available. The call may already be in the queue, where it ends without being
            // executed.
            acceptedCall.end(SerializedResponse.aborted("the active failed to queue it: " + e));
            throw e;
        }
    }

    private void queue(Bytes bytesOfCall, AcceptedCall acceptedCall) {
        try {
            SerializedCall call = CallCodec.decodeCall(bytesOfCall);
            new QueuedCall(call, acceptedCall).queue();
        } catch (RetriableException e) {
            // HDFS asks the client to come back later, when the queue is shorter.
            acceptedCall.end(
                    SerializedResponse.failed(0, RetriableException.class.getName(), String.valueOf(e.getMessage())));
        } catch (IOException | IllegalArgumentException e) {
            acceptedCall.end(SerializedResponse.notExecuted("the active does not take it: " + e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            acceptedCall.end(SerializedResponse.notExecuted("the active is stopping"));
        } catch (RuntimeException | Error e) {
            // Nothing else would answer the call.
            acceptedCall.end(SerializedResponse.aborted("the active failed to queue it: " + e));
        }
    }

    /** Accepts no more calls; HDFS's handlers answer as many as they can of those in the queue. */
    @Override
    public void close() {
        queueing.shutdownNow();
    }

    /** Returns the number of calls that are waiting for a handler, are being handled, or have an answer that is waiting for a majority. */
    int calls() {
        return calls.get();
    }

    /** Returns the number of calls received since this NameNode started. */
    long receivedCount() {
        return came.sum();
    }

    /** Returns the number of calls with the given outcome since this NameNode started. */
    long endedCount(SerializedResponse.Kind outcome) {
        return outcomes.get(outcome).sum();
    }

    private static byte[] request(SerializedCall call) throws InterruptedIOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream(call.request().size() + 128);
        try {
            RequestHeaderProto.newBuilder()
                    .setMethodName(call.method())
                    .setDeclaringClassProtocolName(PROTOCOL)
                    .setClientProtocolVersion(PROTOCOL_VERSION)
                    .build()
                    .writeDelimitedTo(request);
            int left = call.request().size();
            while (left > 0x7f) {
                request.write((left & 0x7f) | 0x80);
                left >>>= 7;
            }
            request.write(left);
            request.write(
                    call.request().sharedArray(),
                    call.request().sharedOffset(),
                    call.request().size());
        } catch (IOException e) {
            throw new AssertionError("Bytes in memory", e);
        }
        return request.toByteArray();
    }

    /** A call that counts against the limits until it has its answer, which is sent back once. */
    private final class AcceptedCall {
        private final long size;
        private final Forwarder path;
        private final long takenNanos = nanoTime.getAsLong();
        private final AtomicBoolean ended = new AtomicBoolean();

        AcceptedCall(long size, Forwarder path) {
            this.size = size;
            this.path = path;
            calls.incrementAndGet();
            bytes.addAndGet(size);
            came.increment();
        }

        /** Whether the forwarder is still waiting: it gives up no earlier than {@link #WANTED_NANOS} after the call arrived here. */
        boolean isForwarderWaiting() {
            return !ended.get() && path.isWaiting() && nanoTime.getAsLong() - takenNanos < WANTED_NANOS;
        }

        void end(SerializedResponse answer) {
            if (ended.compareAndSet(false, true)) {
                calls.decrementAndGet();
                bytes.addAndGet(-size);
                outcomes.get(answer.kind()).increment();
                path.accept(bytesOf(answer));
            }
        }

        /**
         * Encodes an answer, replacing one that is too large by a failure: it would end the connection for all clients of the forwarder, at each retry.
         */
        private Bytes bytesOf(SerializedResponse answer) {
            Bytes whole = CallCodec.encode(answer);
            if (whole.size() <= maxAnswerBytes) {
                return whole;
            }
            return CallCodec.encode(SerializedResponse.failed(
                    answer.lastTxId(),
                    StandbyException.class.getName(),
                    "The active's answer of " + whole.size()
                            + " bytes is too large to be forwarded; ask the active itself"));
        }
    }

    /** A call in HDFS's queue, then at a handler, then perhaps held until its answer may be sent. */
    private final class QueuedCall extends ForwardedCall {
        private final AcceptedCall acceptedCall;
        private final UserGroupInformation user;
        private final InetAddress address;
        private final int port;
        /** The answer; empty if the call was not executed. */
        private volatile Optional<SerializedResponse> answer = Optional.empty();

        QueuedCall(SerializedCall call, AcceptedCall acceptedCall) throws IOException {
            super(
                    server,
                    PROTOCOL,
                    request(call),
                    call.clientId().toByteArray(),
                    call.callId(),
                    call.retryCount(),
                    contextOf(call.context()));
            this.acceptedCall = acceptedCall;
            this.user = call.user().user();
            this.address = InetAddress.getByAddress(call.address().toByteArray());
            this.port = call.port();
        }

        @Override
        public UserGroupInformation getRemoteUser() {
            return user;
        }

        @Override
        public InetAddress getHostInetAddress() {
            return address;
        }

        @Override
        public int getRemotePort() {
            return port;
        }

        @Override
        public boolean isLocal() {
            return origin == Origin.THIS_NAME_NODE;
        }

        @Override
        protected boolean isDue() {
            return acceptedCall.isForwarderWaiting() && nameNode.isActiveState();
        }

        @Override
        protected void complete(byte[] message) {
            answer = Optional.of(SerializedResponse.returned(lastTxId(), Bytes.wrap(message)));
        }

        @Override
        protected void fail(String error, String text) {
            // A NameNode that ceases to be active says so of calls that it may have executed.
            answer = Optional.of(
                    StandbyException.class.getName().equals(error)
                            ? SerializedResponse.aborted(text)
                            : SerializedResponse.failed(lastTxId(), error, text));
        }

        /**
         * The last transaction that the call may have seen. An edit gets its id before the lock under which it was made
         * is released, so the call has seen no later one.
         */
        private long lastTxId() {
            return nameNode.getNamesystem().getLastWrittenTransactionId();
        }

        @Override
        protected void release() {
            acceptedCall.end(answer.orElseGet(() -> nameNode.isActiveState()
                    ? SerializedResponse.notExecuted("the active had it for too long")
                    : SerializedResponse.notActive("the NameNode that was taken for the active is not active")));
        }

        @Override
        protected void abort(Throwable cause) {
            acceptedCall.end(SerializedResponse.aborted(String.valueOf(cause.getMessage())));
        }
    }

    /** The caller context in Hadoop's form: null if there is none. */
    private static CallerContext contextOf(Optional<SerializedCall.Context> context) {
        return context.map(SerializedCall.Context::context).orElse(null);
    }
}
