/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Commands that start an {@link Idler}. */
public final class Idlers {
    private Idlers() {}

    public static ProcessBuilder runningForever() {
        return command(Idler.class);
    }

    public static ProcessBuilder endingWith(int exitCode) {
        return command(Idler.class, String.valueOf(exitCode));
    }

    public static ProcessBuilder command(Class<?> mainClass, String... arguments) {
        List<Path> classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        return new JavaCommand(
                        Jdk.ofThisJvm(),
                        List.of(),
                        List.of("-Xshare:auto"),
                        classPath,
                        mainClass.getName(),
                        List.of(arguments))
                .toProcessBuilder();
    }
}
