/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;

/** Options of a command line, each of which has a default and takes a value. */
final class ValueOptions {
    private final Map<String, String> values;

    ValueOptions(Map<String, String> defaults) {
        values = new LinkedHashMap<>(defaults);
    }

    /** Takes what is given; says on standard error what is wanted if that is something else. */
    boolean understands(String[] arguments) {
        for (int i = 0; i < arguments.length; i += 2) {
            if (i + 1 == arguments.length || values.replace(arguments[i], arguments[i + 1]) == null) {
                System.err.println(
                        "wanted a value after each of " + values.keySet() + ", found " + String.join(" ", arguments));
                return false;
            }
        }
        return true;
    }

    String get(String option) {
        return values.get(option);
    }

    int number(String option) {
        return Integer.parseInt(get(option));
    }
}
