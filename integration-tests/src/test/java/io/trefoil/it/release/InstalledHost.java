/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.Network;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A host as it is before the operators' pages are typed on it: with its own name and address, its own {@code /etc}, {@code /opt}, {@code
 * /data}, {@code /var} and users, a Hadoop that was just unpacked, and with the programs of this machine. Needs root.
 */
final class InstalledHost implements AutoCloseable {
    private static final long LIMIT_SECONDS = 180;

    private static final String JVM =
            "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Djava.net.preferIPv4Stack=true";

    private static final String USERS =
            """
            hdfs:x:64055:64056:HDFS:/var/lib/hdfs:/bin/bash
            alice:x:64057:64057:a user:/tmp:/bin/bash
            """;

    private static final String GROUPS = """
            hadoop:x:64056:hdfs
            alice:x:64057:
            """;

    /** Lives as long as this JVM; whatever enters its namespaces is on the host. */
    private static final String HOLD =
            """
            set -e
            hostname "$2"
            mount --bind "$1" "$1"
            cd "$1"
            for top in usr dev proc sys; do mount --rbind /$top $top; done
            mkdir -p ."$3" && mount --bind "$3" ."$3"
            mount --bind programs usr/local/sbin
            exec chroot . /bin/bash -c 'touch /run/ready; exec cat'
            """;

    private final String name;
    private final Path root;
    private final Map<String, String> names;
    private final Process holder;
    private final Map<String, SimulatedService> services = new TreeMap<>();

    /**
     * @param network which the host has joined by its short name
     * @param hosts the file {@code /etc/hosts}
     * @param names what a reader of the pages replaces by what is true here
     */
    InstalledHost(String name, Network network, Path root, String hosts, Map<String, String> names) throws IOException {
        this.name = name;
        this.root = root;
        this.names = names;
        create(hosts);
        List<String> words = new ArrayList<>(network.commandPrefix(name));
        words.addAll(List.of("unshare", "--mount", "--uts", "--propagation", "private", "bash", "-c", HOLD, name));
        words.addAll(List.of(
                root.toString(), name + ".example.com", Distribution.jars().toString()));
        Path output = root.resolve("holder.out");
        holder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        Await.until(name + " is up", Await.TIMEOUT, () -> Files.exists(root.resolve("run/ready")), () -> read(output));
    }

    private void create(String hosts) throws IOException {
        for (String directory : List.of(
                "usr",
                "dev",
                "proc",
                "sys",
                "programs",
                "run",
                "tmp",
                "root",
                "opt",
                "data",
                "var/log",
                "var/lib/hdfs")) {
            Files.createDirectories(root.resolve(directory));
        }
        for (String link : List.of("bin", "sbin", "lib", "lib32", "lib64")) {
            if (Files.isSymbolicLink(Path.of("/" + link))) {
                Files.createSymbolicLink(root.resolve(link), Files.readSymbolicLink(Path.of("/" + link)));
            }
        }
        runMachine("cp", "-a", "/etc", root.toString());
        runMachine("chmod", "1777", root.resolve("tmp").toString());
        runMachine("chown", "64055:64056", root.resolve("var/lib/hdfs").toString());
        append("etc/passwd", USERS);
        append("etc/group", GROUPS);
        Files.writeString(root.resolve("etc/hosts"), hosts);
        Files.createDirectories(root.resolve("etc/systemd/system"));
        Files.createDirectories(root.resolve("etc/sudoers.d"));
        for (String program : List.of("ssh", "sudo", "systemctl")) {
            Files.copy(
                    Path.of("src/test/resources/host", program),
                    root.resolve("programs").resolve(program),
                    StandardCopyOption.COPY_ATTRIBUTES);
        }
        Distribution.copyInto(root.resolve("opt/hadoop"));
        append("opt/hadoop/etc/hadoop/hadoop-env.sh", "export HADOOP_OPTS=\"$HADOOP_OPTS " + JVM + "\"\n");
    }

    private void append(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.writeString(path, Files.readString(path) + text);
    }

