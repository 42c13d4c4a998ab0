/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import io.trefoil.ha.agent.AgentTrace;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;

/**
 * Records in a trace the calls to the NameNode, the pool and ZooKeeper, as they are made, by any thread: these calls happened, whatever the
 * driver assumes.
 */
final class CallTracer {

    /** The methods of an agent's effects; mere queries are not traced. */
    static final Collection<String> CHANGES = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
            "publish",
            "takeLock",
            "publishEpoch",
            "releaseLock",
            "record",
            "openSessions",
            "closeSessions",
            "prepareWriter",
            "queryLease",
            "becomeActive",
            "becomeStandby",
            "changeRole",
            "halt")));

    private CallTracer() {}

    /** Wraps an object so that calls to it are recorded in a trace before they are made; returns the object itself if there is no trace. */
    static <T> T wrap(Class<T> type, T traced, AgentTrace trace) {
        if (trace == AgentTrace.NONE) {
            return traced;
        }
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    if (CHANGES.contains(method.getName())) {
                        trace.called(text(method.getName(), given == null ? new Object[0] : given));
                    }
                    try {
                        return method.invoke(traced, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    static String text(String method, Object... arguments) {
        return method + Arrays.toString(arguments);
    }
}
