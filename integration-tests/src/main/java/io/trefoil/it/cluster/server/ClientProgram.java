/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.process.jvm.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A program that uses HDFS through libraries of its own, as everything that is not a part of Hadoop does.
 *
 * @param name unique in its cluster
 * @param jdk runs it
 * @param jvmOptions added to, and stronger than, the common ones
 * @param libraries all it has; nothing of the cluster's Hadoop is added
 * @param properties added to, and stronger than, those of the cluster's clients
 * @param smartClient whether our jar lies among them
 * @param mainClass has the {@code main} method
 * @param arguments of the main class
 */
public record ClientProgram(
        String name,
        Jdk jdk,
        List<String> jvmOptions,
        List<Path> libraries,
        SmartClientJar smartClient,
        Map<String, String> properties,
        String mainClass,
        List<String> arguments) {
    public ClientProgram {
        jvmOptions = List.copyOf(jvmOptions);
        libraries = List.copyOf(libraries);
        properties = Map.copyOf(properties);
        arguments = List.copyOf(arguments);
    }

    /** Whether somebody put our jar where the program finds it. */
    public enum SmartClientJar {
        PRESENT,
        MISSING
    }

    /** What the program has beside its own libraries. */
    List<Path> jarsOfOurs(StockHadoop hadoop) {
        return Stream.of(hadoop.smartClient())
                .filter(unused -> smartClient == SmartClientJar.PRESENT)
                .toList();
    }
}
