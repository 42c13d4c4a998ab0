/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
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
    List<String> lines(List<String> directories, Path unitFolder) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("install -d -o " + user + " -g " + group + " -m 700 " + String.join(" ", directories));
        if (Files.isDirectory(unitFolder)) {
            Path home = Paths.get(environment.getOrDefault("TREFOIL_HOME", USUAL_HOME));
            for (String unit : new String[] {"hdfs-namenode.service", "trefoil-pool-node.service"}) {
                lines.add(unitLine(home, home.resolve("conf/systemd").resolve(unit), unitFolder.resolve(unit)));
            }
            lines.add("systemctl daemon-reload");
        }
        return lines;
    }

    /** Copies a unit as it is if this host has the usual paths and names, and with its own otherwise. */
    private String unitLine(Path home, Path from, Path to) throws IOException {
        StringBuilder edits = new StringBuilder();
        edit(edits, USUAL_HADOOP, environment.getOrDefault("HADOOP_HDFS_HOME", USUAL_HADOOP));
        edit(edits, USUAL_CONFIGURATION, configuration);
        // The link stays when the next release comes.
        boolean isLinked = Files.exists(Paths.get(USUAL_HOME)) && Files.isSameFile(Paths.get(USUAL_HOME), home);
        edit(edits, USUAL_HOME, isLinked ? USUAL_HOME : home.toString());
        edit(edits, "User=hdfs", "User=" + user);
        edit(edits, "Group=hadoop", "Group=" + group);
        if (!Files.isRegularFile(from)) {
            throw new IOException(
                    "There is no " + from + ": TREFOIL_HOME is " + home + ", which is not the folder of a release");
        }
        String text = new String(Files.readAllBytes(from), StandardCharsets.UTF_8);
        return edits.length() == 0 || text.isEmpty()
                ? "cp " + ShellCommands.quoted(from.toString()) + " " + ShellCommands.quoted(to.toString())
                : "sed" + edits + " " + ShellCommands.quoted(from.toString()) + " >"
                        + ShellCommands.quoted(to.toString());
    }

    private static void edit(StringBuilder edits, String usual, String here) {
        if (!usual.equals(here)) {
            edits.append(" -e ").append(ShellCommands.quoted("s|" + usual + "|" + here + "|g"));
        }
    }

    /** The line that says whether a NameNode may start here. */
    String preflight() {
        return "sudo -u " + user + " " + hdfs() + " trefoil preflight";
    }
}
