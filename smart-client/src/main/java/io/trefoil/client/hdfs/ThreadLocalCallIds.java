/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import java.lang.reflect.Field;
import org.apache.hadoop.ipc.Client;

/** Accesses the thread-locals of {@code Client}, which are private in all releases; the fields are read once. */
final class ThreadLocalCallIds implements CallIds {
    private final ThreadLocal<Integer> callId = field("callId");
    private final ThreadLocal<Integer> retryCount = field("retryCount");
    private final ThreadLocal<Object> externalHandler = field("EXTERNAL_CALL_HANDLER");

    @SuppressWarnings("unchecked")
    private static <V> ThreadLocal<V> field(String name) {
        try {
            Field field = Client.class.getDeclaredField(name);
            field.setAccessible(true);
            return (ThreadLocal<V>) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(
                    "The smart client needs Hadoop 3.3.4 or newer: this Hadoop's " + Client.class.getName() + " from "
                            + Client.class.getProtectionDomain().getCodeSource() + " has neither getCallId nor "
                            + name,
                    e);
        }
    }

    @Override
    public int callId() {
        Integer id = callId.get();
        return id == null ? Client.nextCallId() : id;
    }

    @Override
    public int retryCount() {
        Integer count = retryCount.get();
        return count == null ? 0 : count;
    }

    @Override
    public Object externalHandler() {
        return externalHandler.get();
    }

    @Override
    public void set(int id, int count, Object handler) {
        callId.set(id);
        retryCount.set(count);
        externalHandler.set(handler);
    }

    @Override
    public void clear() {
        callId.set(null);
        retryCount.set(0);
        externalHandler.set(null);
    }
}
