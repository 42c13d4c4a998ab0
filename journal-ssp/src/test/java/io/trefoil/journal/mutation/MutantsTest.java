/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mutant that survives is on the page with its reason, or {@code bin/mutate} fails. */
class MutantsTest {

    private static final String LISTED =
            """
            ### `Rule.holds`

            - `return a <= b;`, changed conditional boundary: a is never b.
            """;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void acceptsListedSurvivor() throws IOException {
        assertThat(judge("SURVIVED", LISTED)).isZero();
    }

    @Test
    void reportsUnlistedSurvivorInPageFormat() throws IOException {
        assertThat(judge("SURVIVED", "")).isOne();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("### `Rule.holds`", "- `return a <= b;`, changed conditional boundary:");
        assertThat(judge("NO_COVERAGE", "")).isOne();
    }

    @Test
    void rejectsKilledMutantOnList() throws IOException {
        assertThat(judge("KILLED", LISTED)).isOne();
        assertThat(judge("KILLED", "")).isZero();
    }

    @Test
    void rejectsDuplicateListingOfSingleSurvivor() throws IOException {
        assertThat(judge("SURVIVED", LISTED + LISTED)).isOne();
    }

    @Test
    void ignoresListingsOfUntestedMethods() throws IOException {
        assertThat(judge("KILLED", LISTED.replace("Rule.holds", "Other.holds"))).isZero();
    }

    @Test
    void requiresReasonForSurvivor() {
        assertThatThrownBy(() -> judge("SURVIVED", LISTED.replace(" a is never b.", "")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private int judge(String status, String page) throws IOException {
        Path source = Files.createDirectories(directory.resolve("a/b")).resolve("Rule.java");
        Files.writeString(source, "class Rule {\n    return a <= b;\n}\n");
        Path xml = directory.resolve("mutations.xml");
        Files.writeString(
                xml,
                """
                <mutations><mutation status='%s'><mutatedClass>a.b.Rule</mutatedClass>
                <mutatedMethod>holds</mutatedMethod><lineNumber>2</lineNumber>
                <description>changed conditional boundary</description></mutation></mutations>
                """
                        .formatted(status));
        Path list = directory.resolve("mutants.md");
        Files.writeString(list, page);
        said.reset();
        return Mutants.judge(
                MutationReport.read(xml, directory),
                MutantsPage.read(list),
                new PrintStream(said, true, StandardCharsets.UTF_8));
    }
}
