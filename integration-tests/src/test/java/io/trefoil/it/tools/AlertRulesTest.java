/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * The rules for Prometheus, as far as they can be tested without one; {@code StatusIT} tests which metrics NameNodes
 * must have for them.
 */
class AlertRulesTest {
    private static final Path MONITORING = Path.of("../monitoring");

    private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");
    private static final Pattern FIRES = Pattern.compile("alertname: (\\w+)\\n +exp_alerts:\\n +- exp_labels");
    private static final Pattern IS_SILENT = Pattern.compile("\\{eval_time: \\w+, alertname: (\\w+)}");
    private static final Pattern INTERVAL = Pattern.compile("(?m)^ +- interval: (\\w+)$");

    static boolean hasPromtool() {
        return Shell.tryRun("command -v promtool").exitCode() == 0;
    }

    @Test
    void eachAlertHasFiringAndUnresponsiveCase() throws IOException {
        String cases = Files.readString(MONITORING.resolve("trefoil-rules-test.yml"));
        Set<String> alerts = names(ALERT, Files.readString(MONITORING.resolve("trefoil-rules.yml")));

        assertThat(alerts).isNotEmpty();
        assertThat(names(FIRES, cases)).containsExactlyInAnyOrderElementsOf(alerts);
        assertThat(names(IS_SILENT, cases)).containsExactlyInAnyOrderElementsOf(alerts);
    }

    /** Prometheus looks back five minutes for a sample: between rarer ones nothing lasts, and no alert fires. */
    @Test
    void casesHaveSampleAtLeastEveryFiveMinutes() throws IOException {
        String cases = Files.readString(MONITORING.resolve("trefoil-rules-test.yml"));

        assertThat(names(INTERVAL, cases)).isNotEmpty().allMatch(interval -> interval.matches("[1-5]m|\\d{1,2}s"));
    }

    @Test
    void eachAlertIsDocumented() throws IOException {
        String page = Files.readString(Path.of("../docs/operating/monitoring.md"));

        assertThat(names(ALERT, Files.readString(MONITORING.resolve("trefoil-rules.yml"))))
                .allSatisfy(alert -> assertThat(page).contains("`" + alert + "`"));
    }

    @Test
    void everyAlertHasExistingRunbook() throws IOException {
        String rules = Files.readString(MONITORING.resolve("trefoil-rules.yml"));
        String page = Files.readString(Path.of("../docs/operating/monitoring.md"));

        assertThat(names(ALERT, rules)).allSatisfy(alert -> {
            assertThat(rules.substring(rules.indexOf("alert: " + alert + "\n")).split("- alert: ", 2)[0])
                    .contains("runbook_url: docs/operating/monitoring.md#" + alert.toLowerCase(Locale.ROOT) + "\n");
            assertThat(page).contains("\n### " + alert + "\n");
        });
    }

    @Test
    void everyPanelHasDescription() throws IOException {
        for (String name : List.of("trefoil-nameservice.json", "trefoil-journal.json")) {
            JsonNode dashboard = new ObjectMapper()
                    .readTree(MONITORING.resolve("grafana").resolve(name).toFile());
            assertThat(dashboard.at("/annotations/list/0/expr").asText()).contains("trefoil_member_takeovers");
            for (JsonNode panel : dashboard.path("panels")) {
                List<JsonNode> shown = new ArrayList<>(List.of(panel));
                panel.path("panels").forEach(shown::add);
                shown.removeIf(one -> one.path("type").asText().equals("row"));
                assertThat(shown)
                        .allSatisfy(one -> assertThat(one.path("description").asText())
                                .as(one.path("title").asText())
                                .isNotEmpty());
            }
        }
    }

    @Test
    @EnabledIf("hasPromtool")
    void promtoolAcceptsRules() {
        assertThat(Shell.run("promtool test rules " + MONITORING.resolve("trefoil-rules-test.yml")))
                .contains("SUCCESS");
    }

    private static Set<String> names(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
