/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil init}: prepares the hosts of a new nameservice up to the format of its namespace. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Sets hosts up for a new nameservice whose NameNodes keep the journal and fail over by themselves: core-site.xml and"
                    + " hdfs-site.xml, the directories, the units of the services; then checks the host as \"preflight\" does."
                    + " Shows what it would do without --execute.",
            "Formats nothing and starts nothing: docs/operating/install.md says what to type then. A cluster that exists has"
                    + " \"enable\". It may be typed again, with other values, too."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it was shown, or done on all hosts, and \"preflight\" found no problem",
            "1:something failed or is a problem on a host: the output says what to do",
            "2:the command line or a file is wrong; nothing was changed on the host that says so"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil init --nameservice ns1 --namenodes host1,host2,host3 --name-dirs /data/1/nn,/data/2/nn"
                    + " --journal-dir /data/1/ssp --zookeeper zk1,zk2,zk3",
            "  hdfs trefoil init --nameservice ns1 --namenodes host1,host2,host3 --name-dirs /data/1/nn"
                    + " --journal-dir /data/1/ssp --zookeeper zk1,zk2,zk3 --hosts --execute"
        })
public final class InitCommand implements Callable<Integer> {
    private static final String EMPTY =
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration>\n</configuration>\n";
    private static final String NAME = "[a-z_][a-z0-9_-]*";

