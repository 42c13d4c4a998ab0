/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import java.util.List;
import java.util.Map;

/**
 * A JVM to start.
 *
 * @param name of its directory and its log
 * @param mainClass what it runs
 * @param arguments of the main class
 * @param properties the contents of its {@code hdfs-site.xml}
 * @param libraries class path in front of the usual one; usually empty
 */
record JvmSpec(
        String name, String mainClass, List<String> arguments, Map<String, String> properties, String libraries) {
    JvmSpec {
        arguments = List.copyOf(arguments);
        properties = Map.copyOf(properties);
    }

    JvmSpec(String name, String mainClass, List<String> arguments, Map<String, String> properties) {
        this(name, mainClass, arguments, properties, "");
    }
}
