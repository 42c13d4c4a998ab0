/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a restore leaves in a name directory, by which a later one, of any version, tells whose images are there. */
class GoldenNameDirectoryTest {
    private static final String LINEAGE = "trefoil-lineage";

    @TempDir
    private Path current;

    @Test
    void lineageOfAllReleasesIsRead() throws IOException {
        TimelineFile.write(current, 7);
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("name/" + LINEAGE, Files.readString(current.resolve(LINEAGE)));

        for (byte[] release : golden.readAllReleases("name/" + LINEAGE).values()) {
            Files.write(current.resolve(LINEAGE), release);
            assertThat(TimelineFile.read(current)).contains(7L);
        }
    }

    @Test
    void lineageOfNewerVersionIsNotGuessed() throws IOException {
        Files.writeString(current.resolve(LINEAGE), "7 of ns1\n");

        assertThatIOException()
                .isThrownBy(() -> TimelineFile.read(current))
                .withMessageContaining("Wanted a number in")
                .withMessageContaining("7 of ns1");
    }
}
