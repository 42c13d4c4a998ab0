/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;

/**
 * Answers a call whose answer was deferred with the exception of another NameNode, by its name and text. Hadoop takes both from an
 * exception, and some of its classes cannot be made again, or make another text. It is in Hadoop's package because answers are
 * made there.
 *
 * <p>Uses {@code Server.setupResponse} and {@code sendDeferedResponse} of its calls, which are private.
 */
public final class CallErrorResponder {

    private CallErrorResponder() {}

    /**
     * Sends the answer, on any thread.
     *
     * @param server whose call it is
     * @param error the name of the exception's class
     * @param text the exception's text, with its trace, as Hadoop sends it
     * @throws LinkageError if this version of Hadoop has no such methods
     */
    public static void answer(Server server, Server.Call call, String error, String text) {
        try {
            Class<?> kind = call.getClass();
            Method make = Server.class.getDeclaredMethod(
                    "setupResponse",
                    kind,
                    RpcStatusProto.class,
                    RpcErrorCodeProto.class,
                    Writable.class,
                    String.class,
                    String.class);
            make.setAccessible(true);
            make.invoke(server, call, RpcStatusProto.ERROR, RpcErrorCodeProto.ERROR_APPLICATION, null, error, text);
            Method send = kind.getDeclaredMethod("sendDeferedResponse");
            send.setAccessible(true);
            send.invoke(call);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("An answer in memory could not be made", e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("This version of Hadoop makes answers in another way", e);
        }
    }
}
