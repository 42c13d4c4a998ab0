/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.hdfs.HdfsCheckpoints;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.tools.TrefoilCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.ExitUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code docs/operating/backup-and-restore.md} has cron do, night after night, as the page has it. */
class NightlyCheckpointTest {
    private static final Pattern ALLOW =
            Pattern.compile("[a-z]+1\\$ sudo -u hdfs hdfs dfsadmin -fs hdfs://([a-z]+) -allowSnapshot (\\S+)");
    private static final Pattern CHECKPOINT = Pattern.compile("[a-z]+1\\$ sudo -u hdfs hdfs trefoil checkpoint (.+)");
    private static final Pattern RETAINED = Pattern.compile("--retained (\\d+)");
    private static final Pattern ID = Pattern.compile("nightly\\.[0-9a-f]{8}");

    @TempDir
    private Path directory;

    private List<TestNameservice> nameservices;
    private Configuration client;
    private List<String> lines;

    @BeforeEach
    void start() throws Exception {
        DefaultMetricsSystem.setMiniClusterMode(true);
        ExitUtil.disableSystemExit();
        nameservices = List.of(new TestNameservice("sales", directory), new TestNameservice("research", directory));
        client = TestNameservice.clientConfiguration(nameservices);
        for (TestNameservice nameservice : nameservices) {
            nameservice.start(nameservices);
        }
        String page = Files.readString(Path.of("..", "docs", "operating", "backup-and-restore.md"));
        String section = page.substring(page.indexOf("## Taking a checkpoint"), page.indexOf("## Going back"));
        lines = section.lines().collect(Collectors.toList());
    }

    @AfterEach
    void stop() throws IOException {
        nameservices.forEach(TestNameservice::close);
        PoolProcess.closeAll();
    }

    @Test
    void nightlyCommandsSucceedAndRemoveOldCheckpoints() throws Exception {
        allowSnapshots();
        List<String> nightly = matchingGroups(CHECKPOINT);
        assertThat(nightly).hasSize(3);
        Matcher retained = RETAINED.matcher(nightly.get(2));
        assertThat(retained.find()).isTrue();
        int kept = Integer.parseInt(retained.group(1));
        List<String> made = new ArrayList<>();
        for (int night = 1; night <= kept + 2; night++) {
            nameservices.get(0).makeDirectory("/night-" + night);
            made.add(id(runCommand(0, nightly.get(0))));
            assertThat(runCommand(0, nightly.get(1)))
                    .as("verified in night %s", night)
                    .contains(made.get(night - 1), "everything that it needs is there");
            runCommand(0, nightly.get(2));
            List<String> newest = made.subList(Math.max(0, night - kept), night);
            for (TestNameservice nameservice : nameservices) {
                assertThat(nameservice.listNames("/.snapshot"))
                        .as("snapshots in night %s", night)
                        .containsExactlyInAnyOrderElementsOf(
                                newest.stream().map(one -> "checkpoint-" + one).collect(Collectors.toList()));
            }
        }
        assertThat(String.join("\n", lines)).contains("&& hdfs trefoil checkpoint verify &&");
        assertThat(runCommand(1, "show nightly")).contains("found " + kept, "type the id", made.get(made.size() - 1));
    }

    /** A seal is a snapshot, and HDFS nests none. */
    @Test
    void protectDataIsRefusedNamingBlockingSeals() throws Exception {
        TestNameservice sales = nameservices.get(0);
        for (String directory : List.of("/moving", "/sealed", "/shots")) {
            sales.makeDirectory(directory);
            sales.active().getRpcServer().allowSnapshot(directory);
        }
        sales.active().getRpcServer().createSnapshot("/moving", "trefoil-move-m1");
        sales.active().getRpcServer().createSnapshot("/sealed", "trefoil-sealed");
        nameservices.get(1).active().getRpcServer().allowSnapshot("/");

        assertThat(runCommand(1, "create --protect-data"))
                .contains(
                        "being moved: [/moving], wait until that has ended",
                        "were given away",
                        "[/sealed]",
                        "Removing a seal",
                        "[/shots]",
                        "hdfs dfsadmin -fs hdfs://sales -disallowSnapshot",
                        "hdfs dfsadmin -fs hdfs://sales -allowSnapshot /",
                        "without --protect-data");
        sales.active().getRpcServer().deleteSnapshot("/moving", "trefoil-move-m1");
        for (String directory : List.of("/moving", "/sealed", "/shots")) {
            if (directory.equals("/sealed")) {
                sales.active().getRpcServer().deleteSnapshot(directory, "trefoil-sealed");
            }
            sales.active().getRpcServer().disallowSnapshot(directory);
        }
        assertThat(runCommand(1, "create --protect-data"))
                .contains("run once: hdfs dfsadmin -fs hdfs://sales -allowSnapshot /");
        sales.active().getRpcServer().allowSnapshot("/");
        runCommand(0, "create --protect-data");
    }

    private void allowSnapshots() throws IOException {
        for (String line : lines) {
            Matcher allow = ALLOW.matcher(line);
            if (allow.matches()) {
                for (TestNameservice nameservice : nameservices) {
                    if (nameservice.name.equals(allow.group(1))) {
                        nameservice.active().getRpcServer().allowSnapshot(allow.group(2));
                    }
                }
            }
        }
    }

    private List<String> matchingGroups(Pattern pattern) {
        return lines.stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .collect(Collectors.toList());
    }

    private static String id(String output) {
        Matcher id = ID.matcher(output);
        assertThat(id.find()).as(output).isTrue();
        return id.group();
    }

    private String runCommand(int exitCode, String command) {
        StringWriter out = new StringWriter();
        int code = TrefoilCommand.execute(
                CheckpointCommand.newCommandLine(
                        () -> new HdfsCheckpoints(client, Progress.SILENT), new FakeMoveHistory()),
                new PrintWriter(out),
                new PrintWriter(out),
                Arrays.asList(command.split(" ")).toArray(new String[0]));
        assertThat(code).as("%s: %s", command, out).isEqualTo(exitCode);
        return out.toString();
    }
}
