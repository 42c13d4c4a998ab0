/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus, configured as the page says, gets for rules and dashboards from an installation with nothing optional. */
@Tag("long")
@EnabledIf("hasPrometheus")
class DashboardsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path MONITORING = Path.of("../monitoring");
    private static final Path PAGE = Path.of("../docs/operating/monitoring.md");
    private static final Pattern CONFIGURATION = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");
    private static final int CHANGES = 500;
    private static final Duration TIMEOUT = Await.TIMEOUT.multipliedBy(2);

    @TempDir
    private Path directory;

    private final int port = PortAllocator.free();

    static boolean hasPrometheus() {
        return Shell.tryRun("command -v prometheus").exitCode() == 0;
    }

    @Test
    void everyOpenPanelHasSeriesInPlainInstallation() throws Exception {
        HaCluster.builder("dashboards")
                .withAutomaticFailover()
                .property("hadoop.prometheus.endpoint.enabled", "true")
                .property("*.period", "1")
                .run(cluster -> {
                    Process prometheus = startPrometheus(cluster);
                    try (RunningLoad load =
                            Workload.on(cluster.newFileSystem()).threads(2).start()) {
                        load.awaitMore(CHANGES, TIMEOUT);
                        NameNodeServer former = cluster.awaitActiveAndStandbys();
                        cluster.failOverTo(cluster.nameNodesExcept(former).get(0));
                        load.awaitMore(CHANGES, TIMEOUT);
                        for (JsonNode dashboard : dashboards()) {
                            assertHasSeries(
                                    "failovers",
                                    dashboard.at("/annotations/list/0/expr").asText(),
                                    "instance");
                            for (JsonNode panel : dashboard.path("panels")) {
                                panel.path("targets").forEach(target -> assertHasSeries(panel, target));
                            }
                        }
                        assertRulesAreEvaluated();
                    } finally {
                        prometheus.destroyForcibly().waitFor();
                    }
                });
    }

    /** With the configuration of the page; only the addresses are others, and the scrapes more frequent. */
    private Process startPrometheus(HaCluster cluster) throws IOException {
        Matcher onPage = CONFIGURATION.matcher(Files.readString(PAGE));
        assertThat(onPage.find()).as("configuration of Prometheus in " + PAGE).isTrue();
        String addresses =
                cluster.nameNodes().stream().map(one -> one.address("http")).collect(Collectors.joining(", "));
        Path file = directory.resolve("prometheus.yml");
        Files.writeString(
                file,
                "global: {evaluation_interval: 1s}\n"
                        + onPage.group(1)
                                .replaceFirst("targets: \\[.*]", "targets: [" + addresses + "]")
                                .replace("scrape_interval: 10s", "scrape_interval: 1s"));
        Files.copy(MONITORING.resolve("trefoil-rules.yml"), directory.resolve("trefoil-rules.yml"));
        return new ProcessBuilder(
                        "prometheus",
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private static List<JsonNode> dashboards() throws IOException {
        List<JsonNode> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(MONITORING.resolve("grafana"))) {
            for (Path file : files.sorted().toList()) {
                all.add(JSON.readTree(file.toFile()));
            }
        }
        assertThat(all).hasSize(2);
        return all;
    }

    private void assertHasSeries(JsonNode panel, JsonNode target) {
        Matcher label = LABEL.matcher(target.path("legendFormat").asText());
        assertHasSeries(panel.path("title").asText(), target.path("expr").asText(), label.find() ? label.group(1) : "");
    }

    private void assertHasSeries(String title, String expression, String label) {
        String query = expression.replace("$nameservice", "ns1");
        assertThat(query).as(title).doesNotContain("$");
        JsonNode series = Await.untilFound(
                "panel '" + title + "' has series for " + query,
                TIMEOUT,
                () -> Optional.of(query("query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8))
                                .at("/data/result"))
                        .filter(result -> result.size() > 0),
                this::prometheusLog);
        StringBuilder shown = new StringBuilder();
        for (JsonNode one : series) {
            if (!label.isEmpty()) {
                assertThat(one.path("metric").path(label).asText())
                        .as("%s of %s in '%s'", label, query, title)
                        .isNotEmpty();
            }
            shown.append(' ').append(one.at("/value/1").asText());
        }
        System.out.printf("%s:%s%n", title, shown);
    }

    private void assertRulesAreEvaluated() {
        Await.until(
                "all rules are evaluated",
                TIMEOUT,
                () -> query("rules").findValuesAsText("health").stream().allMatch("ok"::equals),
                this::prometheusLog);
        JsonNode rules = query("rules").at("/data/groups/0/rules");
        assertThat(rules.size()).isGreaterThan(20);
        for (JsonNode rule : rules) {
            System.out.printf(
                    "%s: %s%n", rule.path("name").asText(), rule.path("state").asText());
            assertThat(rule.path("state").asText())
                    .as(rule.path("name").asText())
                    .isNotEqualTo("firing");
        }
    }

    private JsonNode query(String query) {
        try {
            return JSON.readTree(
                    URI.create("http://127.0.0.1:" + port + "/api/v1/" + query).toURL());
        } catch (IOException e) {
            throw new AssertionError("Prometheus does not answer " + query + "\n" + prometheusLog(), e);
        }
    }

    private String prometheusLog() {
        try {
            return Files.readString(directory.resolve("log"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
