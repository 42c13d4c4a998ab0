/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The metrics that pages, alert rules and dashboards name. */
final class DocumentedMetrics {
    private static final Pattern SOURCE = Pattern.compile("`([A-Za-z-]+?)(-<journal>)?`");
    private static final Pattern NAME = Pattern.compile("`([A-Za-z0-9<>…]+)`");
    private static final Pattern OURS =
            Pattern.compile("\\b(trefoil|ssp|held_answers|forwarded_calls|global_checkpoint)_[a-z0-9_]+");
    private static final Pattern LABEL = Pattern.compile("\\{\\{\\s*\\$?(?:labels\\.)?([a-z_]+)\\s*\\}\\}");
    private static final List<String> WINDOWS = List.of("60s", "300s", "3600s");

    private final Path root;

    private DocumentedMetrics(Path root) {
        this.root = root;
    }

    static DocumentedMetrics load() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isRegularFile(directory.resolve("docs/README.md"))) {
            directory = directory.getParent();
        }
        return new DocumentedMetrics(directory);
    }

    /**
     * The names on the page, by source without the journal's name; a name that ends with {@code *} stands for all that
     * begin with it.
     */
    Map<String, Set<String>> metricsOnPage() throws IOException {
        Map<String, Set<String>> names = new LinkedHashMap<>();
        List<Set<String>> ofSources = List.of();
        for (String line : Files.readAllLines(root.resolve("docs/operating/metrics.md"))) {
            if (line.startsWith("## ")) {
                // Behind the colon it says which NameNodes have the source.
                ofSources = SOURCE.matcher(line.split(":")[0])
                        .results()
                        .map(source -> names.computeIfAbsent(source.group(1), unused -> new LinkedHashSet<>()))
                        .toList();
            } else if (line.startsWith("| `")) {
                Matcher name = NAME.matcher(line.substring(0, line.indexOf('|', 2)));
                while (name.find()) {
                    List<String> expanded = expandName(name.group(1));
                    ofSources.forEach(ofSource -> ofSource.addAll(expanded));
                }
            }
        }
        return names;
    }

    private static List<String> expandName(String name) {
        if (name.endsWith("<Cause>")) {
            return List.of(name.replace("<Cause>", "*"));
        }
        if (!name.endsWith("60s…")) {
            return List.of(name);
        }
        List<String> all = new ArrayList<>();
        for (String window : WINDOWS) {
            String begin = name.replace("60s…", window);
            all.add(begin + "NumOps");
            all.add(begin + "50thPercentileLatencyMicros");
            all.add(begin + "99thPercentileLatencyMicros");
        }
        return all;
    }

    /** The names that the alert rules query. */
    Set<String> metricsInRules() throws IOException {
        Set<String> names = new LinkedHashSet<>();
        for (String line : Files.readAllLines(root.resolve("monitoring/trefoil-rules.yml"))) {
            if (line.trim().startsWith("expr:")) {
                addNames(line, names);
            }
        }
        return names;
    }

    /** The names that the dashboards query. */
    Set<String> metricsInDashboards() throws IOException {
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode dashboard : dashboards()) {
            dashboard.findValuesAsText("expr").forEach(query -> addNames(query, names));
            dashboard.findValuesAsText("query").forEach(query -> addNames(query, names));
        }
        return names;
    }

    /** The labels in their legends, without those that Prometheus and its configuration add. */
    Set<String> labelsInDashboards() throws IOException {
        Set<String> labels = new LinkedHashSet<>();
        for (JsonNode dashboard : dashboards()) {
            for (String legend : dashboard.findValuesAsText("legendFormat")) {
                LABEL.matcher(legend).results().forEach(label -> labels.add(label.group(1)));
            }
        }
        labels.remove("instance");
        return labels;
    }

    private List<JsonNode> dashboards() throws IOException {
        List<JsonNode> dashboards = new ArrayList<>();
        try (Stream<Path> files = Files.list(root.resolve("monitoring/grafana"))) {
            for (Path file : files.sorted().toList()) {
                dashboards.add(new ObjectMapper().readTree(file.toFile()));
            }
        }
        return dashboards;
    }

    private static void addNames(String query, Set<String> names) {
        OURS.matcher(query).results().forEach(name -> names.add(name.group()));
    }
}
