/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakeGroupServers;
import io.trefoil.tools.cluster.FakeNameNodes;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** {@code group add} and {@code group remove}: whom they tell, and what they say of servers that do not do what they should. */
class GroupCommandsTest {
    private final FakePool cluster = new FakePool(3);
    private final FakeGroupServers servers = cluster.nameNodes.servers;

    private int add(String... options) {
        return run("add", "nn3", options);
    }

    /** Waits for a moment only. */
    private int run(String command, String nameNode, String... options) {
        List<String> words = new ArrayList<>(List.of("group", command, nameNode));
        words.addAll(List.of(options));
        if (!words.contains("--wait")) {
            words.addAll(List.of("--wait", "1s"));
        }
        return cluster.run(words.toArray(new String[0]));
    }

    @Test
    void addNotifiesAllServersAndNewMemberBecomesEligible() {
        servers.forgetOnAllOthers("nn3");

        assertThat(add()).isEqualTo(ExitCode.FINE);

        assertThat(servers.told).containsExactlyInAnyOrder("nn1", "nn2", "dn1", "dn2");
        assertThat(cluster.output)
                .contains("dn1     done   reports to nn3", "nn3     done   may become active")
                .contains("Done: all live DataNodes report to nn3");
    }

    @Test
    void addSkipsUpToDateServers() {
        assertThat(add("--json")).isEqualTo(ExitCode.FINE);

        assertThat(servers.told).isEmpty();
        assertThat(cluster.output).contains("\"done\": true", "\"server\": \"dn2\"");
    }

    @Test
    void dryRunNotifiesNoServer() {
        servers.forgetOnAllOthers("nn3");

        assertThat(add("--dry-run")).isEqualTo(ExitCode.FINE);

        assertThat(servers.told).isEmpty();
        assertThat(cluster.output)
                .contains("nn1     to do  names [nn1, nn2]", "hdfs trefoil group add nn3")
                .contains("dn2     to do  does not report to nn3 yet, would reread its configuration")
                .doesNotContain("hdfs-site.xml");
    }

    @Test
    void detectsOutdatedFiles() {
        servers.forgetOnAllOthers("nn3");
        servers.files.put("nn2", Set.of("nn1", "nn2"));
        servers.files.put("dn1", Set.of("nn1", "nn2"));

        assertThat(add()).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output)
                .containsPattern("nn2 +trouble +its hdfs-site.xml names \\{nn1=host1:8020, nn2=host2:8020\\}")
                .containsPattern("dn1 +trouble +its hdfs-site.xml does not name nn3")
                .containsPattern("dn2 +done")
                .contains("Not done");
        assertThat(cluster.errors).contains("1 of 2 DataNodes");

