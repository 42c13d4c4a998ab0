/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.tools.cluster.FakeNameNodes;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code upgrade plan}, {@code next}, {@code finish} and {@code abort}: what is ordered, and what an orchestrator is told. */
class UpgradeCommandsTest {
    private static final String MEMBER =
            """
            {"name":"%s","answered":%s,"trouble":"","state":"%s","reason":"","changing":false,"zooKeeper":true,"drained":%s,
            "electable":true,"preparing":false,"priority":0,"version":"%s"}""";

    private final FakePool cluster = new FakePool(3);
    private final FakeNameNodes nameNodes = cluster.nameNodes;
    private final Map<String, String> versions = new TreeMap<>(Map.of("nn1", "1.0.0", "nn2", "1.0.0", "nn3", "1.0.0"));
    private final Map<String, Boolean> drained = new TreeMap<>();
    private final Map<String, String> unanswered = new TreeMap<>();
    private String active = "nn1";

    @BeforeEach
    void setStatus() {
        nameNodes.effect = order -> {
            String name = order.substring(order.indexOf(' ') + 1);
            drained.put(name, order.startsWith("drain"));
            if (active.equals(name)) {
                active = "nn2";
            }
        };
        nameNodes.statusAsked = address -> nameNodes.statuses.put("host1:9870", status());
    }

    private String status() {
        String members = versions.entrySet().stream()
                .map(one -> MEMBER.formatted(
                        one.getKey(),
                        !unanswered.containsKey(one.getKey()),
                        one.getKey().equals(active) ? "active" : "standby",
                        drained.getOrDefault(one.getKey(), false),
                        one.getValue()))
                .collect(Collectors.joining(","));
        String nodes = versions.keySet().stream()
                .map(name ->
                        "{\"address\":\"%s:8487\",\"nameNode\":\"%s\",\"kind\":\"voter\",\"state\":\"serves\",\"inSync\":true}"
                                .formatted(name, name))
                .collect(Collectors.joining(","));
        return "{\"nameservice\":\"ns1\",\"verdict\":{\"level\":\"healthy\"},\"members\":[" + members
                + "],\"pool\":{\"majority\":2,\"votersServing\":3,\"nodes\":[" + nodes + "]}}";
    }

    @Test
    void planShowsVersionsAndNextStep() {
        versions.put("nn3", "1.1.0");

        assertThat(cluster.run("upgrade", "plan", "--to", "1.1.0")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output)
                .isEqualTo(
                        """
                        NAMENODE  VERSION  STATE    LACKS
                        nn1       1.0.0    active       -
                        nn2       1.0.0    standby      -
                        nn3       1.1.0    standby      -

                        nn2 may be stopped: it is a standby; nn3 could take over meanwhile; 2 voters in sync are left, and 2 are a majority
                        Next: hdfs trefoil upgrade next nn2
                        """);
        assertThat(nameNodes.orders).isEmpty();
    }

