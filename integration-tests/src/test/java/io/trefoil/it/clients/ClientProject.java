/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static java.nio.file.Files.readString;

import io.trefoil.it.process.ToolResult;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A project in {@code clients}, like that of a developer who writes a program for Spark, for example. Maven builds it
 * when the first test asks, and downloads its libraries if this machine does not have them.
 */
public final class ClientProject {
    private static final String TARGET = "target";

    /** By tests of this JVM. */
    private static final Set<Path> BUILT = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final String target;
    private final List<String> properties;

    private ClientProject(Path directory, String target, List<String> properties) {
        this.directory = directory;
        this.target = target;
        this.properties = List.copyOf(properties);
    }

    public static ClientProject of(String name) {
        return new ClientProject(Path.of(requiredProperty("trefoil.it.clients.directory"), name), TARGET, List.of());
    }

    /** The same project with the libraries of another release of Hadoop, in a directory of its own. */
    public ClientProject withHadoopRelease(String release) {
        return with("hadoop.client.version", release, "hadoop-" + release);
    }

    /** The same project for another version of the program that it is named after, in a directory of its own. */
    ClientProject withProgramVersion(String version) {
        return with("client.version", version, version);
    }

    private ClientProject with(String property, String value, String subdirectory) {
        String own = TARGET + "/" + subdirectory;
        return new ClientProject(directory, own, List.of("-D" + property + "=" + value, "-Dclient.target=" + own));
    }

    /** Its own classes. */
    public Path classes() throws IOException {
        build();
        return directory.resolve(target).resolve("classes");
    }

    /** Its libraries, and its own classes if it has any. */
    public List<Path> classPath() {
        try {
            build();
            List<Path> all = new ArrayList<>();
            all.add(directory.resolve(target).resolve("classes"));
            Stream.of(readString(directory.resolve(target).resolve("classpath"))
                            .trim()
                            .split(File.pathSeparator))
                    .map(Path::of)
                    .forEach(all::add);
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("no class path of " + directory, e);
        }
    }

    /** Tests in several JVMs may build it at the same time. */
    private void build() throws IOException {
        if (BUILT.contains(directory.resolve(target))) {
            return;
        }
        Path turn = Files.createDirectories(directory.resolve(target)).resolve("build.lock");
        try (FileChannel channel = FileChannel.open(turn, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            runMaven().expectSuccess();
        }
        BUILT.add(directory.resolve(target));
    }

    private ToolResult runMaven() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                requiredProperty("trefoil.it.maven"), "-B", "-ntp", "-q", "-f", directory.toString(), "compile"));
        command.addAll(properties);
        // Its libraries are here after the first build; asking a repository again would make tests depend on it.
        ToolResult offline =
                run(Stream.concat(command.stream(), Stream.of("-o")).toList());
        return offline.exitCode() == 0 ? offline : run(command);
    }

    private static ToolResult run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            return new ToolResult(String.join(" ", command), process.waitFor(), output);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while building a client", e);
        }
    }

    private static String requiredProperty(String key) {
        String value = System.getProperty(key);
        if (value == null) {
            throw new IllegalStateException("system property " + key + " is not set; the Maven build sets it");
        }
        return value;
    }
}
