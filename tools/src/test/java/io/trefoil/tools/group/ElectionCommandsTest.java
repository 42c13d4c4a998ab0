/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakeNameNodes;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@code prefer}, {@code drain} and {@code undrain}: what is ordered, and what the operator is told. */
class ElectionCommandsTest {
    private static final String STATUS =
            """
            {"nameservice":"ns1","verdict":{"level":"healthy"},"members":[
            {"name":"nn1","answered":true,"state":"%s","poolNodeNeeded":%s},{"name":"nn2","answered":true,"state":"standby"}]}
            """;

    private final FakePool cluster = new FakePool(3);
    private final FakeNameNodes nameNodes = cluster.nameNodes;

    private void setNn1State(String state, boolean poolNodeNeeded) {
        nameNodes.statuses.put("host2:9870", STATUS.formatted(state, poolNodeNeeded));
    }

    @Test
    void ordersAndClearsPreference() {
        assertThat(cluster.run("prefer", "nn2")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).isEqualTo("done: prefer nn2\n");
        assertThat(cluster.run("prefer", "nn2", "--for", "12h")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.run("prefer", "--clear", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).contains("\"done\": \"done: prefer nobody\"");

        assertThat(nameNodes.orders).containsExactly("prefer nn2", "prefer nn2 for PT12H", "prefer nobody");
    }

    @Test
    void preferWithoutArgumentsShowsPreference() {
        assertThat(cluster.run("prefer")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).isEqualTo("No NameNode is preferred\n");

        setPreferenceForNn3("99999999999000");
        assertThat(cluster.run("prefer")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .startsWith("nn3 is preferred by alice since 1970-01-01T00:00:01Z, until ")
                .endsWith("Z\n");
        setPreferenceForNn3("2000");
        assertThat(cluster.run("prefer")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).isEqualTo("No NameNode is preferred\n");
        assertThat(nameNodes.orders).isEmpty();
    }

    @Test
    void warnsWhenShownPreferenceMayBeOutdated() {
        nameNodes.pages.replaceAll((address, page) -> page.replace("\"ViewCurrent\":true", "\"ViewCurrent\":false"));

        assertThat(cluster.run("prefer")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output).contains("No NameNode is preferred\nNo NameNode that answers reaches ZooKeeper");
    }

    private void setPreferenceForNn3(String until) {
        String orders =
                "\\\"orders\\\":{\\\"preferred\\\":{\\\"nameNode\\\":\\\"nn3\\\",\\\"by\\\":\\\"alice\\\",\\\"since\\\":1000,\\\"until\\\":"
                        + until + "}},\\\"members\\\"";
        nameNodes.pages.put(
                "host1:9870", FakeNameNodes.page("ACTIVE", "", 1, 2, 9).replace("\\\"members\\\"", orders));
    }

    @Test
    void rejectsInvalidArgumentsBeforeSendingOrders() {
        assertThat(cluster.run("prefer", "nn1", "--clear")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.run("prefer", "--for", "1h")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.run("prefer", "nn1", "--for", "tomorrow")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.run("drain", "nn1", "--wait", "long")).isEqualTo(ExitCode.USAGE);
        for (String order : List.of("drain", "undrain", "prefer")) {
            assertThat(cluster.run(order, "nn9")).isEqualTo(ExitCode.USAGE);
            assertThat(cluster.errors).contains("nn1, nn2", "got 'nn9'");
        }
        assertThat(nameNodes.orders).isEmpty();
    }

    @Test
    void printsRefusal() {
        nameNodes.refusal = Optional.of("Without nn1 no NameNode could be active: nn2 is drained");

        assertThat(cluster.run("drain", "nn1")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.errors).contains("Refused: Without nn1 no NameNode could be active");
        assertThat(cluster.run("undrain", "nn1")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.run("prefer", "nn1")).isEqualTo(ExitCode.FINDING);
    }

    @Test
    void drainedStandbyMayBeStopped() {
        setNn1State("standby", false);

        assertThat(cluster.run("drain", "nn1")).isEqualTo(ExitCode.FINE);

        assertThat(cluster.output).isEqualTo("done: drain nn1\n");
    }

    @Test
    void nameNodeDefaultsToThisHost() {
        setNn1State("active", true);

        assertThat(cluster.run("drain")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.run("undrain")).isEqualTo(ExitCode.FINE);

        assertThat(nameNodes.orders).containsExactly("drain nn2", "undrain nn2");
    }

    @Test
    void drainFailsWhileNameNodeStaysActive() {
        setNn1State("active", false);

        assertThat(cluster.run("drain", "nn1", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output).contains("nn1 is still active");
    }

    /** It may be the active, in a long pause of its JVM. */
    @Test
    void unresponsiveNameNodeIsNotMistakenForInactive() {
        setNn1State("", false);
        String silent = nameNodes.statuses.get("host2:9870").replaceFirst("\"answered\":true", "\"answered\":false");
        nameNodes.statuses.put("host2:9870", silent);

        assertThat(cluster.run("drain", "nn1", "--wait", "1s")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("But nn1 does not say whether it is active");
        assertThat(cluster.run("drain", "nn1", "--wait", "1s", "--json")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("\"active\": null");

        nameNodes.statuses.put("host2:9870", silent.replace("nn1", "nn9"));
        assertThat(cluster.run("drain", "nn1", "--wait", "1s")).isEqualTo(ExitCode.FINDING);
    }

    @Test
    void drainWaitsForUnresponsiveNameNodeToAnswer() {
        setNn1State("standby", false);
        String answers = nameNodes.statuses.get("host2:9870");
        AtomicInteger asked = new AtomicInteger();
        nameNodes.statusAsked = webAddress -> {
            if (webAddress.equals("host2:9870")) {
                nameNodes.statuses.put(
                        webAddress,
                        asked.incrementAndGet() < 3
                                ? answers.replaceFirst("\"answered\":true", "\"answered\":false")
                                : answers);
            }
        };

        assertThat(cluster.run("drain", "nn1")).isEqualTo(ExitCode.FINE);

        assertThat(asked.get()).isEqualTo(3);
    }

    @Test
    void drainWarnsWhenPoolLacksMajority() {
        nameNodes.statuses.put(
                "host2:9870",
                STATUS.formatted("standby", false)
                        .replace("\"members\"", "\"pool\":{\"votersServing\":1,\"majority\":2},\"members\""));

        assertThat(cluster.run("drain", "nn1")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.output).contains("Warning: fewer pool nodes answer than a majority");
    }

    @Test
    void drainWarnsWhenPoolNodeIsNeeded() {
        setNn1State("standby", true);

        assertThat(cluster.run("drain", "nn1", "--json")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("\"poolNodeNeeded\": true");
        assertThat(cluster.run("drain", "nn1")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("Warning: the pool node of nn1 is needed for a majority");
    }

    @Test
    void drainWithoutStatusIsNotReportedAsDone() {
        assertThat(cluster.run("drain", "nn1")).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(cluster.errors).contains("nn1 is drained, but is it still active?");
    }
}
