/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The description of one server.
 *
 * @param name unique in its cluster
 * @param mainClass a stock main class of Hadoop, or {@code PoolNodeMain}
 * @param properties supplied at every start, so that a changed setting takes effect after a restart
 * @param jvmOptions added to the common ones, which they override
 * @param arguments of the main class, at every start
 * @param environment more variables, such as the login of a client
 * @param supervised whether it is restarted when it ends by itself
 */
public record ServerSpec(
        String name,
        String mainClass,
        Supplier<Map<String, String>> properties,
        List<String> jvmOptions,
        List<String> arguments,
        Map<String, String> environment,
        boolean supervised) {

    /** A server without its own environment variables. */
    ServerSpec(
            String name,
            String mainClass,
            Supplier<Map<String, String>> properties,
            List<String> jvmOptions,
            List<String> arguments,
            boolean supervised) {
        this(name, mainClass, properties, jvmOptions, arguments, Map.of(), supervised);
    }

    /** A server whose main class needs no arguments. */
    public ServerSpec(
            String name,
            String mainClass,
            Supplier<Map<String, String>> properties,
            List<String> jvmOptions,
            boolean supervised) {
        this(name, mainClass, properties, jvmOptions, List.of(), supervised);
    }
}
