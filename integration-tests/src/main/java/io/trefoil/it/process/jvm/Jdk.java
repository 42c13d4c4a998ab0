/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Java installation on this machine.
 *
 * @param home its {@code JAVA_HOME}
 * @param feature its feature version: 8, 11, 17
 */
public record Jdk(Path home, int feature) {
    private static final Pattern VERSION = Pattern.compile("^JAVA_VERSION=\"(?:1\\.)?(\\d+)", Pattern.MULTILINE);

    /** The options that Hadoop 3.4 needs on Java 17; the start scripts of Hadoop 3.5 open the same packages. */
    private static final List<String> OPENED_PACKAGES = List.of(
            "java.lang",
            "java.lang.reflect",
            "java.util",
            "java.util.concurrent",
            "java.net",
            "java.io",
            "java.nio",
            "java.text",
            "sun.nio.ch",
            "sun.security.util",
            "sun.security.x509");

    private static final int FIRST_WITH_MODULES = 9;

    /** Returns the JDK that runs this code. */
    public static Jdk ofThisJvm() {
        return new Jdk(
                Path.of(System.getProperty("java.home")), Runtime.version().feature());
    }

    /**
     * Returns the JDK in a directory.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Jdk at(Path home) {
        try {
            Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
            if (!version.find() || !Files.isExecutable(home.resolve("bin/java"))) {
                throw new IllegalArgumentException("no Java in " + home);
            }
            return new Jdk(home, Integer.parseInt(version.group(1)));
        } catch (IOException e) {
            throw new UncheckedIOException("no Java in " + home, e);
        }
    }

    /** Returns the JDK whose home a system property names; without the property, the one that runs this code. */
    public static Jdk fromSystemProperty(String key) {
        String home = System.getProperty(key, "");
        return home.isEmpty() ? ofThisJvm() : at(Path.of(home));
    }

    /** Returns the {@code java} launcher. */
    public Path java() {
        return home.resolve("bin/java");
    }

    /** The JVM options that Hadoop needs to run on this JDK. */
    public List<String> openPackages() {
        return feature < FIRST_WITH_MODULES
                ? List.of()
                : OPENED_PACKAGES.stream()
                        .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
                        .toList();
    }
}
