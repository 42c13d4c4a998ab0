/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.specification;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The specification is short, its smallest world is closed, and it and the page of the protocol have the same rules. {@code
 * bin/check-spec} visits larger worlds, and looks for each wrong rule.
 */
class SpecificationTest {

    private static final int MAX_LINES = 400;
    private static final Pattern DEFINED = Pattern.compile("^(\\w+)(?:\\([^)]*\\))? ==", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("\\*(\\w+)\\*");
    private static final Pattern RULE = Pattern.compile("^\\| ([RL]\\d+) \\| .*\\. \\| (.+) \\|$", Pattern.MULTILINE);
    private static final Pattern INVARIANT = Pattern.compile("[RL]\\d+");

    @TempDir
    private Path directory;

    private static String specification() throws IOException {
        return Files.readString(ModelChecker.MODULES.resolve("Journal.tla"));
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What the page of the protocol cites for each rule. */
    private static Map<String, Set<String>> citedDefinitions() throws IOException {
        Map<String, Set<String>> cited = new TreeMap<>();
        Matcher rules = RULE.matcher(Files.readString(SpecificationPage.PROTOCOL));
        while (rules.find()) {
            cited.put(rules.group(1), all(QUOTED, rules.group(2)));
        }
        return cited;
    }

    @Test
    void pageHasRulesOfSpecification() throws IOException {
        Set<String> invariants = all(DEFINED, specification()).stream()
                .filter(name -> INVARIANT.matcher(name).matches())
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(citedDefinitions().keySet())
                .isEqualTo(invariants)
                .containsExactlyInAnyOrderElementsOf(ModelChecker.INVARIANTS);
    }

    @Test
    void pageCitesDefinitionsOfSpecification() throws IOException {
        Set<String> everywhere =
                citedDefinitions().values().stream().flatMap(Set::stream).collect(Collectors.toSet());

        assertThat(all(DEFINED, specification())).containsAll(everywhere);
        assertThat(everywhere)
                .containsAll(WrongRule.all().stream().map(WrongRule::rule).toList());
    }

    @Test
    void specificationIsShort() throws IOException {
        assertThat(specification().lines().count()).isLessThanOrEqualTo(MAX_LINES);
    }

    @Test
    void pageListsEachWrongRule() throws IOException {
        List<List<String>> rows = SpecificationPage.rows("Wrong rules");

        assertThat(rows.stream().map(row -> row.subList(0, 3)))
                .containsExactlyElementsOf(WrongRule.all().stream()
                        .map(wrong -> List.of(wrong.name(), wrong.breaks(), wrong.world()))
                        .toList());
        assertThat(all(DEFINED, Files.readString(ModelChecker.MODULES.resolve("Wrong.tla"))))
                .containsExactlyInAnyOrderElementsOf(
                        WrongRule.all().stream().map(WrongRule::replacement).toList());
    }

    @Test
    void exploresSmallestWorldCompletely() throws Exception {
        List<String> row = SpecificationPage.rows("Worlds of the specification").get(0);

        ModelChecker.CheckResult found =
                new ModelChecker(directory, 1, "256m").check(SmallWorld.of(row.get(0)), Optional.empty());

        assertThat(found.closed()).as(found.output()).isTrue();
        assertThat(Stream.of(found.states(), found.generated(), (long) found.depth())
                        .map(number -> String.format("%,d", number)))
                .containsExactlyElementsOf(row.subList(1, 4));
    }

    @Test
    void detectsWrongRule() throws Exception {
        WrongRule wrong = WrongRule.all().get(0);

        ModelChecker.CheckResult found =
                new ModelChecker(directory, 1, "256m").check(SmallWorld.of(wrong.world()), Optional.of(wrong));

        assertThat(found.violation()).as(found.output()).contains(wrong.breaks());
    }
}
