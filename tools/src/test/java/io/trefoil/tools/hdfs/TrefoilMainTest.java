/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.tools.output.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command with Hadoop's own options in front. */
class TrefoilMainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void hadoopOptionsPrecedeCommand() {
        assertThat(run("-D", "dfs.namenode.shared.edits.dir=ssp://localhost:1/ns1", "journal", "status", "--timeout=1"))
                .isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("no pool node answers: localhost:1: no answer in 1000 ms")
                .contains("refused");
    }

    @Test
    void queriesNodeOverNetwork(@TempDir Path directory) throws IOException {
        NodeAddress address = NodeAddress.of("localhost", TestPorts.free());
        NodeSettings settings = NodeSettings.builder()
                .address(address)
                .bindHost("localhost")
                .directory(directory)
                .build();
        try (PoolNode node = PoolNode.start(settings)) {
            assertThat(run("journal", "status", "--journal", "ssp://" + node.address() + "/ns1", "--timeout", "60"))
                    .isEqualTo(ExitCode.FINDING);
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains(address + " not formatted")
                .endsWith("NOT FORMATTED on any node in reach\n");
    }

    @Test
    void requiresJournalNameWithoutConfiguration() {
        assertThat(run("journal", "status")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("found none; name it with --journal");
    }

    @Test
    void rejectsMissingConfigurationFile(@TempDir Path directory) {
        String file = directory.resolve("hdfs-site.xml").toString();

        assertThat(run("-conf", file, "journal", "repair", "--execute")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("There is no file " + file);
        assertThat(run("-conf")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void namesFileAndLineWhenConfigurationIsNoXml(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(
                directory.resolve("hdfs-site.xml"), "<configuration>\n<property><name>a</name>\n</configuration>");

        assertThat(run("-conf", file.toString(), "status")).isEqualTo(ExitCode.USAGE);
        assertThat(standardError())
                .startsWith("The configuration cannot be read: ")
                .contains(file.toString(), "[3,")
                .hasLineCount(1);
    }

    @Test
    void reportsMissingNameservices() {
        for (String command : List.of("status", "view", "history", "checkpoint list", "checkpoint prune")) {
            err.reset();
            assertThat(run(command.split(" "))).as(command).isEqualTo(ExitCode.USAGE);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .as(command)
                    .contains("with several NameNodes")
                    .doesNotContain("null");
        }
    }

    @Test
    void undeliveredOrdersAreNotReportedAsDone() {
        String[] cluster = {
            "-Ddfs.nameservices=ns1",
            "-Ddfs.ha.namenodes.ns1=nn1,nn2",
            "-Ddfs.namenode.rpc-address.ns1.nn1=localhost:1",
            "-Ddfs.namenode.rpc-address.ns1.nn2=localhost:1",
            "-Ddfs.namenode.http-address.ns1.nn1=localhost:1",
            "-Ddfs.namenode.http-address.ns1.nn2=localhost:1",
            "-Ddfs.namenode.shared.edits.dir=ssp://localhost:1/ns1"
        };
        for (String command : List.of("drain nn1", "undrain nn1", "prefer nn1", "journal unpin me")) {
            err.reset();
            assertThat(run(Stream.concat(Stream.of(cluster), Stream.of(command.split(" ")))
                            .toArray(String[]::new)))
                    .as(command + ": " + err)
                    .isEqualTo(ExitCode.NOBODY_ANSWERED);
            assertThat(err.toString(StandardCharsets.UTF_8).lines())
                    .as(command)
                    .hasSize(3)
                    .anyMatch(line -> line.contains("nn2: ") && line.contains("refused"));
        }
    }

    /** In a process of its own, as each is named once in a process. */
    @Test
    void reportsUnknownSettingsOfAllJars() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TrefoilMain.class.getName(),
                        "-Dtrefoil.journal.leese=1s",
                        "-Dtrefoil.ha.zookeeper.rot=/t",
                        "-Dtrefoil.journal.images.retained=3",
                        "-Dtrefoil.checkpoint.prot=1",
                        "--help")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        String log = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();

        assertThat(log)
                .containsOnlyOnce("trefoil.journal.leese has no effect; the nearest known one is trefoil.journal.lease")
                .containsOnlyOnce("trefoil.ha.zookeeper.rot has no effect; the nearest known one is"
                        + " trefoil.ha.zookeeper.root")
                .containsOnlyOnce("trefoil.journal.images.retained has no effect; it was removed: set"
                        + " dfs.namenode.num.checkpoints.retained")
                .containsOnlyOnce(
                        "trefoil.checkpoint.prot has no effect; the nearest known one is" + " trefoil.checkpoint.port");
    }

    @Test
    void reportsInvalidSettingByNameInOneLine() {
        assertThat(run(
                        "-D",
                        "dfs.namenode.shared.edits.dir=ssp://localhost:1/ns1",
                        "-D",
                        "trefoil.journal.ack.policy=two",
                        "journal",
                        "status"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(standardError())
                .startsWith("trefoil.journal.ack.policy is 'two'")
                .hasLineCount(2);

        assertThat(run(
                        "-D",
                        "dfs.namenode.shared.edits.dir=ssp://localhost:1/ns1",
                        "-D",
                        "dfs.nameservices=ns1",
                        "-D",
                        "dfs.ha.namenodes.ns1=nn1,nn2",
                        "-D",
                        "dfs.namenode.rpc-address.ns1.nn1=localhost:port",
                        "journal",
                        "pin",
                        "7"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(standardError()).contains("localhost:port").hasLineCount(2);

        assertThat(run("-D", "trefoil.checkpoint.retained.count=0", "checkpoint", "list"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(standardError())
                .startsWith("trefoil.checkpoint.retained.count is 0")
                .hasLineCount(2);
    }

    private String standardError() {
        String text = err.toString(StandardCharsets.UTF_8);
        err.reset();
        return text;
    }

    @Test
    void helpGoesToStandardOutput() {
        assertThat(run("--help")).isEqualTo(ExitCode.FINE);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Usage: hdfs trefoil")
                .doesNotContain("By other jars");
    }

    private int run(String... arguments) {
        return TrefoilMain.run(
                new Configuration(false),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }
}
