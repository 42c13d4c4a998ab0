/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceLineTest {

    private static final Incarnation FORMATTED = Incarnation.formatted(100, 0x77);
    private static final Incarnation FORMATTED_AGAIN = Incarnation.formatted(500, 0x77);
    private static final Incarnation PROMOTED = Incarnation.promoted(300, 0x76);
    private static final Incarnation PROMOTED_AGAIN = Incarnation.promoted(400, 0x76);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void makeCurrent() throws IOException {
        file = Files.createDirectories(directory.resolve("current")).resolve("trefoil-journal");
    }

    /** That of a NameNode which has just started. */
    private NamespaceLine line() {
        return NamespaceLine.of(JournalId.of("ns1"), List.of(directory));
    }

    private void refuses(NamespaceLine line, Incarnation incarnation) {
        assertThatIOException()
                .isThrownBy(() -> line.require(incarnation))
                .withMessageContaining("run hdfs namenode -bootstrapStandby");
    }

    @Test
    void whatIsThereBelongsToTheJournalAsItIsFirstSeen() throws IOException {
        line().require(PROMOTED);

        assertThat(file).hasContent(PROMOTED + "\n");
        line().require(PROMOTED);
    }

    @Test
    void aNamespaceOfBeforeAPromotionIsRefused() throws IOException {
        NamespaceLine running = line();
        running.require(FORMATTED);

        refuses(running, PROMOTED);
        refuses(running, PROMOTED);
        refuses(line(), PROMOTED);
        assertThat(file).hasContent(FORMATTED + "\n");
        running.require(FORMATTED);
    }

    @Test
    void aNamespaceOfBeforeAnotherPromotionIsRefused() throws IOException {
        line().require(PROMOTED);

        refuses(line(), PROMOTED_AGAIN);
    }

    @Test
    void aJournalThatWasInitializedAgainIsFollowed() throws IOException {
        line().require(PROMOTED);
        line().require(FORMATTED_AGAIN);

        assertThat(file).hasContent(FORMATTED_AGAIN + "\n");
    }

    /** Those that a promotion gave up may be in reach while those that it made are not. */
    @Test
    void aNamespaceOfBehindAPromotionDoesNotGoBack() throws IOException {
        NamespaceLine running = line();
        running.require(PROMOTED);

        for (NamespaceLine line : List.of(running, line())) {
            assertThatIOException()
                    .isThrownBy(() -> line.require(FORMATTED))
                    .withMessageContaining("only pool nodes with the older " + FORMATTED);
        }
        assertThat(file).hasContent(PROMOTED + "\n");
        running.require(PROMOTED);
    }

    @Test
    void theHostThatIsPromotedGoesOnWhetherThePromotionCameToItsEndOrNot() throws IOException {
        line().require(FORMATTED);
        line().expect(FORMATTED, PROMOTED);
        line().require(PROMOTED);
        assertThat(file).hasContent(PROMOTED + "\n");

        line().expect(PROMOTED, PROMOTED_AGAIN);
        line().require(PROMOTED);
        assertThat(file).hasContent(PROMOTED + "\n");
        refuses(line(), PROMOTED_AGAIN);
    }

    @Test
    void aDirectoryThatWasNeverMarkedGoesOnWithEitherAsWell() throws IOException {
        line().expect(PROMOTED, PROMOTED_AGAIN);

        line().require(PROMOTED);
    }

    @Test
    void nothingIsRememberedOfAJournalThatWasNotSeen() throws IOException {
        line().require(Incarnation.NONE);

        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatMakesNoSenseIsNotOverlookedBehindAPromotion() throws IOException {
        Files.writeString(file, "what?\n");

        assertThatIOException().isThrownBy(() -> line().require(PROMOTED)).withMessageContaining("what?");
        line().require(FORMATTED);
        assertThat(file).hasContent(FORMATTED + "\n");
    }

    @Test
    void aDirectoryThatCannotBeMarkedStopsNobody() throws IOException {
        Path part = Files.createDirectories(file.resolveSibling("trefoil-journal.part"));

        line().require(FORMATTED);
        assertThat(file).doesNotExist();
        Files.delete(part);
        line().require(FORMATTED);
        assertThat(file).hasContent(FORMATTED + "\n");
    }

    @Test
    void withoutANameDirectoryThereIsNothingToCompare() throws IOException {
        Files.delete(directory.resolve("current"));
        NamespaceLine line = line();

        line.require(FORMATTED);
        line.require(PROMOTED);
    }
}
