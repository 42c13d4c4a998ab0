/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.diagnose;

import io.trefoil.tools.cluster.HostFacts;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.cluster.NameNodes;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil diagnose}: writes everything that an issue report needs into one archive. */
@Command(
        name = "diagnose",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Writes one archive for an issue: status, view, history, the pool's status, preflight with the linkage, settings, the newest"
                    + " lines of this host's logs, versions and disks. It takes a minute at most, also if nothing answers.",
            "Values of settings that may be secrets are hidden, wherever they occur; files are listed, not read, but for logs. Look"
                    + " into the archive before you send it: it has names of hosts, users and paths. Changes nothing else."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the archive is written", "1:it could not be written", "2:the command line is wrong"},
        footer = {"", "Examples:", "  hdfs trefoil diagnose", "  hdfs trefoil diagnose --to /tmp/nn1.zip"})
public final class DiagnoseCommand implements Callable<Integer> {
    private static final Duration TIME = Duration.ofSeconds(50);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final String[] BEANS = {
        "Hadoop:service=NameNode,name=Trefoil*",
        "Hadoop:service=NameNode,name=StartupProgress",
        "Hadoop:service=NameNode,name=NameNodeStatus",
        "Hadoop:service=NameNode,name=JvmMetrics"
    };

    private final Installation installation;
    private final Commands commands;
    private final Duration time;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--to",
            paramLabel = "FILE",
            description = "The archive, a ZIP file; trefoil-diagnose-HOST-TIME.zip in this directory if not given.")
    private Path to;

    /** Runs other commands. */
    public interface Commands {
        /** Runs a command; returns all of its output, and its exit code. */
        String output(String... arguments);
    }

    public DiagnoseCommand(Installation installation, Commands commands) {
        this(installation, commands, TIME);
    }

    /** @param time after that, what is not there is left out */
    DiagnoseCommand(Installation installation, Commands commands, Duration time) {
        this.installation = installation;
        this.commands = commands;
        this.time = time;
    }

    @Override
    public Integer call() throws IOException {
        String host = hostName();
        String now = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss")
                .withZone(ZoneOffset.UTC)
                .format(Instant.now());
        Path archive = to == null ? Paths.get("") : to;
        if (to == null) {
            archive = archive.resolve("trefoil-diagnose-" + host + "-" + now + ".zip");
        }
        if (Files.isDirectory(archive)) {
            throw new ParameterException(spec.commandLine(), "--to is a file, got the directory " + archive);
        }
        Path directory = archive.toAbsolutePath().getParent();
        if (!Files.isWritable(directory)) {
            throw new ParameterException(
                    spec.commandLine(), "--to must be in a directory that can be written to, got " + directory);
        }
        PrintWriter err = spec.commandLine().getErr();
        err.println("Collecting for " + time.toMillis() / 1_000 + " s at most");
        HostFacts facts = installation.hostFacts();
        Map<String, String> settings = facts.settings();
        SecretRedactor secrets = new SecretRedactor(settings, facts::isSensitive);
        ParallelCollector collected = ParallelCollector.collect(time, sources(facts, settings, secrets));
        collected.write(
                archive,
                secrets,
                "Made by 'hdfs trefoil diagnose' on " + host + " at " + Instant.now()
                        + ". Secrets are hidden; hosts, users and paths are not.\n\n");
        PrintWriter out = spec.commandLine().getOut();
        out.print(collected.index());
        out.println(
                "Written to " + archive + "; look into it before you send it: it has names of hosts, users and paths");
        return ExitCode.FINE;
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown-host";
        }
    }

    private Map<String, Callable<String>> sources(
            HostFacts facts, Map<String, String> settings, SecretRedactor secrets) {
        Map<String, Callable<String>> sources = new LinkedHashMap<>();
        sources.put("status.txt", () -> commands.output("status"));
        sources.put("status.json", () -> commands.output("status", "--json"));
        sources.put("view.txt", () -> commands.output("view"));
        sources.put("history.txt", () -> commands.output("history"));
        sources.put("journal-status.txt", () -> commands.output("journal", "status"));
        sources.put("preflight.txt", () -> commands.output("preflight"));
        sources.put("linkage.txt", () -> commands.output("preflight", "--linkage"));
        sources.put("settings.txt", () -> secrets.redactedSettings(settings));
        sources.put("versions.txt", () -> lines(facts.versions()));
        sources.put("disks.txt", () -> StorageListing.of(facts.storageDirectories()));
        sources.put("metrics.txt", this::metrics);
        for (Path directory : facts.logDirectories()) {
            sources.put(
                    "logs-" + directory.toString().replaceAll("[^A-Za-z0-9.-]+", "_") + ".txt", () -> logs(directory));
        }
        return sources;
    }

    private static String lines(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(values)
                .forEach((name, value) ->
                        text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }

    private static String logs(Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        LogTails.readTails(directory).forEach((name, lines) -> text.append("==> ")
                .append(name)
                .append(" <==\n")
                .append(lines)
                .append('\n'));
        return text.length() == 0 ? "no logs in " + directory + "\n" : text.toString();
    }

    private String metrics() {
        StringBuilder text = new StringBuilder();
        NameNodes nameNodes = installation.nameNodes();
        for (NameNodeGroup group : nameNodes.all()) {
            group.webAddresses().forEach((name, address) -> {
                text.append("==> ").append(name).append(" at ").append(address).append(" <==\n");
                for (String bean : BEANS) {
                    try {
                        text.append(nameNodes.fetchBean(address, bean, TIMEOUT)).append('\n');
                    } catch (IOException e) {
                        text.append(e).append('\n');
                        break;
                    }
                }
            });
        }
        return text.toString();
    }
}
