/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A container of {@code compose.yaml}, as far as the entry point can tell: a host with its own name and address, which
 * finds the others by name, and with its own directories beside those of the image. Needs root.
 */
final class Container implements AutoCloseable {
    private static final long LIMIT_SECONDS = 180;

    private static final String JVM =
            "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Djava.net.preferIPv4Stack=true";

    /** What a container engine does before it runs the entry point. */
    private static final String ENGINE_SETUP = "mount --bind '%s' /etc/hosts; hostname '%s'; cd '%s'; ";

    private final String name;
    private final List<String> prefix;
    private final Path image;
    private final Path root;
    private final Map<String, String> environment;
    private final Path hosts;
    private SimulatedService service;

    /**
     * @param image with {@code opt/hadoop} and {@code opt/trefoil}
     * @param root for the container's own files
     * @param hosts the file that is mounted as {@code /etc/hosts}
     * @param environment what the engine sets
     */
    Container(String name, Network network, Path image, Path root, Path hosts, Map<String, String> environment)
            throws IOException {
        this.name = name;
        this.prefix = network.commandPrefix(name);
        this.image = image;
        this.root = root;
        this.hosts = hosts;
        this.environment = environment;
        Files.createDirectories(conf());
        Files.createDirectories(root.resolve("run"));
    }

    /** The configuration directory; files put here stand for those of a mounted volume. */
    Path conf() {
        return root.resolve("etc/trefoil");
    }

    Path root() {
        return root;
    }

    /** Runs the entry point as a server, which is restarted when it ends. */
    void start(String arguments) throws IOException {
        UnitFile unit = UnitFile.of(
                "ExecStart=" + entryPoint(arguments),
                "Restart=always",
                "PassEnvironment=" + String.join(" ", inside("").environment().keySet()));
        service = SimulatedService.of(name, unit, this::inside, root, root.toString());
        service.start();
    }

    /** Runs the entry point in this container to its end, beside a server that runs there. */
    ToolResult run(String arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(root, "run", ".out");
        Process process = inside("exec " + entryPoint(arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running: " + arguments + "\n" + Files.readString(output));
        }
        return new ToolResult(
                name + ": entrypoint " + arguments,
                process.exitValue(),
                Files.readString(output, StandardCharsets.UTF_8));
    }

    /** Runs the entry point, and kills it with all that it has started when it has said something. */
    void kill(String arguments, String said) throws IOException {
        Path output = Files.createTempFile(root, "killed", ".out");
        Process process = inside("exec " + entryPoint(arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Await.until(
                name + " says " + said,
                Duration.ofSeconds(LIMIT_SECONDS),
                () -> Files.readString(output).contains(said),
                output::toString);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Await.until("it has ended", Duration.ofSeconds(LIMIT_SECONDS), () -> !process.isAlive(), output::toString);
    }

    private String entryPoint(String arguments) {
        return image.resolve("opt/trefoil/containers/bin/entrypoint") + " " + arguments;
    }

    private ProcessBuilder inside(String script) {
        List<String> words = new ArrayList<>(prefix);
        // Its own mount table and host name: the first commands of the script must not change the machine's.
        words.addAll(List.of(
                "unshare", "--mount", "--uts", "bash", "-c", ENGINE_SETUP.formatted(hosts, name, root) + script));
        ProcessBuilder builder = new ProcessBuilder(words);
        Map<String, String> variables = builder.environment();
        variables
                .keySet()
                .removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("HDFS_") || key.startsWith("TREFOIL_"));
        Path hadoop = image.resolve("opt/hadoop");
        variables.merge("PATH", hadoop.resolve("bin") + ":", (path, bin) -> bin + path);
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        variables.put("HADOOP_HOME", hadoop.toString());
        variables.put("TREFOIL_HOME", image.resolve("opt/trefoil").toString());
        variables.put("HADOOP_CONF_DIR", root.resolve("etc/hadoop/conf").toString());
        variables.put("HADOOP_LOG_DIR", root.resolve("logs").toString());
        // In a container the default, /tmp, is its own.
        variables.put("HADOOP_PID_DIR", root.resolve("pids").toString());
        variables.put(
                "HADOOP_OPTS", JVM + " " + String.join(" ", Jdk.ofThisJvm().openPackages()));
        variables.put("TREFOIL_CONF", conf().toString());
        variables.put("TREFOIL_RUN", root.resolve("run").toString());
        // A container has its own; what others leave in that of the machine is not about it.
        variables.put("TMPDIR", root.resolve("run").toString());
        variables.putAll(environment);
        return builder;
    }

    /** Everything that the server printed. */
    String output() throws IOException {
        return Files.readString(root.resolve(name + ".out"), StandardCharsets.UTF_8);
    }

    String tail() {
        return service == null ? "" : service.tail();
    }

    @Override
    public void close() {
        if (service != null) {
            service.close();
        }
    }
}
