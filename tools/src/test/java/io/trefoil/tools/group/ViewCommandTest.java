/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakeNameNodes;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an operator sees of a group of three NameNodes, and what scripts get. */
class ViewCommandTest {
    private final FakePool cluster = new FakePool(3);
    private final FakeNameNodes nameNodes = cluster.nameNodes;

    @Test
    void showsHealthyGroupWithOneActiveAndTwoStandbys() {
        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .isEqualTo(
                        """
                        Group ns1, nn1 has the lock, in epoch 7
                        NAMENODE  STATE    SINCE                 TXID  LAG  LAG-MS  EPOCH  HEALTH
                        nn1       active   1970-01-01T00:00:01Z    42    0       0      7  ok
                        nn2       standby  1970-01-01T00:00:02Z    42    0       0      7  ok
                        nn3       standby  1970-01-01T00:00:03Z    41    0       0      7  ok
                        1 active and 2 standby of 3
                        """);
    }

    @Test
    void unresponsiveMemberShowsLastViewAndIsNamed() {
        nameNodes.pages.remove("host3:9870");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output)
                .contains("nn3       standby  1970-01-01T00:00:03Z    39    1      15      7  no answer\n")
                .contains(
                        "nn3 does not answer: java.net.ConnectException: Connection refused; its row is what it showed"
                                + " the others last\n")
                .endsWith("1 active and 1 standby of 3, see above\n");
    }

    @Test
    void unresponsiveMemberMissingFromViewHasEmptyRow() {
        nameNodes.pages.remove("host2:9870");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output)
                .contains("nn2       -        -                        -    -       -      -  no answer\n")
                .contains("nn2 does not answer: java.net.ConnectException: Connection refused\n");
    }

    @Test
    void showsObserverRole() {
        nameNodes.pages.computeIfPresent(
                "host3:9870", (address, page) -> page.replace("\"Role\":\"STANDBY\"", "\"Role\":\"OBSERVER\""));

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .contains("nn2       standby            1970-01-01T00:00:02Z")
                .contains("nn3       standby, observer  1970-01-01T00:00:03Z")
                .endsWith("1 active and 2 standby of 3\n");
    }

    @Test
    void juniorReportsReason() {
        nameNodes.setState(2, "JUNIOR", "behind");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("nn2 is junior: behind\n");
    }

    @Test
    void reportsGroupWithoutActive() {
        nameNodes.setState(1, "STANDBY", "");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("NONE of those that answer is active\n");
    }

    @Test
    void reportsTwoActives() {
        nameNodes.setState(2, "ACTIVE", "");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("more than one calls itself active\n");
    }

    @Test
    void namesNameNodeWithoutPlugin() {
        nameNodes.pages.put("host2:9870", "{\"beans\":[]}");
        nameNodes.pages.put("host2:9870 Hadoop:service=NameNode,name=NameNodeStatus", "{\"beans\":[{}]}");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("nn2 runs without automatic failover by Trefoil\n");
    }

    @Test
    void reportsStartingPluginsWhenConfiguredPluginIsNotRunning() {
        nameNodes.pages.put("host2:9870", "{\"beans\":[]}");
        nameNodes.pages.put("host2:9870 Hadoop:service=NameNode,name=NameNodeStatus", "{\"beans\":[{}]}");
        nameNodes.pages.put("host2:9870 dfs.namenode.plugins", "<value>io.trefoil.ha.hdfs.MamsPlugin</value>");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("nn2 is starting: its plugins start\n");
    }

    @Test
    void showsStartupProgressOfNameNode() {
        nameNodes.pages.put("host2:9870", "{\"beans\":[]}");
        nameNodes.pages.put(
                "host2:9870 Hadoop:service=NameNode,name=StartupProgress", "{\"beans\":[{\"PercentComplete\":0.432}]}");

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("nn2 is starting: HDFS has done 43 percent of its start\n");
    }

    @Test
    void viewWithLatestBallotWins() {
        nameNodes.pages.put("host1:9870", FakeNameNodes.page("ACTIVE", "", 1000, 42, 1));

        assertThat(cluster.run("view", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .contains("\"ballot\": 2", "\"holder\": \"nn1\"", "\"fine\": true")
                .contains(
                        """
                            {
                              "name": "nn2",
                              "answered": true,
                              "state": "standby",
                              "role": "standby",
                              "electable": true,
                              "drained": false,
                              "preferred": false,
                              "preparing": false,
                              "priority": 0,
                              "site": "",
                              "since": 2000,
                              "txId": 42,
                              "lag": 0,
                              "lagMillis": 0,
                              "epoch": 7,
                              "health": "ok",
                              "http": "host2:9870"
                            },
                        """);
    }

    @Test
    void marksPreparingMember() {
        nameNodes.pages.replaceAll((address, page) ->
                page.replace("\\\"name\\\":\\\"nn3\\\"", "\\\"name\\\":\\\"nn3\\\",\\\"preparing\\\":true"));

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).contains("standby, preparing ");
    }

    @Test
    void reportsUnreachableZooKeeper() {
        nameNodes.pages.replaceAll((address, page) -> page.replace("\"ViewCurrent\":true", "\"ViewCurrent\":false"));

        assertThat(cluster.run("view")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("ZooKeeper is out of reach of all that answer");
    }

    @Test
    void namesAllMembersWhenNoneAnswers() {
        nameNodes.pages.clear();

        assertThat(cluster.run("view")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(cluster.errors)
                .contains("No NameNode of ns1 says anything of its group:\n")
                .contains("nn2 at host2:9870 does not answer");
    }

    @Test
    void rejectsUnknownNameservice() {
        assertThat(cluster.run("view", "--nameservice", "ns9")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.errors).contains("Wanted a nameservice 'ns9', found [ns1]");
    }

    @Test
    void watchRunsUntilInterrupted() throws Exception {
        AtomicInteger code = new AtomicInteger(-1);
        Thread watching = new Thread(() -> code.set(cluster.run("view", "--watch", "60")));
        watching.start();
        watching.interrupt();
        watching.join();

        // Interrupted while it asks or while it waits for the next time: in both cases it ends.
        assertThat(code.get()).isIn(ExitCode.FINE, ExitCode.FINDING);
    }

    @Test
    void historyShowsEveryStep() {
        assertThat(cluster.run("history")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .isEqualTo(
                        """
                        Failovers of group ns1, steps in ms after it was noticed
                        NOTICED                   FROM  TO   EPOCH  LOCKED  PROMISED  ACTIVE  ANNOUNCED  CAUSE
                        1970-01-01T00:00:00.500Z  none  nn2      5       3         9      80         82  no NameNode is active
                        1970-01-01T00:00:01Z      nn2   nn1      7       4        11     101        104  the lease of nn2 has ended
                        """);
    }

    @Test
    void historyIsLimitableAndPrintableAsJson() {
        assertThat(cluster.run("history", "--last", "1", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .contains("\"to\": \"nn1\"", "\"announcedAfterMs\": 104")
                .doesNotContain("\"to\": \"nn2\"");
    }
}
