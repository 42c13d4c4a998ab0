/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The deferred answer to the call that a handler is executing. Hadoop 3.3.1 has renamed the method that begins it, and its type is another
 * one before 3.3. Any thread, once.
 *
 * <p>Uses {@code ProtobufRpcEngine2.Server.registerForDeferredResponse2}, in older releases {@code registerForDeferredResponse};
 * {@code setResponse} and {@code error} of what it returns.
 */
public final class DeferredAnswer {
    private static final Method BEGIN = beginMethod();
    private static final MethodHandle REGISTER = handle(BEGIN, MethodType.methodType(Object.class));
    private static final MethodHandle RETURN = callbackHandle(
            "setResponse", Message.class, MethodType.methodType(void.class, Object.class, Message.class));
    private static final MethodHandle REFUSE =
            callbackHandle("error", Throwable.class, MethodType.methodType(void.class, Object.class, Throwable.class));

    private final Object callback;

    private DeferredAnswer(Object callback) {
        this.callback = callback;
    }

    /** Defers the answer: from here on, Hadoop expects none from the handler that calls this. */
    public static DeferredAnswer begin() {
        return new DeferredAnswer(invokeUnchecked(() -> REGISTER.invokeExact()));
    }

    /** Answers with the return value of the call. */
    public void complete(Message answer) {
        invokeUnchecked(() -> {
            RETURN.invokeExact(callback, answer);
            return callback;
        });
    }

    /** Answers with a refusal. */
    public void refuse(Throwable cause) {
        invokeUnchecked(() -> {
            REFUSE.invokeExact(callback, cause);
            return callback;
        });
    }

    private static Method beginMethod() {
        try {
            return ProtobufRpcEngine2.Server.class.getMethod("registerForDeferredResponse2");
        } catch (NoSuchMethodException renamed) {
            try {
                return ProtobufRpcEngine2.Server.class.getMethod("registerForDeferredResponse");
            } catch (NoSuchMethodException e) {
                throw new LinkageError("This Hadoop cannot answer calls later", e);
            }
        }
    }

    private static MethodHandle callbackHandle(String name, Class<?> parameter, MethodType type) {
        try {
            return handle(BEGIN.getReturnType().getMethod(name, parameter), type);
        } catch (NoSuchMethodException e) {
            throw new LinkageError("This Hadoop cannot answer calls later", e);
        }
    }

    private static MethodHandle handle(Method method, MethodType type) {
        try {
            return MethodHandles.lookup().unreflect(method).asType(type);
        } catch (IllegalAccessException e) {
            throw new LinkageError("This Hadoop cannot answer calls later", e);
        }
    }

    private static Object invokeUnchecked(Invocation invocation) {
        try {
            return invocation.invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError("neither method declares any", e);
        }
    }

    private interface Invocation {
        Object invoke() throws Throwable;
    }
}
