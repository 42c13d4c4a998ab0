/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.operating.OperatorsPage;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.operating.WriteProbe;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stranger installs the archive of the build next to a stock Hadoop on three new hosts, following
 * {@code docs/operating/install.md} word for word, with the units as shipped; gets a cluster, sees it fail over, and brings in a new
 * version while clients write.
 */
@NeedsRoot
class ReleaseIT {
    /** How long a write may wait for a restart of the active: what a handover takes, on a machine that does much else. */
    static final Duration MAX_GAP = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    @Test
    void newUserInstallsReleaseAndNewVersionAsDocumented() throws Exception {
        ReleaseArchive archive = ReleaseArchive.ofBuild();
        ReleaseArchive next = archive.repackAs(archive.version() + "-next", directory);
        Map<String, String> names = new LinkedHashMap<>();
        names.put("<version>", archive.version());
        names.put("<new version>", next.version());
        try (InstalledHosts hosts = new InstalledHosts(names)) {
            hosts.copyToAll(archive.file());
            hosts.copyToAll(next.file());
            OperatorsPage page = OperatorsPage.read("install.md");
            runAll(hosts, page.section("Hadoop, on every host"));
            runAll(hosts, page.section("The release, on every host"));
            runAll(hosts, page.section("The configuration, on every host"));
            assertFormatIsRefusedWhenRootOwnsDirectory(hosts);
            List<Command> cluster = page.section("A new cluster");
            Command second = new Command("host", 2, "systemctl enable --now hdfs-namenode");
            runAll(hosts, cluster.subList(0, cluster.indexOf(second)));
            assertFirstReportsWaitingWhenAlone(hosts);
            runAll(hosts, cluster.subList(cluster.indexOf(second), cluster.size()));

            assertThat(hosts.runTyped(new Command("host", 2, "hdfs trefoil history"))
                            .output())
                    .contains("nn1");
            try (FileSystem fileSystem = hosts.fileSystem();
                    WriteProbe probe = WriteProbe.start(fileSystem)) {
                runAll(hosts, page.section("A new version of Trefoil"));
                System.out.printf(
                        "a new version: no write for %.1f s%n",
                        probe.longestSilence().toMillis() / 1000.0);
                assertThat(probe.longestSilence()).isLessThan(MAX_GAP);
            }
            assertThat(hosts.runTyped(new Command("host", 3, "hdfs trefoil --version"))
                            .output())
                    .contains(next.version());
            // The first of a new cluster waits for the second, which the page starts next.
            assertThat(hosts.alarms())
                    .filteredOn(line -> !line.contains("still waiting for a majority"))
                    .isEmpty();
        }
    }

    /** Before anything is changed, with the line to type. */
    private static void assertFormatIsRefusedWhenRootOwnsDirectory(InstalledHosts hosts)
            throws IOException, InterruptedException {
        hosts.host(1).runTyped("chown root /data/1/ssp").expectSuccess();

        ToolResult refused = hosts.host(1).runTyped("sudo -u hdfs hdfs namenode -format");

        assertThat(refused.exitCode()).as(refused.output()).isNotZero();
        assertThat(refused.output()).contains("as root: chown hdfs /data/1/ssp").doesNotContain("-force");
        assertThat(hosts.host(1).path("/data/1/nn")).isEmptyDirectory();
        assertThat(hosts.host(1).runTyped("sudo -u hdfs hdfs trefoil preflight").output())
                .contains("/data/1/ssp");
        hosts.host(1).runTyped("chown hdfs /data/1/ssp").expectSuccess();
    }

    /** As {@code verdicts.md} has it, for who looks between two lines of the page. */
    private static void assertFirstReportsWaitingWhenAlone(InstalledHosts hosts) {
        AtomicReference<String> said = new AtomicReference<>("");
        Await.until(
                "nn1 says what it waits for",
                Await.TIMEOUT,
                () -> {
                    ToolResult status = hosts.host(1).runTyped("hdfs trefoil status");
                    said.set(status.exitCode() + ": " + status.output());
                    return status.exitCode() == ExitCode.DOWN
                            && status.output()
                                    .contains("down: no NameNode is active: nn1 waits for a second pool node");
                },
                () -> said + "\n" + hosts.logs());
    }

    static void runAll(InstalledHosts hosts, List<Command> commands) throws IOException, InterruptedException {
        for (Command command : commands) {
            long begun = System.nanoTime();
            ToolResult result = hosts.runTyped(command);
            System.out.printf("%.1f s: %s%n", (System.nanoTime() - begun) / 1e9, command);
            if (command.text().startsWith("hdfs trefoil init ")) {
                // The disks of this machine may be slow.
                assertThat(result.output().lines())
                        .as(result.output())
                        .anyMatch(line -> line.matches("(host3.example.com: )?CHECK .*"))
                        .noneMatch(line -> line.contains("  problem  ") && !line.contains(" syncs in "))
                        .noneMatch(line -> line.contains("failed"));
            } else {
                assertThat(result.exitCode())
                        .as(() -> command + "\n" + result.output() + "\n" + hosts.logs())
                        .isZero();
            }
        }
    }
}
