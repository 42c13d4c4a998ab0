/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.operating.OperatorsPage;
import io.trefoil.it.operating.OperatorsPage.Command;
import io.trefoil.it.operating.WriteProbe;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/operating/upgrade.md} typed on hosts whose NameNodes run by the shipped unit, while clients write: to a new version, and
 * back to the old one.
 */
@NeedsRoot
@Tag("long")
class InstalledUpgradeIT {
    private static final String PLAN = "hdfs trefoil upgrade plan";
    private static final Pattern NEXT = Pattern.compile("Next: hdfs trefoil upgrade next nn(\\d)");

    @TempDir
    private Path directory;

    @Test
    void clientsWriteWhenVersionsChangeAsDocumented() throws Exception {
        ReleaseArchive archive = ReleaseArchive.ofBuild();
        ReleaseArchive next = archive.repackAs(archive.version() + "-next", directory);
        Map<String, String> names = new LinkedHashMap<>();
        names.put("<version>", archive.version());
        names.put("<new version>", next.version());
        try (InstalledHosts hosts = new InstalledHosts(names)) {
            hosts.copyToAll(archive.file());
            hosts.copyToAll(next.file());
            OperatorsPage install = OperatorsPage.read("install.md");
            for (String section : List.of(
                    "Hadoop, on every host",
                    "The release, on every host",
                    "The configuration, on every host",
                    "A new cluster")) {
                ReleaseIT.runAll(hosts, install.section(section));
            }
            List<Command> steps = OperatorsPage.read("upgrade.md").section("Step by step");
            int plan = steps.indexOf(new Command("host", 1, PLAN));
            List<Command> ofOne = steps.subList(plan + 1, steps.size());
            try (FileSystem fileSystem = hosts.fileSystem();
                    WriteProbe probe = WriteProbe.start(fileSystem)) {
                ReleaseIT.runAll(hosts, steps.subList(0, plan));
                upgradeAll(hosts, ofOne);
                awaitPlan(hosts, "All NameNodes run " + next.version() + ", and serve");

                ReleaseIT.runAll(hosts, OperatorsPage.read("install.md").section("The release, on every host"));
                upgradeAll(hosts, ofOne);
                awaitPlan(hosts, "All NameNodes run " + archive.version() + ", and serve");
                System.out.printf(
                        "to a new version and back: no write for %.1f s%n",
                        probe.longestSilence().toMillis() / 1000.0);
                assertThat(probe.longestSilence()).isLessThan(ReleaseIT.MAX_GAP);
            }
        }
    }

    /** The page has the commands for one of them. */
    private static void upgradeAll(InstalledHosts hosts, List<Command> ofOne) throws IOException, InterruptedException {
        assertThat(ofOne).hasSize(3);
        for (int i = 1; i <= 3; i++) {
            Matcher next = NEXT.matcher(awaitPlan(hosts, "Next: hdfs trefoil upgrade next nn"));
            assertThat(next.find()).isTrue();
            int number = Integer.parseInt(next.group(1));
            ReleaseIT.runAll(
                    hosts,
                    ofOne.stream()
                            .map(each -> new Command("host", number, each.text().replace("nn3", "nn" + number)))
                            .toList());
        }
    }

    /** It may be too early for a step, or for the end. */
    private static String awaitPlan(InstalledHosts hosts, String expected) {
        AtomicReference<String> seen = new AtomicReference<>("");
        Await.until(
                "the plan says: " + expected,
                Await.TIMEOUT,
                () -> {
                    seen.set(hosts.runTyped(new Command("host", 1, PLAN)).output());
                    return seen.get().contains(expected);
                },
                seen::get);
        return seen.get();
    }
}
