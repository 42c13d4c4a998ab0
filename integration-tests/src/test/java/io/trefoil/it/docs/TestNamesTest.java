/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A test is called by a subject, a verb, an object and a condition, as CONTRIBUTING says. */
class TestNamesTest {
    private static final int MAX_WORDS = 10;

    private static final Pattern TEST = Pattern.compile(
            "@(?:Test|ParameterizedTest|RepeatedTest|Property|Example)\\b(?:[^{;]|\\{[^{}]*\\})*?\\bvoid (\\w+)\\(");

    private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+");

    private static final Set<String> ARTICLES = Set.of("A", "An", "The");

    /** No subject begins with one of these: it would be an article, a pronoun, a clause, or a condition. */
    private static final Set<String> NO_SUBJECTS = Set.of(
            "a an the what who whoever whatever whom one ones of is are was it its where there that those this these same nobody somebody anybody if when as for in on at by to from while until with and or has have does may can must such some several many"
                    .split(" "));

    private static final Pattern CLAUSES =
            Pattern.compile("Whoever|Whatever|Nobody|Somebody|Anybody|ToldSo|OfWhich|Whose");

    @Test
    void namesFollowPattern() throws IOException {
        List<String> wrong = new ArrayList<>();
        Path tree = MainCode.tree();
        try (Stream<Path> files = Files.find(
                tree,
                Integer.MAX_VALUE,
                (file, attributes) -> attributes.isRegularFile()
                        && tree.relativize(file).toString().matches("[^/]+/src/test/java/.*\\.java"))) {
            files.sorted().forEach(file -> names(file).stream()
                    .filter(name -> !objection(name).isEmpty())
                    .forEach(name -> wrong.add(file.getFileName() + ": " + name + ": " + objection(name))));
        }
        assertThat(wrong).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "rejectsBatchWhenWriterIsFenced,",
        "standbyWithHungDiskYieldsElection,",
        "aStandbyIsElected, it begins with 'a'",
        "whatIsAcknowledgedIsCommitted, it begins with 'what'",
        "rejectsABatch, it has an article",
        "leavesElectionToNobody, it has a clause or a pronoun for a subject",
        "writerOfOldEpochSendsOneMoreBatchToAllNodesAndFails, it has 13 words"
    })
    void checkReportsInvalidName(String name, String objection) {
        assertThat(objection(name)).isEqualTo(objection == null ? "" : objection);
    }

    private static List<String> names(Path file) {
        try {
            return TEST.matcher(Files.readString(file))
                    .results()
                    .map(found -> found.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty where a name is one. */
    private static String objection(String name) {
        List<String> words =
                WORD.matcher(name).results().map(MatchResult::group).toList();
        if (words.size() > MAX_WORDS) {
            return "it has " + words.size() + " words";
        }
        if (NO_SUBJECTS.contains(words.get(0))) {
            return "it begins with '" + words.get(0) + "'";
        }
        if (words.stream().anyMatch(ARTICLES::contains) && !name.endsWith("A")) {
            return "it has an article";
        }
        return CLAUSES.matcher(name).find() ? "it has a clause or a pronoun for a subject" : "";
    }
}
