/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line that runs a main class in a separate JVM, on a leash.
 *
 * @param jdk runs it
 * @param prefix a program and arguments that run the JVM in another environment (a network namespace); usually empty
 * @param jvmOptions options of the JVM; of two that conflict, the later one wins
 * @param classPath searched from first to last; {@link ExitWithParent} must be on it
 * @param mainClass full name of the class to run
 * @param arguments arguments of the main class
 */
public record JavaCommand(
        Jdk jdk,
        List<String> prefix,
        List<String> jvmOptions,
        List<Path> classPath,
        String mainClass,
        List<String> arguments) {
    public JavaCommand {
        prefix = List.copyOf(prefix);
        jvmOptions = List.copyOf(jvmOptions);
        classPath = List.copyOf(classPath);
        arguments = List.copyOf(arguments);
    }

    /** A process builder with the whole command line; the caller sets streams and directory. */
    public ProcessBuilder toProcessBuilder() {
        List<String> line = jvm();
        line.add(ExitWithParent.class.getName());
        line.add(mainClass);
        line.addAll(arguments);
        return new ProcessBuilder(line);
    }

    /** The beginning of the command line, without leash and main class: for programs that exit on their own. */
    public List<String> jvm() {
        List<String> line = new ArrayList<>(prefix);
        line.add(jdk.java().toString());
        line.addAll(jvmOptions);
        line.add("-cp");
        line.add(classPath.stream().map(Path::toString).collect(joining(File.pathSeparator)));
        return line;
    }
}
