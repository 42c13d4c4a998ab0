/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.ToolResult;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** One of the hosts in {@code install.md}: a folder with its {@code /opt}, {@code /etc} and {@code /data}. */
final class InstalledHost implements AutoCloseable {
    private static final long LIMIT_SECONDS = 120;

    /** Paths of a host that commands, units and configurations name. */
    private static final Pattern PLACE = Pattern.compile("(?<![\\w./-])/(opt|etc|data)\\b");

    private static final String JVM =
            "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto -Djava.net.preferIPv4Stack=true";

    private static final String LOGGING =
            """
            log4j.rootLogger=INFO,console
            log4j.appender.console=org.apache.log4j.ConsoleAppender
            log4j.appender.console.target=System.err
            log4j.appender.console.layout=org.apache.log4j.PatternLayout
            log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p [%t] %c{2}: %m%n
            """;

    private final Path root;
    private final Map<String, String> names;
    private final Map<String, String> ownProperties;
    private final Map<String, Service> services = new TreeMap<>();

    /**
     * A host with a Hadoop that is not configured for anything.
     *
     * @param names replacements for this machine, in commands and in files that are copied to the configuration
     * @param ownProperties what an operator would add to this host's {@code hdfs-site.xml}
     */
    InstalledHost(Path root, Map<String, String> names, Map<String, String> ownProperties) throws IOException {
        this.root = root;
        this.names = names;
        this.ownProperties = ownProperties;
        Distribution.at(root.resolve("opt/hadoop"));
        Files.createDirectories(root.resolve("etc/systemd/system"));
        Files.createDirectories(conf());
        Files.writeString(conf().resolve("log4j.properties"), LOGGING);
        Files.writeString(
                conf().resolve("hadoop-env.sh"),
                "export HADOOP_OPTS=\"$HADOOP_OPTS " + JVM + " "
                        + String.join(" ", Jdk.ofThisJvm().openPackages())
                        + "\"\n"
                        + "export HADOOP_PID_DIR=" + root.resolve("pids") + "\n"
                        + "export HADOOP_IDENT_STRING=hdfs\n"
                        + "export HADOOP_LOG_DIR=" + root.resolve("logs") + "\n"
                        + "export JAVA_HOME=" + System.getProperty("java.home") + "\n");
    }

    private Path conf() {
        return root.resolve("etc/hadoop/conf");
    }

    /** Runs a command of the page to its end. */
    ToolResult type(String command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(root, "typed", ".out");
        ProcessBuilder builder = shell(translate(command));
        Process process = builder.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running: " + command + "\n" + Files.readString(output));
        }
        if (command.startsWith("cp ") && command.endsWith("-site.xml")) {
            edit(root.resolve(command.substring(command.lastIndexOf(" /") + 2)));
        }
        return new ToolResult(command, process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    }

    /** Puts in the names of hosts and disks, as the page says. */
    private void edit(Path file) throws IOException {
        String text = translate(Files.readString(file));
        if (file.endsWith("hdfs-site.xml")) {
            StringBuilder more = new StringBuilder();
            ownProperties.forEach((name, value) ->
                    more.append("<property><name>%s</name><value>%s</value></property>%n".formatted(name, value)));
            text = text.replace("</configuration>", more + "</configuration>");
        }
        Files.writeString(file, text);
    }

    /** Runs the unit of that name as systemd does. */
    Service service(String unit) throws IOException {
        Service known = services.get(unit);
        if (known != null) {
            return known;
        }
        Path file = root.resolve("etc/systemd/system").resolve(unit + ".service");
        assertThat(file).isRegularFile();
        Service service = Service.of(translate(Files.readString(file)), unit, this::shell, root);
        services.put(unit, service);
        return service;
    }

    /** Runs a command that the page does not cover; it is not restarted when it ends. */
    void run(String name, String command) {
        Service service = Service.of("ExecStart=" + translate(command) + "\n", name, this::shell, root);
        services.put(name, service);
        service.start();
    }

    private ProcessBuilder shell(String script) {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", script).directory(root.toFile());
        builder.environment()
                .keySet()
                .removeIf(key -> key.startsWith("HADOOP_") || key.startsWith("HDFS_") || key.startsWith("TREFOIL_"));
        builder.environment().merge("PATH", root.resolve("opt/hadoop/bin") + ":", (path, hdfs) -> hdfs + path);
        builder.environment().put("HADOOP_CONF_DIR", conf().toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    private String translate(String text) {
        String here = PLACE.matcher(text).replaceAll(root + "/$1");
        for (Map.Entry<String, String> name : names.entrySet()) {
            here = here.replace(name.getKey(), name.getValue());
        }
        return here;
    }

    String logs() {
        StringBuilder text = new StringBuilder();
        for (Service service : List.copyOf(services.values())) {
            text.append(service.tail());
        }
        return text.toString();
    }

    @Override
    public void close() {
        services.values().forEach(Service::close);
    }
}
