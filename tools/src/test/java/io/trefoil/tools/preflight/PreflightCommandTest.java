/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.linkage.MissingMember;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.HostPlan;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PreflightCommandTest {
    private final FakePool host = new FakePool(1);

    @TempDir
    Path directory;

    @Test
    void printsProblemsWithRemediesAndExitCode() {
        Path none = directory.resolve("none");
        host.plan = () -> HostPlan.builder()
                .nameNode("nn1")
                .listeners(Map.of())
                .otherNodes(List.of())
                .otherPages(List.of())
                .sites(Map.of())
                .journalDirectory(none.toString())
                .nameDirectories(List.of())
                .classes(Map.of(PreflightCommand.class.getName(), "dfs.namenode.plugins"))
                .settingErrors(List.of())
                .zooKeepers(List.of())
                .logins(List.of())
                .build();

        assertThat(host.run("preflight")).isEqualTo(ExitCode.FINDING);

        assertThat(host.output)
                .containsPattern("disks +problem +" + none)
                .contains("\n  do: install -d -o hdfs -g hadoop -m 700 " + none + "\n")
                .endsWith("1 problem for nn1\n");
        assertThat(host.run("preflight", "--json")).isEqualTo(ExitCode.FINDING);
        assertThat(host.output).contains("\"problems\": 1", "\"level\": \"problem\"", "\"remedy\": \"install -d");
    }

    @Test
    void documentationHasRowForEachCheck() throws IOException {
        String page = Files.readString(Path.of("../docs/operating/command.md"));

        assertThat(page).contains("\n| `" + LinkageCheck.NAME + "` | ");
        for (Check check : PreflightCommand.checks(new Processes(directory))) {
            assertThat(page).contains("\n| `" + check.name() + "` | ");
        }
    }

    @Test
    void hostWithoutNameNodeIsUsageError() {
        assertThat(host.run("preflight")).isEqualTo(ExitCode.USAGE);
        assertThat(host.errors).startsWith("This is no host of a NameNode");
        assertThat(host.output).isEmpty();
    }

    @Test
    void linkageListsEachMemberMissingFromHadoop() {
        host.missingOfHadoop = List.of(
                MissingMember.of("io.trefoil.ha.hdfs.X", "org.apache.hadoop.Y.z()"),
                MissingMember.of("io.trefoil.federation.hdfs.datanode.Links", "org.apache.hadoop.Locks"));

        assertThat(host.run("preflight", "--linkage")).isEqualTo(ExitCode.FINDING);

        assertThat(host.output)
                .containsPattern("linkage +problem +Hadoop 3.4.3 lacks org.apache.hadoop.Y.z\\(\\), used by"
                        + " io.trefoil.ha.hdfs.X")
                .containsPattern("linkage +note +Hadoop 3.4.3 lacks org.apache.hadoop.Locks")
                .endsWith("1 problem for Trefoil\n");
    }

    @Test
    void linkageDoesNotNeedConfigurationWhenHadoopIsComplete() {
        assertThat(host.run("preflight", "--linkage")).isEqualTo(ExitCode.FINE);
        assertThat(host.output)
                .contains("Hadoop 3.4.3 has everything that Trefoil uses of it")
                .endsWith("Trefoil runs on this Hadoop\n");
    }
}
