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

/** What this host of a NameNode needs beside its configuration: directories, the units of its services, and a look at the rest. */
final class HostSetUp {
    private static final String USUAL_HADOOP = "/opt/hadoop";
    private static final String USUAL_CONFIGURATION = "/etc/hadoop/conf";
    private static final String USUAL_HOME = "/opt/trefoil";

    private final Map<String, String> environment;
    private final String user;
    private final String group;
    private final String configuration;

    /**
     * A host as its environment describes it.
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

    /** How {@code hdfs} is called on this host, and on one that is like it. */
    String hdfs() {
        String hadoop = environment.getOrDefault("HADOOP_HDFS_HOME", "");
        return (hadoop.isEmpty() ? "hdfs" : hadoop + "/bin/hdfs") + " --config " + ShellCommands.quoted(configuration);
    }

    /** The lines to type, as root. */
    List<String> lines(List<String> directories, Path unitFolder) {
        List<String> lines = new ArrayList<>();
        lines.add("install -d -o " + user + " -g " + group + " -m 700 " + String.join(" ", directories));
        if (Files.isDirectory(unitFolder)) {
            lines.add("systemctl daemon-reload");
        }
        return lines;
    }

    /**
     * The units as this host needs them, by where they belong: as they are in the release where it has the usual paths and names, and with
     * its own otherwise. None if systemd does not run here.
     *
     * @throws IllegalArgumentException if one is masked there, or another link
     */
    Map<Path, String> units(Path unitFolder) throws IOException {
        Map<Path, String> units = new LinkedHashMap<>();
        if (Files.isDirectory(unitFolder)) {
            Path home = Paths.get(environment.getOrDefault("TREFOIL_HOME", USUAL_HOME));
            for (String name : new String[] {"hdfs-namenode.service", "trefoil-pool-node.service"}) {
                String text = unit(home, home.resolve("conf/systemd").resolve(name));
                Path unit = unitFolder.resolve(name);
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
                    "There is no " + from + ": TREFOIL_HOME is " + home + ", which is not the folder of a release");
        }
        // The link stays when the next release comes.
        boolean isLinked = Files.exists(Paths.get(USUAL_HOME)) && Files.isSameFile(Paths.get(USUAL_HOME), home);
        return new String(Files.readAllBytes(from), StandardCharsets.UTF_8)
                .replace(USUAL_HADOOP, environment.getOrDefault("HADOOP_HDFS_HOME", USUAL_HADOOP))
                .replace(USUAL_CONFIGURATION, configuration)
                .replace(USUAL_HOME, isLinked ? USUAL_HOME : home.toString())
                .replace("User=hdfs", "User=" + user)
                .replace("Group=hadoop", "Group=" + group);
    }

    /** The line that says whether a NameNode may start here. */
    String preflight() {
        return "sudo -u " + user + " " + hdfs() + " trefoil preflight";
    }
}