        servers.files.clear();
        assertThat(add()).isEqualTo(ExitCode.FINE);
    }

    @Test
    void distinguishesUnreachableDataNodeFromOutdatedConfiguration() {
        servers.forgetOnAllOthers("nn3");
        servers.cutOff.addAll(List.of("dn1", "dn2"));
        servers.down.add("dn2-page");

        assertThat(add()).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output)
                .containsPattern("dn1 +trouble +has not told nn3 its blocks yet; .* whether it reaches host3:8020")
                .containsPattern("dn2 +trouble +does not report to nn3; why is not known");
    }

    @Test
    void stopsWaitingForUnreachableDataNode() {
        servers.forgetOnAllOthers("nn3");
        servers.down.add("dn2");

        assertThat(add("--wait", "1h")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output).containsPattern("dn2 +trouble +cannot be told: Connection refused");
    }

    @Test
    void stopsWaitingForDataNodeWithOutdatedFile() {
        servers.forgetOnAllOthers("nn3");
        servers.files.put("dn1", Set.of("nn1", "nn2"));
        cluster.nameNodes.setState(3, "JUNIOR", "in safe mode");

        assertThat(add("--wait", "1h")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output)
                .containsPattern("dn1 +trouble +its hdfs-site.xml does not name nn3")
                .containsPattern("dn2 +done")
                .containsPattern("nn3 +trouble +may not become active yet: in safe mode");
    }

    @Test
    void waitsForUpToDateDataNodesDespiteOutdatedOnes() {
        servers.forgetOnAllOthers("nn3");
        servers.files.put("dn1", Set.of("nn1", "nn2"));
        servers.looksUntilBlocks.put("dn2", 3);

        assertThat(add("--wait", "1h")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors)
                .contains("0 of 2 DataNodes; not waited for: 1", "1 of 2 DataNodes; not waited for: 1");
        assertThat(cluster.output)
                .containsPattern("dn1 +trouble +its hdfs-site.xml does not name nn3")
                .containsPattern("dn2 +done +reports to nn3");
    }

    @Test
    void stopsWaitingForDataNodeStillNamingRemovedNameNode() {
        servers.known.values().forEach(names -> names.add("nn4"));
        servers.files.put("dn2", Set.of("nn1", "nn2", "nn3", "nn4"));

        assertThat(run("remove", "nn4", "--wait", "1h")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output)
                .containsPattern("dn1 +done")
                .containsPattern("dn2 +trouble +its hdfs-site.xml still names \\[host4:8020\\]");
    }

    @Test
    void skipsDataNodesWhenNewNameNodeIsDown() {
        servers.forgetOnAllOthers("nn3");
        servers.down.add("nn3");

        assertThat(add()).isEqualTo(ExitCode.FINDING);

        assertThat(servers.told).containsExactly("nn1", "nn2");
        assertThat(cluster.output)
                .contains(
                        "nn3     trouble  does not answer at host3:8020",
                        "hdfs namenode -bootstrapStandby",
                        "systemctl start hdfs-namenode");
    }

    @Test
    void reportsReasonWhenNameNodeIsNotReady() {
        cluster.nameNodes.setState(3, "JUNIOR", "in safe mode");

        assertThat(add()).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output).containsPattern("nn3 +trouble +may not become active yet: in safe mode");
    }

    @Test
    void nonElectableNameNodeIsNotReportedAsElectable() {
        cluster.nameNodes.pages.put(
                "host3:9870",
                FakeNameNodes.page("STANDBY", "", 3000, 41, 9)
                        .replace("\\\"name\\\":\\\"nn3\\\"", "\\\"name\\\":\\\"nn3\\\",\\\"electable\\\":false"));

        assertThat(add()).isEqualTo(ExitCode.FINE);

        assertThat(cluster.output)
                .containsPattern("nn3 +done +has caught up; it never becomes active")
                .doesNotContain("may become active");
    }

    @Test
    void validatesLocalConfigurationFirst() {
        assertThat(run("add", "nn4")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.errors).contains("[nn1, nn2, nn3], and no 'nn4'");
        assertThat(run("remove", "nn3")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.errors).contains("take 'nn3' out of it");
        assertThat(servers.told).isEmpty();
    }

    @Test
    void reportsClusterWithoutDataNodes() {
        servers.known.keySet().removeIf(server -> server.startsWith("dn"));

        assertThat(add()).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).containsPattern("DataNodes +trouble +no NameNode that answers sees a live one");
    }

    @Test
    void validatesOptionsBeforeNotifyingServers() {
        servers.forgetOnAllOthers("nn3");

        assertThat(add("--wait", "long")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.errors).contains("--wait is a number of seconds, or one and s, m, h or d, as 30m; got long");
        assertThat(servers.told).isEmpty();
    }

    @Test
    void unresponsiveClusterIsNotReportedAsSuccess() {
        servers.down.addAll(List.of("nn1", "nn2", "nn3"));

        assertThat(add()).isEqualTo(ExitCode.NOBODY_ANSWERED);
    }

    @Test
    void refusesToRemoveRunningNameNode() {
        servers.configured.remove("nn3");

        assertThat(run("remove", "nn3")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors).contains("nn3 runs, as standby", "hdfs trefoil journal remove");
        assertThat(servers.told).isEmpty();
    }

    @Test
    void removeCleansUpRemainingOrdersAndDataNodes() {
        servers.known.values().forEach(names -> names.add("nn4"));
        servers.files.put("dn2", Set.of("nn1", "nn2", "nn3", "nn4"));
        String orders =
                "\\\"orders\\\":{\\\"preferred\\\":{\\\"nameNode\\\":\\\"nn4\\\"},\\\"drained\\\":[{\\\"nameNode\\\":\\\"nn4\\\"}]},"
                        + "\\\"members\\\"";
        cluster.nameNodes.pages.put(
                "host1:9870", FakeNameNodes.page("ACTIVE", "", 1, 2, 9).replace("\\\"members\\\"", orders));

        assertThat(run("remove", "nn4", "--dry-run")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .containsPattern(
                        "dn1 +to do +still tries to report to \\[host4:8020\\], would reread its configuration")
                .doesNotContain("hdfs-site.xml");
        assertThat(cluster.nameNodes.orders).isEmpty();
        assertThat(servers.told).isEmpty();

        assertThat(run("remove", "nn4")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).containsPattern("dn2 +trouble +its hdfs-site.xml still names \\[host4:8020\\]");
        assertThat(cluster.nameNodes.orders).containsExactly("undrain nn4", "prefer nobody");

        servers.files.clear();
        assertThat(run("remove", "nn4")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).contains("Done: no server knows nn4 any more");
    }

    @Test
    void unresponsiveDataNodePageIsNotReportedAsDone() {
        servers.down.add("dn1-page");

        assertThat(run("remove", "nn4")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output)
                .containsPattern("dn1 +trouble +whether it still tries to report elsewhere is not known");
    }
}
