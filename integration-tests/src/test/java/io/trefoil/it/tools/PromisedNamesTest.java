/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What scripts, configurations and alarms of others name is there as long as docs/operating/compatibility.md promises. It is read from pages
 * that other tests compare with the code.
 */
class PromisedNamesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern SETTING = Pattern.compile("^\\| `(trefoil\\.[a-z0-9.-]+)` \\|");
    private static final Pattern OPTION = Pattern.compile("^\\\\fB(\\\\-\\\\-[a-z\\\\-]+)\\\\fR");
    private static final Pattern CODE = Pattern.compile("^\\| ([0-9]) \\|");
    private static final Pattern ALERT = Pattern.compile("^ *- alert: (\\w+)$");
    private static final Pattern CLASS = Pattern.compile("\\bio\\.trefoil(?:\\.[a-z]+)+\\.[A-Z]\\w+");

    private final GoldenFiles golden = GoldenFiles.forCurrentModule();

    @Test
    void keepsSettingsOfAllReleases() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path page : files("docs/reference", ".md")) {
            addMatches(names, page, SETTING, "");
        }
        assertThat(names).contains("trefoil.journal.dir", "trefoil.client.site");
        golden.assertKeepsLines("names/settings", names);
    }

    @Test
    void keepsMetricsOfAllReleases() throws IOException {
        Set<String> names = new TreeSet<>();
        DocumentedMetrics.load()
                .metricsOnPage()
                .forEach((source, metrics) -> metrics.forEach(metric -> names.add(source + " " + metric)));
        assertThat(names).contains("SspWriter Epoch");
        golden.assertKeepsLines("names/metrics", names);
    }

    @Test
    void keepsCommandsAndOptionsOfAllReleases() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path page : files("tools/src/main/man/man1", ".1")) {
            String command = page.getFileName().toString().replaceAll("\\.1$", "");
            names.add(command);
            addMatches(names, page, OPTION, command + " ");
        }
        assertThat(names).contains("trefoil-upgrade-next --wait");
        golden.assertKeepsLines("names/commands", names);
    }

    @Test
    void keepsExitCodesOfAllReleases() throws IOException {
        Set<String> codes = new TreeSet<>();
        addMatches(codes, ROOT.resolve("docs/operating/command.md"), CODE, "");
        assertThat(codes).contains("0");
        golden.assertKeepsLines("names/exit-codes", codes);
    }

    @Test
    void keepsAlertsOfAllReleases() throws IOException {
        Set<String> names = new TreeSet<>();
        addMatches(names, ROOT.resolve("monitoring/trefoil-rules.yml"), ALERT, "");
        assertThat(names).contains("TrefoilNoActive");
        golden.assertKeepsLines("names/alerts", names);
    }

    @Test
    void keepsConfiguredClassesOfAllReleases() throws IOException {
        Set<String> names = new TreeSet<>();
        for (Path file : files("conf/examples", "-site.xml")) {
            addMatches(names, file, CLASS, "");
        }
        for (Path page : files("docs/reference", "")) {
            addMatches(names, page, CLASS, "");
        }
        assertThat(names).contains("io.trefoil.ha.hdfs.MamsPlugin");
        golden.assertKeepsLines("names/classes", names);
    }

    private static List<Path> files(String directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(suffix))
                    .toList();
        }
    }

    private static void addMatches(Set<String> names, Path file, Pattern pattern, String before) throws IOException {
        for (String line : Files.readAllLines(file)) {
            Matcher matcher = pattern.matcher(line);
            while (matcher.find()) {
                String match = matcher.groupCount() == 0 ? matcher.group() : matcher.group(1);
                names.add(before + match.replace("\\", ""));
            }
        }
    }
}
