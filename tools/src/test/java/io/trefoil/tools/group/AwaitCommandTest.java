/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakeNameNodes;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code await}: what it takes for served, what it says meanwhile, and how it ends. */
class AwaitCommandTest {
    private static final String STATUS =
            """
            {"nameservice":"ns1","verdict":{"level":"degraded","sentence":"degraded: x"},"members":[
            {"name":"nn1","answered":true,"trouble":"","state":"active","reason":"","changing":false,"zooKeeper":true},
            {"name":"nn2","answered":true,"trouble":"","state":"standby","reason":"","changing":false,"zooKeeper":true}],
            "pool":{"nodes":[
            {"address":"host2:8487","nameNode":"nn2","kind":"voter","state":"serves","trouble":"","inSync":true},
            {"address":"host9:8487","nameNode":"","kind":null,"state":"down","trouble":"","inSync":null}]}}
            """;

    private final FakePool cluster = new FakePool(3);
    private final FakeNameNodes nameNodes = cluster.nameNodes;

    AwaitCommandTest() {
        cluster.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
    }

    private void setStatuses(String... statuses) {
        Deque<String> coming = new ArrayDeque<>(List.of(statuses));
        nameNodes.statusAsked = address -> {
            if (address.equals("host1:9870")) {
                nameNodes.statuses.put(address, coming.size() > 1 ? coming.pop() : coming.peek());
            }
        };
    }

    @Test
    void returnsWhenLocalStandbyServes() {
        setStatuses(STATUS);

        assertThat(cluster.run("await")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).isEqualTo("nn2 serves: standby\n");
        assertThat(cluster.errors).isEmpty();
    }

    @Test
    void reportsAwaitedConditionWhenItChanges() {
        String starting =
                STATUS.replace("\"state\":\"standby\",\"reason\":\"\"", "\"state\":\"\",\"reason\":\"loads\"");
        String unknown = STATUS.replace("\"kind\":\"voter\"", "\"kind\":null");
        setStatuses(starting, starting, unknown, STATUS);

        assertThat(cluster.run("await", "nn1", "nn2")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.errors)
                .isEqualTo(
                        """
                        Waiting: nn2 is starting: loads
                        Waiting: nn2 its pool node host2:8487 is not a member of the journal yet
                        """);
        assertThat(cluster.output).isEqualTo("nn1 serves: active\nnn2 serves: standby\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"state\":\"standby\",\"reason\":\"\" | \"state\":\"junior\",\"reason\":\"in safe mode\" | is junior: in safe mode",
                "\"state\":\"standby\" | \"state\":\"\" | is starting",
                "nn2\",\"answered\":true,\"trouble\":\"\" | nn2\",\"answered\":false,\"trouble\":\"refused\" | does not answer: refused",
                "\"reason\":\"\",\"changing\":false,\"zooKeeper\":true}], | \"changing\":true,\"zooKeeper\":true}], | is changing its role",
                "\"zooKeeper\":true}], | \"zooKeeper\":false}], | cannot reach ZooKeeper",
                "\"kind\":\"voter\" | \"kind\":\"learner\" | its pool node host2:8487 does not vote yet",
                "\"state\":\"serves\" | \"state\":\"refetching\" | its pool node host2:8487 is refetching",
                "\"inSync\":true | \"inSync\":false | its pool node host2:8487 is not in sync",
                "\"level\":\"degraded\" | \"level\":\"down\" | clients are not served: degraded: x",
            })
    void waitsWhileConditionIsMissing(String from, String to, String missing) {
        assertThat(STATUS).contains(from);
        setStatuses(STATUS.replace(from, to));

        assertThat(cluster.run("await", "nn2", "--wait", "0")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).isEqualTo("nn2 " + missing + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"nameNode\":\"nn2\" | \"nameNode\":\"\"",
                "\"kind\":\"voter\" | \"kind\":\"permanent-learner\"",
                "\"inSync\":true | \"inSync\":null",
            })
    void returnsWhenPoolNodeMeetsConditions(String from, String to) {
        assertThat(STATUS).contains(from);
        setStatuses(STATUS.replace(from, to));

        assertThat(cluster.run("await", "nn2", "--wait", "0")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void jsonListsMissingConditionsOnTimeout() {
        setStatuses(STATUS.replace("\"inSync\":true", "\"inSync\":false"));

        assertThat(cluster.run("await", "nn1", "nn2", "--wait", "0", "--json")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output)
                .contains("\"done\": false", "\"waitedMillis\": ", "\"name\": \"nn1\"", "\"ready\": true")
                .contains("\"missing\": \"its pool node host2:8487 is not in sync\"");
    }

    @Test
    void reportsMissingAnswer() {
        assertThat(cluster.run("await", "nn1", "--wait", "0")).isEqualTo(ExitCode.NOBODY_ANSWERED);
    }

    @Test
    void retriesUntilNameNodeAnswers() {
        nameNodes.statusAsked = address -> {
            if (address.equals("host1:9870") && nameNodes.statuses.isEmpty()) {
                nameNodes.statuses.put("host2:9870", STATUS);
            }
        };

        assertThat(cluster.run("await", "nn1")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void refusesUnknownNameNode() {
        assertThat(cluster.run("await", "nn9")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.run("await", "nn1", "--wait", "long")).isEqualTo(ExitCode.USAGE);
    }

    @Test
    void queriesNameNodeDirectlyWhenFailoverIsManual() {
        nameNodes.elected = false;
        setNn1State("standby", "");
        assertThat(cluster.run("await", "nn1", "--wait", "0")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).isEqualTo("nn1 serves: standby\n");

        setNn1State("standby", "Safe mode is ON.");
        assertThat(cluster.run("await", "nn1", "--wait", "0")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).isEqualTo("nn1 is in safe mode: Safe mode is ON.\n");

        setNn1State("initializing", "");
        assertThat(cluster.run("await", "nn1", "--wait", "0")).isEqualTo(ExitCode.FINDING);
        nameNodes.pages.remove("host1:9870 Hadoop:service=NameNode,name=NameNodeStatus");
        nameNodes.pages.remove("host1:9870");
        assertThat(cluster.run("await", "nn1", "--wait", "0")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).isEqualTo("nn1 does not answer: Connection refused\n");
    }

    @Test
    void queriesPoolWhenFailoverIsManual() {
        nameNodes.elected = false;
        setNn1State("standby", "");
        cluster.node(3).silence = "no answer";

        assertThat(cluster.run("await", "nn1", "--wait", "0")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).startsWith("nn1 pool node host3:8487 ");
        cluster.poolConfigured = false;
        assertThat(cluster.run("await", "nn1", "--wait", "0")).isEqualTo(ExitCode.FINE);
    }

    private void setNn1State(String state, String safeMode) {
        nameNodes.pages.put(
                "host1:9870 Hadoop:service=NameNode,name=NameNodeStatus",
                "{\"beans\":[{\"State\":\"" + state + "\"}]}");
        nameNodes.pages.put(
                "host1:9870 Hadoop:service=NameNode,name=NameNodeInfo",
                "{\"beans\":[{\"Safemode\":\"" + safeMode + "\"}]}");
    }
}
