/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import static java.util.stream.Collectors.joining;

import io.trefoil.it.cluster.host.ClassArchive;
import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.cluster.host.SiteFiles;
import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.cluster.host.WorkDirectory;
import io.trefoil.it.process.ServerLog;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.ExitWithParent;
import io.trefoil.it.process.jvm.JavaCommand;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Builds the process of a server from its main class: writes the configuration, and assembles class path and JVM options. */
public final class Launcher {
    /** The common JVM options, for a machine with few cores and many JVMs: they favour a quick start over peak speed. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            // Its file in the machine's temporary directory would survive a kill -9.
            "-XX:-UsePerfData",
            "-Djava.net.preferIPv4Stack=true");

    private static final Path KEEPER =
            Path.of("../bin/namenode-keeper").toAbsolutePath().normalize();

    private static final Duration TOOL_LIMIT = Duration.ofMinutes(3);

    private final Jdk jdk;
    private final StockHadoop hadoop;
    private final Network network;
    private final HostCpus hostCpus;
    private final WorkDirectory directory;
    private final Optional<ClassArchive> archive;
    private final List<String> moreJvmOptions;
    private final Map<String, String> commandEnvironment;

    /** The software that is installed on hosts in place of {@code jdk}, {@code hadoop} and {@code archive}, by server. */
    private final Map<String, Installation> exchanged = new ConcurrentHashMap<>();

    private record Installation(Jdk jdk, StockHadoop hadoop, Optional<ClassArchive> archive) {}

    /**
     * @param archive of the classes of {@code hadoop}, for JVMs of this JDK
     * @param moreJvmOptions of every process; they override the common ones
     * @param commandEnvironment of every command that does not get one of its own
     */
    public Launcher(
            Jdk jdk,
            StockHadoop hadoop,
            Network network,
            HostCpus hostCpus,
            WorkDirectory directory,
            Optional<ClassArchive> archive,
            List<String> moreJvmOptions,
            Map<String, String> commandEnvironment) {
        this.jdk = jdk;
        this.hadoop = hadoop;
        this.network = network;
        this.hostCpus = hostCpus;
        this.directory = directory;
        this.archive = archive;
        this.moreJvmOptions = List.copyOf(moreJvmOptions);
        this.commandEnvironment = Map.copyOf(commandEnvironment);
    }

    public Path logOf(String server) {
        return directory.logs().resolve(server + ".log");
    }

    /** The file for a server's output; normally, only a crash of the JVM prints something. */
    public Path consoleOf(String server) {
        return directory.logs().resolve(server + ".out");
    }

    /** Makes a server, and commands on its host, run another Hadoop, or other versions of our jars, from their next start on. */
    public void install(String server, StockHadoop other) {
        Optional<ClassArchive> made = archive.map(unused -> ClassArchive.of(other.jars(), directory.classLists("hdfs")))
                .filter(one -> !one.isMissing());
        exchanged.put(server, new Installation(installed(server).jdk(), other, made));
    }

    /** Makes a server, and commands on its host, run on another Java from their next start on. */
    public void install(String server, Jdk other) {
        // An archive of classes is of one version of Java.
        Optional<ClassArchive> usable = other.equals(jdk) ? archive : Optional.empty();
        exchanged.put(server, new Installation(other, installed(server).hadoop(), usable));
    }

    private Installation installed(String server) {
        return exchanged.getOrDefault(server, new Installation(jdk, hadoop, archive));
    }

    /** Writes the configuration of a server. */
    void configure(String server, Map<String, String> properties) {
        SiteFiles.write(directory.configuration(server), network.translate(properties), logOf(server));
    }

    /** A launcher for a program on a client host, with other libraries. */
    public Launcher forProgram(ClientProgram program) {
        return new Launcher(
                program.jdk(),
                hadoop.withLibraries(program.libraries(), program.jarsOfOurs(hadoop)),
                network,
                hostCpus,
                directory,
                Optional.empty(),
                moreJvmOptions,
                commandEnvironment);
    }