    private final Map<String, String> environment;
    private final String operator;
    private final Path unitDirectory;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--nameservice",
            paramLabel = "NAME",
            required = true,
            description = "The name of the nameservice, as ns1.")
    private String nameservice;

    @Option(
            names = "--namenodes",
            paramLabel = "HOST[:PORT]",
            required = true,
            split = ",",
            description =
                    "The hosts of the NameNodes, better three than two, which become nn1, nn2 and so on; 8020 is the port for clients if"
                            + " none is given.")
    private List<String> nameNodes = new ArrayList<>();

    @Option(
            names = "--name-dirs",
            paramLabel = "DIR",
            required = true,
            split = ",",
            description = "Where each NameNode keeps its images: one or two directories.")
    private List<String> nameDirectories = new ArrayList<>();

    @Option(
            names = "--journal-dir",
            paramLabel = "DIR",
            required = true,
            description = "Where each NameNode keeps the journal, on a disk that syncs fast.")
    private String journalDirectory;

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST[:PORT]",
            required = true,
            split = ",",
            description = "The servers of ZooKeeper; 2181 is the port if none is given.")
    private List<String> zooKeepers = new ArrayList<>();

    @Option(
            names = "--hosts",
            paramLabel = "HOST",
            arity = "0..1",
            fallbackValue = "",
            description =
                    "Do it on the hosts of all NameNodes, by ssh with the options of HADOOP_SSH_OPTS; more hosts may follow, with"
                            + " commas between, which get the two files alone, as those of DataNodes and clients. Each needs the release, and"
                            + " Hadoop in the same place. Without it, on this host.")
    private String hosts;

    @Option(names = "--files-only", description = "Only the two files, as on the hosts of DataNodes and clients.")
    private boolean filesOnly;

    @Option(
            names = "--user",
            paramLabel = "USER",
            defaultValue = "hdfs",
            description = "The user that runs NameNodes; ${DEFAULT-VALUE} if not given.")
    private String user;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            defaultValue = "hadoop",
            description = "Their group; ${DEFAULT-VALUE} if not given.")
    private String group;

    @Option(
            names = "--execute",
            description = "Do it, instead of only showing what would be done. Needs root, but for --files-only.")
    private boolean execute;

    public InitCommand() {
        this(System.getenv(), System.getProperty("user.name"), Paths.get("/etc/systemd/system"));
    }

    /**
     * A command, with the host on which to run it.
     *
     * @param operator who types it
     * @param unitDirectory where systemd looks for units
     */
    InitCommand(Map<String, String> environment, String operator, Path unitDirectory) {
        this.environment = environment;
        this.operator = operator;
        this.unitDirectory = unitDirectory;
    }

    @Override
    public Integer call() throws IOException {
        NewCluster cluster;
        Path configuration;
        Map<Path, SiteText> files;
        try {
            cluster = new NewCluster(nameservice, nameNodes, nameDirectories, journalDirectory, zooKeepers);
            for (String name : new String[] {user, group}) {
                if (!name.matches(NAME)) {
                    throw new IllegalArgumentException("--user and --group are names of this host, got '" + name + "'");
                }
            }
            configuration = configuration();
            HostSetUp host = new HostSetUp(environment, user, group, configuration);
            if (hosts != null && execute) {
                return setUpAllHosts(cluster, host);
            }
            files = newFileTexts(cluster, configuration);
            return setUpLocally(cluster, host, files);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private Path configuration() {
        String directory = environment.getOrDefault("HADOOP_CONF_DIR", "");
        if (directory.isEmpty() || !Files.isDirectory(Paths.get(directory))) {
            throw new IllegalArgumentException("HADOOP_CONF_DIR is "
                    + (directory.isEmpty() ? "not set" : directory + ", which is no directory")
                    + ": set it to the directory of Hadoop's configuration, as /etc/hadoop/conf");
        }
        return Paths.get(directory);
    }

    /** The desired content of the two files. */
    private Map<Path, SiteText> newFileTexts(NewCluster cluster, Path configuration) throws IOException {
        Map<Path, SiteText> files = new LinkedHashMap<>();
        files.put(
                configuration.resolve("core-site.xml"),
                withProperties(configuration.resolve("core-site.xml"), "", cluster.coreSiteProperties()));
        files.put(
                configuration.resolve("hdfs-site.xml"),
                withProperties(
                        configuration.resolve("hdfs-site.xml"), NewCluster.INCLUDE, cluster.hdfsSiteProperties()));
        return files;
    }

    private static SiteText withProperties(Path file, String head, Map<String, String> properties) throws IOException {
        SiteText text = text(file);
        SiteProperties others = otherProperties(file, text);
        Set<String> set = new LinkedHashSet<>(properties.keySet());
        if (!head.isEmpty()) {
            set.addAll(Arrays.asList(
                    "dfs.namenode.edits.dir",
                    "dfs.namenode.plugins",
                    "dfs.namenode.resource.checked.volumes",
                    "dfs.ha.fencing.methods"));
        }
        set.retainAll(others.values().keySet());
        if (!set.isEmpty()) {
            throw new IllegalArgumentException(file + " sets " + String.join(", ", set)
                    + " already: take them out if this nameservice is new; if it exists, see 'hdfs trefoil enable'");
        }
        return text.withBlock(head, properties);
    }

    /** The content of the file besides our block. */
    private static SiteProperties otherProperties(Path file, SiteText text) {
        try {
            return SiteProperties.parse(text.withoutBlock().toString());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static SiteText text(Path file) throws IOException {
        return Files.exists(file) ? SiteFile.read(file).text() : new SiteText(EMPTY);
    }

    private int setUpLocally(NewCluster cluster, HostSetUp host, Map<Path, SiteText> files) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<String> lines = filesOnly ? new ArrayList<>() : host.lines(cluster.directories(), unitDirectory);
        Map<Path, String> units = filesOnly ? new LinkedHashMap<>() : host.units(unitDirectory);
        if (execute && !filesOnly && !operator.equals("root")) {
            throw new IllegalArgumentException(
                    "--execute makes directories of " + user + " and installs units, which only root may, and not "
                            + operator + ": type it as root, or with --files-only");
        }
        for (Map.Entry<Path, SiteText> file : files.entrySet()) {
            write(file.getKey(), text(file.getKey()).toString(), file.getValue().toString());
        }
        for (Map.Entry<Path, String> unit : units.entrySet()) {
            Path file = unit.getKey();
            write(file, Files.exists(file) ? SiteFile.read(file).text().toString() : "", unit.getValue());
        }
        ShellCommandRunner commands = new ShellCommandRunner(environment);
        for (String line : lines) {
            out.println("# " + line);
            out.flush();
            if (execute && commands.run(line, out::println) != 0) {
                out.println("That failed: correct it, and type 'hdfs trefoil init' again.");
                return ExitCode.FINDING;
            }
        }
        cluster.notes().forEach(out::println);
        return runPreflight(host, commands);
    }

    private int runPreflight(HostSetUp host, ShellCommandRunner commands) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (!filesOnly) {
            out.println("# " + host.preflightCommand());
        }
        if (!execute) {
            out.println("Nothing was changed; --execute does it"
                    + (hosts == null ? " on this host." : ", here and on the other hosts."));
            return ExitCode.FINE;
        }
        out.flush();
        return filesOnly || commands.run(host.preflightCommand(), out::println) == 0 ? ExitCode.FINE : ExitCode.FINDING;
    }

    /** Updates a file to the desired content, or shows what would change. */
    private void write(Path file, String before, String after) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (before.equals(after)) {
            out.println(file + ": has it");
        } else if (!execute) {
            out.print(new TextDiff(file.toString(), before, after));
        } else if (Files.exists(file)) {
            out.println(file + " changed; the old one is " + SiteFile.read(file).replaceWith(after));
        } else {
            SiteFile.create(file, after);
            out.println(file + " made");
        }
    }

    /** Runs the commands on each host in turn, continuing if one fails. */
    private int setUpAllHosts(NewCluster cluster, HostSetUp host) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Set<String> all = new LinkedHashSet<>(cluster.hosts());
        for (String more : hosts.split(",")) {
            if (!more.trim().isEmpty() && !more.trim().matches("[A-Za-z0-9][A-Za-z0-9.-]*")) {
                throw new IllegalArgumentException(
                        "--hosts has names of hosts with commas between, got '" + more + "'");
            }
            all.add(more.trim());
        }
        all.remove("");
        ShellCommandRunner commands = new ShellCommandRunner(environment);
        List<String> failed = new ArrayList<>();
        for (String name : all) {
            String line = host.hdfsCommand() + " trefoil init"
                    + remoteArguments(!cluster.hosts().contains(name));
            try {
                if (commands.runOn(name, line, said -> printOutputOf(name, said)) != 0) {
                    failed.add(name);
                }
            } catch (IOException e) {
                printOutputOf(name, e.getMessage());
                failed.add(name);
            }
        }
        out.println(
                failed.isEmpty()
                        ? "done on " + String.join(", ", all)
                        : "not done, or with problems, on " + String.join(", ", failed)
                                + ": correct what it says, and type the same again");
        return failed.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private void printOutputOf(String host, String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(host + ": " + text);
        out.flush();
    }

    /** Returns the command for another host, as it would be typed there. */
    private String remoteArguments(boolean isAdditional) {
        StringBuilder arguments = new StringBuilder();
        append(arguments, "--nameservice", nameservice);
        append(arguments, "--namenodes", String.join(",", nameNodes));
        append(arguments, "--name-dirs", String.join(",", nameDirectories));
        append(arguments, "--journal-dir", journalDirectory);
        append(arguments, "--zookeeper", String.join(",", zooKeepers));
        append(arguments, "--user", user);
        append(arguments, "--group", group);
        return arguments + (filesOnly || isAdditional ? " --files-only" : "") + " --execute";
    }

    private static void append(StringBuilder arguments, String option, String value) {
        arguments.append(' ').append(option).append(' ').append(ShellCommandRunner.quote(value));
    }
}