    @Test
    void jsonContainsStepAndVersions() {
        drained.put("nn2", true);
        versions.put("nn2", "1.1.0");

        assertThat(cluster.run("upgrade", "plan", "--to", "1.1.0", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).contains("\"step\": \"finish\"", "\"nameNode\": \"nn2\"", "\"version\": \"1.1.0\"");
    }

    @Test
    void planExitsWithFindingWhenNoStepIsAllowed() {
        unanswered.put("nn3", "");

        assertThat(cluster.run("upgrade", "plan", "--to", "1.1.0")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("nn3 does not answer\n");
    }

    @Test
    void upgradeStopsStandbysOneByOneAndActiveLast() {
        for (String name : new String[] {"nn3", "nn2", "nn1"}) {
            assertThat(cluster.run("upgrade", "next", "--to", "1.1.0")).isEqualTo(ExitCode.FINE);
            assertThat(cluster.output).startsWith(name + " may be stopped: ");
            assertThat(cluster.run("upgrade", "next", "--to", "1.1.0"))
                    .as("may be repeated")
                    .isEqualTo(ExitCode.FINE);
            versions.put(name, "1.1.0");
            assertThat(cluster.run("upgrade", "finish", "--to", "1.1.0")).isEqualTo(ExitCode.FINE);
        }
        assertThat(cluster.output).isEqualTo("nn1 runs 1.1.0, and serves: standby; it was the last one\n");
        assertThat(nameNodes.orders)
                .containsExactly(
                        "drain-alone nn3",
                        "drain-alone nn3",
                        "undrain nn3",
                        "drain-alone nn2",
                        "drain-alone nn2",
                        "undrain nn2",
                        "drain-alone nn1",
                        "drain-alone nn1",
                        "undrain nn1");
        assertThat(active).isEqualTo("nn2");

        assertThat(cluster.run("upgrade", "next", "--to", "1.1.0")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).isEqualTo("All NameNodes run 1.1.0, and serve\n");
        assertThat(cluster.run("upgrade", "plan", "--to", "1.1.0")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void drainsNoNameNodeWhenUnsafe() {
        unanswered.put("nn3", "");

        assertThat(cluster.run("upgrade", "next", "nn2", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).isEqualTo("nn3 does not answer\n");
        assertThat(nameNodes.orders).isEmpty();
    }

    @Test
    void nextWaitsForStepOfOtherOperator() {
        drained.put("nn3", true);

        assertThat(cluster.run("upgrade", "next", "nn2", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).isEqualTo("the step of nn3 has begun, and not ended\n");
        versions.put("nn3", "1.1.0");
        assertThat(cluster.run("upgrade", "next", "nn2", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("first type 'hdfs trefoil upgrade finish nn3'");
        assertThat(nameNodes.orders).isEmpty();
    }

    @Test
    void nextReportsNotYetWhenActiveDoesNotHandOver() {
        nameNodes.effect = order -> drained.put("nn1", true);

        assertThat(cluster.run("upgrade", "next", "nn1", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).startsWith("nn1 is drained, but may not be stopped yet: nn1 is still active");
    }

    @Test
    void nextWaitsUntilItsDrainIsVisible() {
        AtomicInteger looks = new AtomicInteger();
        Consumer<String> say = nameNodes.statusAsked;
        // What is seen right after the order is from before it, as of a NameNode that has not heard of it.
        nameNodes.statusAsked = address -> {
            if (nameNodes.orders.isEmpty() || looks.incrementAndGet() > 3) {
                say.accept(address);
            }
        };

        assertThat(cluster.run("upgrade", "next", "nn3", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output)
                .startsWith("nn3 is drained, but may not be stopped yet: NameNodes do not say yet that nn3 is drained");
        assertThat(cluster.run("upgrade", "next", "nn3", "--to", "1.1.0", "--wait", "1m"))
                .isEqualTo(ExitCode.FINE);
    }

    @Test
    void drainsOnlyOneNameNodeWhenBothCheckConcurrently() {
        // Another command drains nn2 between the look of this one and its order.
        Consumer<String> say = nameNodes.statusAsked;
        nameNodes.refusal = Optional.of("nn2 is drained, wanted one at a time");
        nameNodes.statusAsked = address -> {
            if (address.equals("host1:9870")) {
                say.accept(address);
                drained.put("nn2", true);
            }
        };

        assertThat(cluster.run("upgrade", "next", "nn3", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).isEqualTo("the step of nn2 has begun, and not ended\n");
        assertThat(nameNodes.orders).isEmpty();
    }

    @Test
    void refusalEndsNextImmediatelyWithoutDrainingAnother() {
        nameNodes.refusal = Optional.of("Disallowed RPC access from mallory");

        assertThat(cluster.run("upgrade", "next", "nn3", "--to", "1.1.0", "--wait", "1h"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.errors).contains("Refused: Disallowed RPC access from mallory");
    }

    @Test
    void finishKeepsDrainUntilNewVersionServes() {
        drained.put("nn3", true);

        assertThat(cluster.run("upgrade", "finish", "nn3", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("nn3 runs 1.0.0, wanted 1.1.0: was it restarted with the new release?");
        unanswered.put("nn3", "");
        assertThat(cluster.run("upgrade", "finish", "nn3", "--to", "1.1.0", "--wait", "0"))
                .isEqualTo(ExitCode.FINDING);
        assertThat(cluster.output).contains("nn3 does not answer");
        assertThat(nameNodes.orders).isEmpty();
    }

    @Test
    void refusesFinishWhenNameNodeIsAmbiguous() {
        assertThat(cluster.run("upgrade", "finish", "--to", "1.1.0")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.errors).contains("wanted one drained NameNode, found none");
    }

    @Test
    void abortUndrainsAllAndReportsVersions() {
        drained.put("nn3", true);
        versions.put("nn3", "1.1.0");

        assertThat(cluster.run("upgrade", "abort")).isEqualTo(ExitCode.FINE);
        assertThat(nameNodes.orders).containsExactly("undrain nn3");
        assertThat(cluster.output)
                .isEqualTo(
                        """
                        No longer drained: nn3
                        nn1, nn2 run 1.0.0
                        nn3 runs 1.1.0
                        To go on, or to go back, install the version that is wanted on all hosts, and type 'hdfs trefoil upgrade plan'
                        """);
    }

    @Test
    void refusesInvalidUsage() {
        assertThat(cluster.run("upgrade", "next", "nn9", "--to", "1.1.0")).isEqualTo(ExitCode.USAGE);
        assertThat(cluster.run("upgrade", "next", "--to", "1.1.0", "--wait", "long"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(cluster.run("upgrade")).isEqualTo(ExitCode.USAGE);
        nameNodes.statusAsked = address -> {};
        assertThat(cluster.run("upgrade", "plan", "--to", "1.1.0")).isEqualTo(ExitCode.NOBODY_ANSWERED);
    }
}
