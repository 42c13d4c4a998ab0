/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Checks whether the JVM allows Hadoop the reflective access to JDK packages that it needs. */
final class JavaCheck implements Check {
    /** The packages to open, as in {@code conf/java-17-env.sh}. */
    private static final List<String> NEEDED = Arrays.asList(
            "java.lang",
            "java.lang.reflect",
            "java.util",
            "java.util.concurrent",
            "java.net",
            "java.io",
            "java.nio",
            "java.text",
            "sun.nio.ch");

    private final String version;
    private final Predicate<String> isOpen;

    /**
     * @param version of Java, as {@code 17}
     * @param isOpen whether a package of the JDK is open to all
     */
    JavaCheck(String version, Predicate<String> isOpen) {
        this.version = version;
        this.isOpen = isOpen;
    }

    static JavaCheck ofThisJvm() {
        return new JavaCheck(System.getProperty("java.specification.version"), JavaCheck::isOpen);
    }

    /** Whether a package is open, found by reflection: Java 8 has no modules, so that everything is open. */
    private static boolean isOpen(String name) {
        try {
            Object base = Class.class.getMethod("getModule").invoke(Object.class);
            Object own = Class.class.getMethod("getModule").invoke(JavaCheck.class);
            return (Boolean) base.getClass()
                    .getMethod("isOpen", String.class, own.getClass())
                    .invoke(base, name, own);
        } catch (ReflectiveOperationException e) {
            return true;
        }
    }

    @Override
    public String name() {
        return "java";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        List<String> closed = NEEDED.stream().filter(name -> !isOpen.test(name)).collect(Collectors.toList());
        // Older ones open everything to all code that asks.
        boolean isStrict = !version.contains(".") && Integer.parseInt(version) > 16;
        if (closed.isEmpty() || !isStrict) {
            return Collections.singletonList(PreflightFinding.ok("Java " + version + " opens to Hadoop what it needs"));
        }
        return Collections.singletonList(PreflightFinding.note(
                "Java " + version + " does not open " + String.join(", ", closed)
                        + " to Hadoop: a NameNode starts, and what needs them fails later, with"
                        + " InaccessibleObjectException",
                "append conf/java-17-env.sh of the release to hadoop-env.sh, unless HDFS_NAMENODE_OPTS has these"
                        + " --add-opens"));
    }
}
