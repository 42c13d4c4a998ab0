/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.model.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageKeeperTest {
    private static final Optional<Manifest> RESTORED_TO =
            Optional.of(ManifestsTest.checkpoint("late", 20).with(ManifestsTest.restored(7, 20, 0, 1_000)));

    @TempDir
    private Path directory;

    @Test
    void aDirectoryFromBeforeIsVoid() throws IOException {
        assertThat(looksAt("3", RESTORED_TO).get())
                .contains("is from before the nameservice was restored to checkpoint late.");
        assertThat(mark()).isEqualTo("3");
    }

    /** Epochs begin anew with a journal that is initialized again: the next restore may have a lower one. */
    @Test
    void aMarkOfAJournalBeforeThisOneHidesNoRestore() throws IOException {
        assertThat(looksAt("1000", Optional.empty())).isEmpty();
        assertThat(mark()).isEqualTo("0");

        assertThat(looksAt(mark(), RESTORED_TO)).isPresent();
    }

    /** Its images tell, as they do without a mark; here there are none of a void line. */
    @Test
    void aDirectoryWithAHigherMarkIsJudgedByItsImages() throws IOException {
        assertThat(looksAt("1000", RESTORED_TO)).isEmpty();
        assertThat(mark()).isEqualTo("7");
    }

    private Optional<String> looksAt(String mark, Optional<Manifest> newest) throws IOException {
        Path current = Files.createDirectories(directory.resolve("current"));
        Files.writeString(current.resolve("trefoil-lineage"), mark + "\n");
        return ImageKeeper.whatIsVoid(new NameDirectoryFiles(directory, true), newest, List.of());
    }

    private String mark() throws IOException {
        return Files.readString(directory.resolve("current/trefoil-lineage")).trim();
    }
}