    /**
     * A builder for one run of a server.
     *
     * @param jvmOptions added to the common ones, which they override
     */
    public ProcessBuilder server(
            String server,
            String mainClass,
            Map<String, String> properties,
            List<String> jvmOptions,
            List<String> arguments,
            Map<String, String> environment) {
        SiteFiles.write(directory.configuration(server), network.translate(properties), logOf(server));
        ProcessBuilder builder = java(server, mainClass, jvmOptions, arguments);
        builder.environment().putAll(environment);
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(consoleOf(server).toFile()));
        return builder;
    }

    /**
     * A builder for one run of a NameNode's keeper, which runs the NameNode, or its pool node in its place.
     *
     * @param nameNode for a run of the NameNode
     * @param arguments of the pool node
     */
    ProcessBuilder withKeeper(ProcessBuilder nameNode, String server, String poolNodeClass, List<String> arguments) {
        List<String> line = new ArrayList<>(nameNode.command());
        int java = line.indexOf(installed(server).jdk().java().toString());
        List<String> poolNode =
                java(server, poolNodeClass, List.of(), arguments).command();
        nameNode.environment().put("TREFOIL_JAVA", line.set(java, KEEPER.toString()));
        // The keeper is on the server's host already, so its children need no prefix.
        nameNode.environment()
                .put(
                        "TREFOIL_POOL_NODE_COMMAND",
                        poolNode.subList(java, poolNode.size()).stream()
                                .map(word -> "'" + word + "'")
                                .collect(joining(" ")));
        nameNode.environment().put("TMPDIR", directory.temporary(server).toString());
        return nameNode.command(line);
    }

    /**
     * Runs a command to completion, on a server's host and with its configuration.
     *
     * @param logName names the log file, so that the command does not write into the server's own
     * @param shellInput the command's standard input
     */
    public ToolResult tool(
            String server,
            String logName,
            String mainClass,
            Map<String, String> properties,
            String shellInput,
            List<String> arguments) {
        return tool(server, logName, mainClass, properties, Map.of(), shellInput, arguments);
    }

    /** Like the other {@code tool}, with more environment variables. */
    public ToolResult tool(
            String server,
            String logName,
            String mainClass,
            Map<String, String> properties,
            Map<String, String> environment,
            String shellInput,
            List<String> arguments) {
        SiteFiles.write(directory.configuration(server), network.translate(properties), logOf(server));
        List<String> options = List.of(
                "-Dlog4j.configuration=" + toolLogging(logName), "-D" + ExitWithParent.INPUT + "=" + shellInput);
        ProcessBuilder builder = java(server, mainClass, options, arguments);
        builder.environment().putAll(environment.isEmpty() ? commandEnvironment : environment);
        builder.redirectErrorStream(true);
        ServerLog log = new ServerLog(logOf(logName));
        long before = log.end();
        String command = mainClass + " " + String.join(" ", arguments);
        try {
            Path output = Files.createTempFile(directory.scratch(), logName, ".out");
            builder.redirectOutput(output.toFile());
            Process process = builder.start();
            if (!process.waitFor(TOOL_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("still running after " + TOOL_LIMIT + ": " + command + "\n"
                        + Files.readString(output) + "\n" + log.tail(20));
            }
            String printed = Files.readString(output);
            // Commands of daemons print little; the cause of a failure is in their log.
            String logged = process.exitValue() == 0 ? "" : log.textSince(before);
            return new ToolResult(command, process.exitValue(), printed + logged);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }

    private String toolLogging(String logName) {
        Path configuration = directory.configuration(logName);
        SiteFiles.write(configuration, Map.of(), logOf(logName));
        return configuration.resolve("log4j.properties").toUri().toString();
    }

    /** Writes the configuration of a client host, and into the directory {@code bin} in it the command {@code hdfs} with that configuration. */
    public Path writeCommands(String client, Map<String, String> properties) {
        configure(client, properties);
        HdfsScript.write(
                directory.configuration(client + "/bin"),
                command(client, "", List.of(), List.of()).jvm());
        return directory.configuration(client);
    }

    private ProcessBuilder java(String server, String mainClass, List<String> jvmOptions, List<String> arguments) {
        ProcessBuilder builder =
                command(server, mainClass, jvmOptions, arguments).toProcessBuilder();
        builder.directory(directory.root().toFile());
        // No settings of a Hadoop installed on this machine may get in.
        builder.environment()
                .keySet()
                .removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("HDFS_") || key.startsWith("YARN_"));
        // Containers are started with it.
        builder.environment().put("JAVA_HOME", installed(server).jdk().home().toString());
        return builder;
    }

    private JavaCommand command(String server, String mainClass, List<String> jvmOptions, List<String> arguments) {
        Path configuration = directory.configuration(server);
        Installation installed = installed(server);
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.addAll(moreJvmOptions);
        options.addAll(installed.jdk().openPackages());
        installed.archive().ifPresent(classes -> options.addAll(classes.options(server)));
        options.add("-Dlog4j.configuration="
                + configuration.resolve("log4j.properties").toUri());
        // What a killed server leaves behind is deleted with the cluster.
        options.add("-Djava.io.tmpdir=" + directory.temporary(server));
        options.addAll(jvmOptions);
        List<Path> classPath = installed.hadoop().classPathWith(List.of(configuration, directory.leash()));
        List<String> prefix = new ArrayList<>(hostCpus.commandPrefix(server));
        prefix.addAll(network.commandPrefix(server));
        return new JavaCommand(installed.jdk(), prefix, options, classPath, mainClass, arguments);
    }
}
