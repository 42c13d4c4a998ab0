/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.hdfs.restore.ArchiveRestoreRecord;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which journal a restored namespace took the place of, as all releases write it beside the images. */
class GoldenRestoreRecordTest {
    private static final String NAME = "trefoil-archive-restore";
    private static final Incarnation REPLACED = Incarnation.ofFormat(100, 0x77);

    @TempDir
    private Path root;

    private Path current;

    @BeforeEach
    void makeCurrent() throws IOException {
        current = Files.createDirectory(root.resolve("current"));
    }

    @Test
    void recordsOfAllReleasesAreRead() throws IOException {
        ArchiveRestoreRecord.write(current, REPLACED);
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("name/" + NAME, Files.readString(current.resolve(NAME)));

        for (byte[] release : golden.readAllReleases("name/" + NAME).values()) {
            Files.write(current.resolve(NAME), release);
            assertThat(new RestoredDirectory(root).replacedIncarnation()).contains(REPLACED);
        }
    }

    @Test
    void rejectsRecordThatNamesNoIncarnation() throws IOException {
        Files.writeString(current.resolve(NAME), "2 something newer\n");

        assertThatIOException()
                .isThrownBy(() -> new RestoredDirectory(root).replacedIncarnation())
                .withMessageContaining(NAME)
                .withMessageContaining("2 something newer");
    }
}
