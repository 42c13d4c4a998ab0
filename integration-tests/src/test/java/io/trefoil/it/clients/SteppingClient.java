/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.ClientProgram;
import io.trefoil.it.cluster.server.ClientProgram.SmartClientJar;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Steps;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** A program that works in {@link Steps}, in a JVM with other libraries than the cluster's. */
public final class SteppingClient {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration EXIT_TIMEOUT = Duration.ofMinutes(1);
    private static final Pattern STEP = Pattern.compile("^step (\\d+): (\\d+) ms$", Pattern.MULTILINE);
    private static final int STEPS_ON_EACH_SIDE = 3;

    private final String name;
    private final Jdk jdk;
    private final List<Path> libraries;
    private final String type;
    private final List<String> jvmOptions;
    private final Map<String, String> properties;

    public SteppingClient(String name, Jdk jdk, List<Path> libraries, String type, String... jvmOptions) {
        this(name, jdk, libraries, type, Map.of(), jvmOptions);
    }

    /** @param properties added to those of the cluster's clients, which they override */
    public SteppingClient(
            String name,
            Jdk jdk,
            List<Path> libraries,
            String type,
            Map<String, String> properties,
            String... jvmOptions) {
        this.name = name;
        this.jdk = jdk;
        this.libraries = List.copyOf(libraries);
        this.type = type;
        this.properties = Map.copyOf(properties);
        this.jvmOptions = List.of(jvmOptions);
    }

    /**
     * The active is killed between two steps, or during one: the program goes on, and finds all of its work.
     *
     * @return how long the longest step took
     */
    public Duration assertSurvivesKill(HaCluster cluster) throws IOException {
        return assertSurvivesKill(cluster, SmartClientJar.PRESENT);
    }

    /** @param jar missing for a program that speaks HTTP, or that reaches HDFS through another process with the jar */
    Duration assertSurvivesKill(HaCluster cluster, SmartClientJar jar) throws IOException {
        return assertAllSurviveKill(cluster, jar, List.of(this));
    }

    /**
     * The same with several at work.
     *
     * @param jar missing if they have theirs among their libraries
     */
    public static Duration assertAllSurviveKill(HaCluster cluster, SmartClientJar jar, List<SteppingClient> programs)
            throws IOException {
        Map<SteppingClient, Server> started = new LinkedHashMap<>();
        for (SteppingClient program : programs) {
            started.put(program, program.start(cluster, program.name, program.stop(cluster), jar));
        }
        started.values().forEach(client -> awaitSteps(client, STEPS_ON_EACH_SIDE));
        NameNodeServer killed = cluster.awaitActive();
        killed.kill9();
        Map<Server, Integer> before = new LinkedHashMap<>();
        started.values().forEach(client -> before.put(client, stepCount(client)));
        cluster.awaitActive();
        before.forEach((client, done) -> awaitSteps(client, done + STEPS_ON_EACH_SIDE));
        Duration longest = Duration.ZERO;
        for (Map.Entry<SteppingClient, Server> each : started.entrySet()) {
            Duration longestOfOne = each.getKey().awaitExit(cluster, each.getValue());
            longest = longest.compareTo(longestOfOne) < 0 ? longestOfOne : longest;
        }
        killed.awaitState(HAServiceState.STANDBY);
        return longest;
    }

    private Path stop(HaCluster cluster) {
        return cluster.layout().dataDirectory(name).resolve("stop");
    }

    private Duration awaitExit(HaCluster cluster, Server client) throws IOException {
        Files.createFile(stop(cluster));
        client.awaitExit(0, LIMIT);
        assertThat(client.exits().get(0).code()).as(client.describe()).isZero();
        assertThat(client.console().contains("checked " + stepCount(client) + " steps"))
                .as("it looked at its work: %s", client.describe())
                .isTrue();
        Duration longest = longestStep(client);
        System.out.printf(
                Locale.ROOT, "%s: %d steps, the longest took %d ms%n", name, stepCount(client), longest.toMillis());
        return longest;
    }

    /** If the property names our class but the jar is missing, the program says so at once, and does nothing. */
    void assertReportsMissingJar(HaCluster cluster) {
        assertThat(outputWithoutJar(cluster))
                .contains("Couldn't create proxy provider")
                .contains("ClassNotFoundException: Class " + SmartFailoverProxyProvider.class.getName() + " not found");
    }

    /** What it prints when its first step fails, as it must. */
    String outputWithoutJar(HaCluster cluster) {
        return immediateOutput(cluster, SmartClientJar.MISSING);
    }

    /** The same with or without the jar; it may take as long as a JVM needs, but not as long as a call is retried. */
    String immediateOutput(HaCluster cluster, SmartClientJar jar) {
        String without = name + "-that-fails";
        Server client =
                start(cluster, without, cluster.layout().dataDirectory(without).resolve("stop"), jar);
        client.awaitExit(0, EXIT_TIMEOUT);
        assertThat(client.exits().get(0).code()).as(client.describe()).isEqualTo(1);
        assertThat(stepCount(client)).as("steps").isZero();
        return client.console().textSince(0);
    }

    private Server start(HaCluster cluster, String name, Path stop, SmartClientJar jar) {
        return cluster.startProgram(new ClientProgram(
                name,
                jdk,
                jvmOptions,
                libraries,
                jar,
                properties,
                Steps.class.getName(),
                List.of(stop.toString(), type)));
    }

    private static void awaitSteps(Server client, int count) {
        client.await(
                "has done " + count + " steps, or has ended",
                LIMIT,
                () -> stepCount(client) >= count || !client.isAlive());
        assertThat(client.isAlive()).as("still at work: %s", client.describe()).isTrue();
    }

    private static int stepCount(Server client) {
        return (int) outputMatches(client).count();
    }

    private static Duration longestStep(Server client) {
        return outputMatches(client)
                .map(step -> Duration.ofMillis(Long.parseLong(step.group(2))))
                .skip(1)
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static Stream<MatchResult> outputMatches(Server client) {
        return STEP.matcher(client.console().textSince(0)).results();
    }
}
