/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.process.jvm.Jdk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program that uses HDFS through its own libraries, like every program outside Hadoop.
 *
 * @param name unique in its cluster
 * @param jdk runs it
 * @param jvmOptions added to the common ones, which they override
 * @param libraries its whole class path; nothing of the cluster's Hadoop is added
 * @param properties added to those of the cluster's clients, which they override
 * @param smartClient whether our jar is among the libraries
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

    /** Whether our jar is in a place where the program finds it. */
    public enum SmartClientJar {
        PRESENT,
        MISSING
    }

    /** The jars that the program has in addition to its own libraries. */
    List<Path> jarsOfOurs(StockHadoop hadoop) {
        return smartClient == SmartClientJar.PRESENT ? hadoop.clientJars() : List.of();
    }
}
