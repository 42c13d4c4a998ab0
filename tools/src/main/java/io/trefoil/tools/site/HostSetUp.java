/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes what this host of a NameNode needs besides its configuration: directories, the units of its services, and a check of the rest.
 */
final class HostSetUp {
    private static final String USUAL_HADOOP = "/opt/hadoop";
    private static final String USUAL_CONFIGURATION = "/etc/hadoop/conf";
    private static final String USUAL_HOME = "/opt/trefoil";

    private final Map<String, String> environment;
    private final String user;
    private final String group;
    private final String configuration;

    /**
     * A host as described by its environment.
     *
     * @param environment of the command, as Hadoop's scripts set it
     * @param user that the NameNode runs as
     */
    HostSetUp(Map<String, String> environment, String user, String group, Path configuration) {
        this.environment = environment;
        this.user = user;
        this.group = group;
        this.configuration = configuration.toString();
    }

    /** Returns the path of {@code hdfs} on this host, and on others like it. */
    String hdfsCommand() {
        String hadoop = environment.getOrDefault("HADOOP_HDFS_HOME", "");
        return (hadoop.isEmpty() ? "hdfs" : hadoop + "/bin/hdfs") + " --config "
                + ShellCommandRunner.quote(configuration);
    }

    /** The lines to type, as root. */
    List<String> lines(List<String> directories, Path unitDirectory) {
        List<String> lines = new ArrayList<>();
        lines.add("install -d -o " + user + " -g " + group + " -m 700 " + String.join(" ", directories));
        if (Files.isDirectory(unitDirectory)) {
            lines.add("systemctl daemon-reload");
        }
        return lines;
    }

    /**
     * The units that this host needs, by path: unchanged from the release if the host has the usual paths and names, otherwise adapted.
     * None if systemd does not run here.
     *
     * @throws IllegalArgumentException if one is masked there, or another link
     */
    Map<Path, String> units(Path unitDirectory) throws IOException {
        Map<Path, String> units = new LinkedHashMap<>();
        if (Files.isDirectory(unitDirectory)) {
            Path home = Paths.get(environment.getOrDefault("TREFOIL_HOME", USUAL_HOME));
            for (String name : new String[] {"hdfs-namenode.service", "trefoil-pool-node.service"}) {
                String text = unit(home, home.resolve("conf/systemd").resolve(name));
                Path unit = unitDirectory.resolve(name);
                if (Files.isSymbolicLink(unit)
                        && Files.exists(unit)
                        && !Arrays.equals(Files.readAllBytes(unit), text.getBytes(StandardCharsets.UTF_8))) {
                    throw new IllegalArgumentException(unit + " is a link to " + Files.readSymbolicLink(unit)
                            + ", which is not the unit that this host needs: remove the link, by 'systemctl unmask "
                            + name + "' if it leads to /dev/null");
                }
                units.put(unit, text);
            }
        }
        return units;
    }

    private String unit(Path home, Path from) throws IOException {
        if (!Files.isRegularFile(from)) {
            throw new IOException(
                    "There is no " + from + ": TREFOIL_HOME is " + home + ", which is not the directory of a release");
        }
        Path hadoop = Paths.get(environment.getOrDefault("HADOOP_HDFS_HOME", USUAL_HADOOP));
        return new String(Files.readAllBytes(from), StandardCharsets.UTF_8)
                .replace(USUAL_HADOOP, lastingPath(Paths.get(USUAL_HADOOP), hadoop))
                .replace(USUAL_CONFIGURATION, configuration)
                .replace(USUAL_HOME, lastingPath(Paths.get(USUAL_HOME), home))
                .replace("User=hdfs", "User=" + user)
                .replace("Group=hadoop", "Group=" + group);
    }

    /**
     * The name of a directory in a unit: the usual link if it leads there, as that stays when the next version is installed. Scripts know
     * only where it leads.
     */
    static String lastingPath(Path defaultPath, Path directory) throws IOException {
        boolean isLinked =
                Files.exists(defaultPath) && Files.exists(directory) && Files.isSameFile(defaultPath, directory);
        return (isLinked ? defaultPath : directory).toString();
    }

    /** The command that checks whether a NameNode may be started here. */
    String preflightCommand() {
        return "sudo -u " + user + " " + hdfsCommand() + " trefoil preflight";
    }
}