    private static String read(Path output) {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static void runMachine(String... arguments) throws IOException {
        try {
            Process process = new ProcessBuilder(arguments).inheritIO().start();
            assertThat(process.waitFor()).as(String.join(" ", arguments)).isZero();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    String name() {
        return name;
    }

    /** A line that says by which process to get there. */
    String processPrefix() {
        return name + ".example.com " + holder.pid() + "\n";
    }

    /** A file or directory of the host, as this JVM calls it. */
    Path path(String onHost) {
        return root.resolve(onHost.substring(1));
    }

    /** Runs a command of a page to its end, as root in a login shell. */
    ToolResult runTyped(String commandLine) throws IOException, InterruptedException {
        String command = translate(commandLine);
        if (command.startsWith("systemctl ")) {
            return systemctl(command);
        }
        Path output = Files.createTempFile(root, "typed", ".out");
        Process process = shell(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError(name + ": still running: " + command + "\n" + read(output));
        }
        return new ToolResult(name + "$ " + command, process.exitValue(), read(output));
    }

    private ToolResult systemctl(String command) throws IOException {
        String[] arguments = command.split(" ");
        String unit = arguments[arguments.length - 1];
        boolean isDone = true;
        switch (String.join(" ", List.of(arguments).subList(1, arguments.length - 1))) {
            case "" -> assertThat(unit).isEqualTo("daemon-reload");
            case "start", "enable --now" -> isDone = start(unit);
            case "stop", "disable --now" -> stop(unit);
            case "restart" -> {
                stop(unit);
                isDone = start(unit);
            }
            case "kill -s KILL" -> services.get(unit).kill();
            default -> throw new AssertionError("What does systemd do? " + command);
        }
        return new ToolResult(
                name + "$ " + command,
                isDone ? 0 : 1,
                isDone ? "" : services.get(unit).tail());
    }

    private boolean start(String unit) throws IOException {
        UnitFile wanted = unitFile(unit);
        for (Map.Entry<String, SimulatedService> other : Map.copyOf(services).entrySet()) {
            boolean isExcluded = wanted.words("Conflicts").contains(other.getKey() + ".service")
                    || other.getValue().unit().words("Conflicts").contains(unit + ".service");
            if (isExcluded) {
                stop(other.getKey());
            }
        }
        SimulatedService service = services.get(unit);
        if (service == null) {
            service = SimulatedService.of(unit, wanted, this::enter, root, "");
            services.put(unit, service);
        }
        return service.start();
    }

    private void stop(String unit) {
        if (services.containsKey(unit)) {
            services.get(unit).stop();
            services.remove(unit);
        }
    }

    private UnitFile unitFile(String unit) throws IOException {
        Path file = root.resolve("etc/systemd/system").resolve(unit + ".service");
        assertThat(file).isRegularFile();
        return UnitFile.of(Files.readString(file));
    }

    /** Makes a service of a command that no page covers, and starts it. */
    void startService(String service, String command) throws IOException {
        Files.writeString(
                root.resolve("etc/systemd/system").resolve(service + ".service"),
                "[Service]\nExecStart=" + command + "\n");
        assertThat(start(service)).as(() -> services.get(service).tail()).isTrue();
    }

    private ProcessBuilder shell(String command) {
        return enter("cd /root; exec env -i HOME=/root USER=root LOGNAME=root TERM=dumb LANG=C.UTF-8 bash -lc " + "'"
                + command.replace("'", "'\\''") + "'");
    }

    /** Runs a script on the host as root, in a shell that has no environment of a login. */
    private ProcessBuilder enter(String script) {
        return new ProcessBuilder(
                "nsenter",
                "--target",
                Long.toString(holder.pid()),
                "--mount",
                "--uts",
                "--net",
                "--root",
                "--wd",
                "bash",
                "-c",
                script);
    }

    private String translate(String text) {
        String here = text;
        for (Map.Entry<String, String> one : names.entrySet()) {
            here = here.replace(one.getKey(), one.getValue());
        }
        return here;
    }

    /** What our code said to alarm an operator, in all lives of all services. */
    List<String> alarms(LogAlarms alarms) throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> outputs = Files.newDirectoryStream(root, "*.out")) {
            for (Path output : outputs) {
                for (String line : alarms.find(Files.readString(output))) {
                    found.add(name + "/" + output.getFileName() + ": " + line);
                }
            }
        }
        return found;
    }

    String logs() {
        StringBuilder text = new StringBuilder();
        for (SimulatedService service : List.copyOf(services.values())) {
            text.append(service.tail());
        }
        return text.toString();
    }

    @Override
    public void close() {
        services.values().forEach(SimulatedService::close);
        holder.destroyForcibly();
        Await.until(name + " is gone", Await.TIMEOUT, () -> !holder.isAlive(), () -> "");
    }
}
