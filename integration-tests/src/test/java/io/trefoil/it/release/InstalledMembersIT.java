/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.operating.OperatorsPage;
import io.trefoil.it.operating.OperatorsPage.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/operating/members.md} typed word for word on hosts whose servers run by the shipped units: a fourth NameNode comes and
 * goes, and a stand-alone pool node after it.
 */
@NeedsRoot
@Tag("long")
class InstalledMembersIT {
    private static final String DATA_NODE =
            """
            [Unit]
            Description=HDFS DataNode
            [Service]
            User=hdfs
            Group=hadoop
            Environment=HADOOP_HOME=/opt/hadoop HADOOP_CONF_DIR=/etc/hadoop/conf
            ExecStart=/opt/hadoop/bin/hdfs datanode
            """;

    private final OperatorsPage members = OperatorsPage.read("members.md");

    InstalledMembersIT() throws IOException {}

    @Test
    void documentedCommandsAddAndRemoveFourthNameNode() throws Exception {
        ReleaseArchive archive = ReleaseArchive.ofBuild();
        try (InstalledHosts hosts = new InstalledHosts(4, Map.of("<version>", archive.version()))) {
            hosts.copyToAll(archive.file());
            OperatorsPage install = OperatorsPage.read("install.md");
            for (String section : List.of("Hadoop, on every host", "The release, on every host")) {
                ReleaseIT.runAll(hosts, install.section(section));
                ReleaseIT.runAll(hosts, commandsForFourth(install.section(section)));
            }
            List<Command> init = install.section("The configuration, on every host");
            ReleaseIT.runAll(hosts, init);
            // The fourth host alone has a file with the fourth NameNode yet.
            ReleaseIT.runAll(
                    hosts,
                    List.of(new Command("host", 4, extendToFourHosts(init.get(0).text()))));
            ReleaseIT.runAll(hosts, install.section("A new cluster"));
            Files.writeString(hosts.host(1).path("/etc/systemd/system/hdfs-datanode.service"), DATA_NODE);
            hosts.host(1).runTyped("systemctl start hdfs-datanode").expectSuccess();

            Map<String, String> former = writeProperties(hosts, members.properties("Another NameNode"));
            ReleaseIT.runAll(hosts, members.section("Another NameNode"));
            assertThat(hosts.runTyped(new Command("host", 1, "sudo -u hdfs hdfs trefoil group add nn4"))
                            .output())
                    .contains("reports to nn4");
            assertThat(voters(hosts)).isEqualTo(4);

            List<Command> fewer = members.section("One NameNode fewer");
            ReleaseIT.runAll(hosts, fewer.subList(0, fewer.size() - 1));
            for (Map.Entry<String, String> one : former.entrySet()) {
                Files.writeString(site(hosts, Integer.parseInt(one.getKey())), one.getValue());
            }
            ReleaseIT.runAll(hosts, fewer.subList(fewer.size() - 1, fewer.size()));
            assertThat(voters(hosts)).isEqualTo(3);

            Files.writeString(
                    site(hosts, 4),
                    former.get("4")
                            .replace(
                                    "</configuration>",
                                    property("trefoil.journal.address", "host4.example.com:8487")
                                            + "</configuration>"));
            ReleaseIT.runAll(hosts, members.section("Add"));
            assertThat(voters(hosts)).isEqualTo(4);
            ReleaseIT.runAll(hosts, members.section("Remove"));
            assertThat(voters(hosts)).isEqualTo(3);
            try (FileSystem fileSystem = hosts.fileSystem()) {
                assertThat(fileSystem.mkdirs(new org.apache.hadoop.fs.Path("/after")))
                        .isTrue();
            }
            // The first of a new cluster waits for the second; a directory of a node that was removed is worth a word,
            // and so is
            // that node as long as it is not stopped.
            assertThat(hosts.alarms())
                    .filteredOn(line -> !line.contains("still waiting for a majority")
                            && !line.contains("is no longer a member")
                            && !line.contains("is none of them: no member of the pool"))
                    .isEmpty();
        }
    }

    /** The line that sets three hosts up, for the fourth one, typed there. */
    private static String extendToFourHosts(String init) {
        return init.replace("host3.example.com", "host3.example.com,host4.example.com")
                .replace(" --hosts", "");
    }

    /** What the page says for all of three hosts, on the one that is new. */
    private static List<Command> commandsForFourth(List<Command> commands) {
        return commands.stream()
                .filter(command -> command.host() == 3)
                .map(command -> new Command(command.group(), 4, command.text()))
                .toList();
    }

    /** Puts properties into the file of each host; returns what they had before, by their numbers. */
    private static Map<String, String> writeProperties(InstalledHosts hosts, Map<String, String> properties)
            throws IOException {
        Map<String, String> former = new TreeMap<>();
        for (int number = 1; number <= 4; number++) {
            Path site = site(hosts, number);
            String text = Files.readString(site);
            StringBuilder added = new StringBuilder();
            properties.forEach((name, value) -> added.append(property(name, value)));
            former.put(Integer.toString(number), text);
            Files.writeString(site, text.replace("</configuration>", added + "</configuration>"));
        }
        return former;
    }

    private static String property(String name, String value) {
        return "<property><name>" + name + "</name><value>" + value + "</value></property>\n";
    }

    private static Path site(InstalledHosts hosts, int number) {
        return hosts.host(number).path("/etc/hadoop/conf/hdfs-site.xml");
    }

    private static long voters(InstalledHosts hosts) throws IOException, InterruptedException {
        String status = hosts.runTyped(new Command("host", 1, "hdfs trefoil journal status"))
                .expectSuccess()
                .output();
        return status.lines()
                .filter(line -> line.matches("host.*\\bvoter\\b.*"))
                .count();
    }
}
