/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Makes a trace look as if its driver did one kind of thing wrongly. */
public final class WrongDriver {

    private static final long LONGER_NANOS = 60_000_000_000L;

    private static final String LATE = "late";
    private static final String LATE_AFTER = LATE + " after ";

    private WrongDriver() {}

    /**
     * A trace of a driver that does {@code action} one step too {@code late}, or {@code late after} what another argument of the trace
     * begins with, {@code twice}, {@code never}, {@code early} (the one of the next entry), or {@code longer} than it may.
     *
     * @param action a method of the trace, perhaps with the beginning of its first argument, up to a bracket
     */
    public static <T> T of(Class<T> type, T trace, String alteration, String action) {
        List<Runnable> held = new ArrayList<>();
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    synchronized (held) {
                        boolean meant = matches(action, method.getName(), given);
                        Object[] arguments = meant ? alterArguments(given, alteration) : given;
                        if (meant && alteration.equals("never")) {
                            return null;
                        }
                        if (meant && alteration.startsWith(LATE)) {
                            held.add(() -> call(trace, method, arguments));
                            return null;
                        }
                        call(trace, method, arguments);
                        if (meant && alteration.equals("twice")) {
                            call(trace, method, arguments);
                        }
                        if (!alteration.startsWith(LATE_AFTER)
                                || hasArgument(given, alteration.substring(LATE_AFTER.length()))) {
                            held.forEach(Runnable::run);
                            held.clear();
                        }
                        return null;
                    }
                }));
    }

    private static boolean hasArgument(Object[] arguments, String beginning) {
        return arguments != null
                && Stream.of(arguments).anyMatch(one -> String.valueOf(one).startsWith(beginning));
    }

    private static boolean matches(String action, String method, Object[] arguments) {
        return action.equals(method)
                || (arguments != null
                        && arguments[0] instanceof String what
                        && action.equals(method + " " + what.split("\\[")[0]));
    }

    private static Object[] alterArguments(Object[] arguments, String alteration) {
        if (!alteration.equals("early") && !alteration.equals("longer")) {
            return arguments;
        }
        Object[] changed = arguments.clone();
        int last = changed.length - 1;
        changed[last] = (Long) changed[last] + (alteration.equals("early") ? 1 : LONGER_NANOS);
        return changed;
    }

    private static void call(Object trace, Method method, Object[] arguments) {
        try {
            method.invoke(trace, arguments);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
