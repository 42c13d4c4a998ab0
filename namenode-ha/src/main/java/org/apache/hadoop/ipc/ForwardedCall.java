/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.UndeclaredThrowableException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.ProcessingDetails.Timing;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.Time;

/**
 * A call that another NameNode, or this one earlier, received and this one executes, on a handler of its RPC server like calls of its own
 * connections. It is in Hadoop's package because calls and the sending of their answers are visible only there. It does what Hadoop's own
 * {@code RpcCall} does, and decides nothing.
 *
 * <p>Uses {@code Server.Call}, {@code getPriorityLevel}, {@code logException}; {@code ProtobufRpcEngine2.RpcProtobufRequest};
 * {@code RpcWritable.writeTo}; {@code ProcessingDetails}.
 */
public abstract class ForwardedCall extends Server.Call {
    private static final BiConsumer<ProcessingDetails, RpcStatusProto> RETURN_STATUS = returnStatus();

    private static final MethodHandle PRIORITY = priority();

    /** The caller context; null if there is none, as in Hadoop. */
    private final CallerContext context;

    private final Server server;
    private final String protocol;
    private final byte[] request;
    /** The time of the arrival, from which Hadoop measures how long a call has waited; before 3.3.6, its own field is not accessible. */
    private final long arrivedNanos = Time.monotonicNowNanos();

    /**
     * @param protocol the protocol's name, as a client's connection states it
     * @param request the header of the request and its message, both delimited
     * @param context null, as in Hadoop, if the client set none
     */
    protected ForwardedCall(
            Server server,
            String protocol,
            byte[] request,
            byte[] clientId,
            int callId,
            int retryCount,
            CallerContext context) {
        // The constructor that takes the context takes a trace as well, whose type is another one before 3.3.2.
        super(callId, retryCount, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, clientId);
        this.context = context;
        this.server = server;
        this.protocol = protocol;
        this.request = request.clone();
    }

    /**
     * Puts the call into the server's queue; waits while that is full.
     *
     * @throws IOException if the server refuses the call, as it may refuse calls of its own connections: nothing is
     *     executed
     */
    public final void queue() throws IOException, InterruptedException {
        setPriorityLevel(priorityAt(server));
        server.queueCall(this);
    }

    /** Whether this NameNode received and held the call, rather than another one. On the handler. */
    public abstract boolean isLocal();

    /** Whether the call may be executed now; if not, {@link #release} is called without any earlier callback. On the handler. */
    protected abstract boolean isDue();

    /** The call was executed and returned this answer, a delimited message; called on the handler, as the caller's user. */
    protected abstract void complete(byte[] answer);

    /** The call was refused. The name of the exception's class, and its text with its trace, as Hadoop sends them. */
    protected abstract void fail(String error, String text);

    /** The answer may be sent. On any thread. */
    protected abstract void release();

    /**
     * The call gets no answer, whatever was reported before: its client must retry. On any thread, perhaps before
     * the other callbacks.
     */
    protected abstract void abort(Throwable cause);

    @Override
    public final Void run() {
        // As a handler does for a call that knows its own; it does so before each call.
        CallerContext.setCurrent(context);
        if (isDue()) {
            execute();
        } else {
            doResponse(null, RpcStatusProto.SUCCESS);
        }
        return null;
    }

    private void execute() {
        long begunNanos = Time.monotonicNowNanos();
        RpcStatusProto status = RpcStatusProto.SUCCESS;
        try {
            ProtobufRpcEngine2.RpcProtobufRequest wire = new ProtobufRpcEngine2.RpcProtobufRequest();
            wire.readFrom(ByteBuffer.wrap(request));
            complete(bytes(server.call(rpcKind, protocol, wire, arrivedNanos)));
        } catch (Throwable e) {
            Throwable refusal = e instanceof UndeclaredThrowableException && e.getCause() != null ? e.getCause() : e;
            server.logException(Server.LOG, refusal, this);
            status = RpcStatusProto.ERROR;
            String error = refusal.getClass().getName();
            fail(error, textOf(refusal, error + ": "));
        }
        count(Time.monotonicNowNanos() - begunNanos, status);
        respond();
    }

    private void respond() {
        try {
            sendResponse();
        } catch (IOException e) {
            // The method that it calls throws none.
            throw new AssertionError(e);
        }
    }

    private void count(long nanos, RpcStatusProto status) {
        ProcessingDetails details = getProcessingDetails();
        details.set(Timing.PROCESSING, nanos, TimeUnit.NANOSECONDS);
        details.set(
                Timing.LOCKFREE,
                nanos
                        - details.get(Timing.LOCKWAIT, TimeUnit.NANOSECONDS)
                        - details.get(Timing.LOCKSHARED, TimeUnit.NANOSECONDS)
                        - details.get(Timing.LOCKEXCLUSIVE, TimeUnit.NANOSECONDS),
                TimeUnit.NANOSECONDS);
        RETURN_STATUS.accept(details, status);
    }

    /** Hadoop 3.3 counts refused calls together with executed ones. */
    private static BiConsumer<ProcessingDetails, RpcStatusProto> returnStatus() {
        try {
            ProcessingDetails.class.getMethod("setReturnStatus", RpcStatusProto.class);
            return ProcessingDetails::setReturnStatus;
        } catch (NoSuchMethodException e) {
            return (details, status) -> {};
        }
    }

    private int priorityAt(Server server) {
        try {
            return (int) PRIORITY.invokeExact(server, (Schedulable) this);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("the method declares none", e);
        }
    }

    /** The priority of the call; Hadoop 3.1 and 3.3.0 do not expose it, so there the call goes ahead of those of heavy users. */
    private static MethodHandle priority() {
        MethodType type = MethodType.methodType(int.class, Server.class, Schedulable.class);
        try {
            return MethodHandles.lookup()
                    .findVirtual(Server.class, "getPriorityLevel", MethodType.methodType(int.class, Schedulable.class))
                    .asType(type);
        } catch (NoSuchMethodException e) {
            return MethodHandles.dropArguments(
                    MethodHandles.constant(int.class, 0), 0, Server.class, Schedulable.class);
        } catch (IllegalAccessException e) {
            throw new LinkageError("Server.getPriorityLevel", e);
        }
    }

    private static byte[] bytes(Writable answer) throws IOException {
        ResponseBuffer buffer = new ResponseBuffer();
        ((RpcWritable) answer).writeTo(buffer);
        ByteBuffer framed = ByteBuffer.wrap(buffer.toByteArray());
        byte[] bytes = new byte[framed.getInt()];
        framed.get(bytes);
        return bytes;
    }

    private static String textOf(Throwable refusal, String prefix) {
        String text = StringUtils.stringifyException(refusal);
        return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    @Override
    public final String getProtocol() {
        return "rpc";
    }

    @Override
    final void doResponse(Throwable t, RpcStatusProto status) {
        if (t == null) {
            release();
        } else {
            abort(t);
        }
    }
}
