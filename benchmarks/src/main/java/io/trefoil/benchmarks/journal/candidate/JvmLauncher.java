/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import static java.util.stream.Collectors.joining;

import io.trefoil.it.cluster.host.SiteFiles;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.server.HostCpus;
import io.trefoil.it.process.jvm.ExitWithParent;
import io.trefoil.it.process.jvm.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Starts JVMs, all with the same heap, collector and class path, each with its own configuration and log. */
public final class JvmLauncher {
    public static final List<String> OPTIONS =
            List.of("-Xms512m", "-Xmx512m", "-XX:+UseG1GC", "-Xshare:auto", "-Djava.net.preferIPv4Stack=true");

    private final Path directory;
    private final List<String> moreOptions;

    /** @param directory where configurations and logs go */
    public JvmLauncher(Path directory) {
        this(directory, List.of());
    }

    /** @param moreOptions for all of them */
    public JvmLauncher(Path directory, List<String> moreOptions) {
        this.directory = directory;
        this.moreOptions = List.copyOf(moreOptions);
    }

    /**
     * Starts a server, which ends with this process at the latest.
     *
     * @param hosts whose CPUs it gets
     */
    Process startServer(JvmSpec jvmSpec, HostCpus hosts) throws IOException {
        ProcessBuilder builder = command(jvmSpec, hosts, List.of(ExitWithParent.class.getName(), jvmSpec.mainClass()));
        builder.redirectErrorStream(true);
        return builder.redirectOutput(consolePath(jvmSpec).toFile()).start();
    }

    /** Starts a JVM that the caller controls over its standard input and output. */
    Process startInteractive(JvmSpec jvmSpec, HostCpus hosts) throws IOException {
        ProcessBuilder builder = command(jvmSpec, hosts, List.of(jvmSpec.mainClass()));
        return builder.redirectError(consolePath(jvmSpec).toFile()).start();
    }

    private ProcessBuilder command(JvmSpec jvmSpec, HostCpus hosts, List<String> main) throws IOException {
        Path configuration = Files.createDirectories(directory.resolve("conf").resolve(jvmSpec.name()));
        Path logs = Files.createDirectories(directory.resolve("logs"));
        SiteFiles.write(configuration, jvmSpec.properties(), logs.resolve(jvmSpec.name() + ".log"));
        List<String> command = new ArrayList<>(hosts.commandPrefix(jvmSpec.name()));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(moreOptions);
        command.addAll(Jdk.ofThisJvm().openPackages());
        command.add("-Dlog4j.configuration="
                + configuration.resolve("log4j.properties").toUri());
        command.addAll(
                Arrays.asList(System.getProperty("trefoil.benchmark.jvm", "").split(" ")));
        command.removeIf(String::isEmpty);
        command.add("-cp");
        command.add(classPath(configuration, jvmSpec.libraries()));
        command.addAll(main);
        command.addAll(jvmSpec.arguments());
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        // No settings of a Hadoop installed on this machine may get in.
        builder.environment().keySet().removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("HDFS_"));
        return builder;
    }

    private Path consolePath(JvmSpec jvmSpec) {
        return directory.resolve("logs").resolve(jvmSpec.name() + ".out");
    }

    /** The class path of this process, without relative paths, after the configuration and with Hadoop's web pages. */
    private static String classPath(Path configuration, String libraries) {
        List<String> own = Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
        List<Path> all = new ArrayList<>(List.of(configuration));
        Stream.of(libraries.split(File.pathSeparator))
                .filter(path -> !path.isEmpty())
                .map(Path::of)
                .forEach(all::add);
        own.forEach(path -> all.add(Path.of(path).toAbsolutePath()));
        all.add(StockHadoop.fromSystemProperties().webPages().toAbsolutePath());
        return all.stream().map(Path::toString).collect(joining(File.pathSeparator));
    }
}
