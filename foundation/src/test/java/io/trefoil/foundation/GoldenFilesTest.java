/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenFilesTest {
    @TempDir
    private Path directory;

    @Test
    void changedFormatFailsWithInstructions() throws IOException {
        write("0.1", "epoch=7\n");

        assertThatThrownBy(() -> golden("").assertMatchesNewestRelease("promise", "epoch=7\nmore=1\n"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("promise is not written as in golden/0.1")
                .hasMessageContaining("byte 8: wanted the end, found 'more=1")
                .hasMessageContaining("by which an older release refuses it and changes nothing")
                .hasMessageContaining("-Dtrefoil.golden.write=");
    }

    @Test
    void missingFileFailsWithInstructions() {
        assertThatThrownBy(() -> golden("").assertMatchesNewestRelease("promise", "epoch=7\n"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("No release has promise")
                .hasMessageContaining("-Dtrefoil.golden.write=");
    }

    @Test
    void comparesWithNewestRelease() throws IOException {
        write("0.10", "new");
        write("0.9", "old");

        golden("").assertMatchesNewestRelease("promise", "new");
        assertThat(golden("").readAllReleasesAsText("promise"))
                .containsExactly(Map.entry("0.9", "old"), Map.entry("0.10", "new"));
    }

    @Test
    void writingCreatesFileOfNextReleaseAndKeepsOthers() throws IOException {
        golden("0.1").assertMatchesNewestRelease("promise", "old");
        golden("1.0").assertMatchesNewestRelease("promise", "new");

        assertThat(golden("").readAllReleasesAsText("promise"))
                .containsExactly(Map.entry("0.1", "old"), Map.entry("1.0", "new"));
        assertThatThrownBy(() -> golden("1.0").assertMatchesNewestRelease("promise", "newer"))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void removedNameFailsUntilNextMajorVersion() throws IOException {
        golden("0.1").assertKeepsLines("promise", List.of("b", "a"));
        assertThatThrownBy(() -> golden("1.1").assertKeepsLines("promise", List.of("c", "b")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("{a=0.1}");
        golden("1.1").assertKeepsLines("promise", List.of("c", "b", "a"));

        golden("").assertKeepsLines("promise", List.of("a", "b", "c", "d"));
        assertThatThrownBy(() -> golden("").assertKeepsLines("promise", List.of("a", "d")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("{b=0.1, c=1.1}");

        golden("2.0").assertKeepsLines("promise", List.of("a", "d"));
        golden("").assertKeepsLines("promise", List.of("a", "d"));
        assertThatThrownBy(() -> golden("").assertKeepsLines("other", List.of("a")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("No release has other");
    }

    private GoldenFiles golden(String writtenRelease) {
        return new GoldenFiles(directory, writtenRelease);
    }

    private void write(String release, String text) throws IOException {
        Files.createDirectories(directory.resolve(release));
        Files.writeString(directory.resolve(release).resolve("promise"), text);
    }
}
