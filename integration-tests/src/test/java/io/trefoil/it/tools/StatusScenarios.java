/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What is said of a cluster in the situations of {@code docs/operating/verdicts.md}, against that page. */
final class StatusScenarios {
    private static final Path PAGE = Path.of("../docs/operating/verdicts.md");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, Integer> EXIT_CODES = Map.of("healthy", 0, "degraded", 1, "down", 4);

    private static final String WHOLE = "all three serve";
    private static final int PAGE_MILLIS = 10_000;
    private static final Duration TIMEOUT = Await.TIMEOUT.multipliedBy(5);

    private final HaCluster cluster;
    private NameNodeServer active;
    private NameNodeServer other;
    private NameNodeServer third;

    StatusScenarios(HaCluster cluster) {
        this.cluster = cluster;
        assignNames(cluster.nameNode(1));
    }

    /** Goes by the name of nn1 on the page. */
    NameNodeServer active() {
        return active;
    }

    /** Goes by the name of nn2 on the page. */
    NameNodeServer other() {
        return other;
    }

    /** Goes by the name of nn3 on the page. */
    NameNodeServer third() {
        return third;
    }

    /** Waits until the cluster is healthy; another may have become active meanwhile. */
    void awaitHealthy() throws IOException {
        Await.until(
                "it is healthy",
                TIMEOUT,
                () -> {
                    awaitActive();
                    return shownDocument().equals(documentedReport(WHOLE));
                },
                cluster::describe);
        awaitCommandReports(WHOLE);
    }

    /** Waits until a NameNode is active, and calls it nn1. */
    void awaitActive() {
        assignNames(cluster.awaitActive());
    }

    /** The same, and a NameNode with something of its own is nn3. */
    void awaitHealthyWith(NameNodeServer nameNode) throws IOException {
        awaitHealthy();
        if (active == nameNode) {
            cluster.failOverTo(other);
            awaitHealthy();
        }
        if (other == nameNode) {
            other = third;
            third = nameNode;
        }
    }

    private void assignNames(NameNodeServer leader) {
        active = leader;
        List<NameNodeServer> others = cluster.nameNodesExcept(active);
        other = others.isEmpty() ? active : others.get(0);
        third = others.size() < 2 ? other : others.get(1);
    }

    /**
     * Waits until the command says it. What is on the way to a situation may be another one: pages tell when it is there, for less
     * than a process each time.
     */
    void awaitCommandReports(String situation) throws IOException {
        awaitAnswer(situation, this::shownDocument);
        awaitAnswer(situation, () -> {
            ToolResult status = cluster.trefoil("status", "--json");
            return formatReport(JSON.readTree(status.output()), status.exitCode());
        });
    }

    /** Waits until a page has it, for what does not last as long as a process needs to start. */
    void awaitPageShows(String situation) throws IOException {
        awaitAnswer(situation, this::shownDocument);
    }

    /** By the page of the first NameNode that has one. */
    private String shownDocument() throws IOException {
        IOException last = new IOException("no NameNode");
        for (NameNodeServer nameNode : cluster.nameNodes()) {
            try {
                URLConnection page = URI.create("http://" + nameNode.address("http") + "/trefoil/status")
                        .toURL()
                        .openConnection();
                page.setConnectTimeout(PAGE_MILLIS);
                page.setReadTimeout(PAGE_MILLIS);
                JsonNode document = JSON.readTree(page.getInputStream());
                return formatReport(
                        document, EXIT_CODES.get(document.at("/verdict/level").asText()));
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private interface Answer {
        String get() throws IOException;
    }

    private void awaitAnswer(String situation, Answer answer) throws IOException {
        String wanted = documentedReport(situation);
        Set<String> said = new LinkedHashSet<>();
        Await.until(
                situation,
                TIMEOUT,
                () -> {
                    String now = answer.get();
                    said.add(now);
                    return now.equals(wanted);
                },
                () -> "wanted: " + wanted + "\nsaid:   " + String.join("\nsaid:   ", said) + "\n" + cluster.describe());
    }

    private String formatReport(JsonNode document, int exitCode) {
        JsonNode verdict = document.path("verdict");
        String advice = verdict.path("findings").path(0).path("advice").asText("–");
        String said = String.join(" | ", verdict.path("sentence").asText(), advice, Integer.toString(exitCode));
        return withoutVariableParts(said.replaceAll("\\b" + active.name() + "\\b", "NN1")
                .replaceAll("\\b" + other.name() + "\\b", "NN2")
                .replaceAll("\\b" + third.name() + "\\b", "NN3")
                .replaceAll("\\bNN([123])\\b", "nn$1"));
    }

    private static String documentedReport(String situation) throws IOException {
        List<String> rows = Files.readAllLines(PAGE, StandardCharsets.UTF_8).stream()
                .filter(line -> line.startsWith("| " + situation + " | "))
                .toList();
        assertThat(rows).as(situation).hasSize(1);
        String row = rows.get(0);
        return withoutVariableParts(row.substring(("| " + situation + " | ").length(), row.lastIndexOf(" |")));
    }

    /** Without what is different on each machine: where servers are, how full a disk is, and how far or long something is. */
    private static String withoutVariableParts(String text) {
        return text.replaceAll("(?:host\\d|\\d+(?:\\.\\d+){3}):\\d+", "host:port")
                .replaceAll(
                        ": \\S+ has [^,]+ left, less than the .+ of dfs", ": volume has … left, less than the … of dfs")
                .replaceAll("is failed: .*?(, and|;)", "is failed: why$1")
                .replaceAll("\\d+ percent", "N percent")
                .replaceAll("transaction \\d+, \\w+ \\[.*\\]: \\w+: .*?(, and|;)", "transaction N, Op [of it]: why$1")
                .replaceAll("for its disk for \\d+ s", "for its disk for N s");
    }
}
