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
 * Tells a trace what is asked of the NameNode, the pool and ZooKeeper, as it is asked, by whichever thread: whatever the driver believes,
 * this is what happens.
 */
final class TracedCalls {

    /** The methods of an agent's effects; what only asks is not traced. */
    static final Collection<String> CHANGES = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
            "publish",
            "takeLock",
            "showEpoch",
            "releaseLock",
            "record",
            "openSessions",
            "closeSessions",
            "prepareWriter",
            "surveyLease",
            "becomeActive",
            "becomeStandby",
            "changeRole",
            "halt")));

    private TracedCalls() {}

    /** The same object, whose calls a trace is told of before they are made; the object itself if there is no trace. */
    static <T> T of(Class<T> type, T traced, AgentTrace trace) {
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

    static String text(String method, Object... given) {
        return method + Arrays.toString(given);
    }
}
