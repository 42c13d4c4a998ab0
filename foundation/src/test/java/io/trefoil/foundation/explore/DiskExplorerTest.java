/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskExplorerTest {

    @TempDir
    Path directory;

    private final List<String> progress = new ArrayList<>();

    private Exploration explore(String name, int forbidden, long maxStates) throws IOException {
        return new DiskExplorer(new Jugs(forbidden), name, directory, 2, 16, maxStates, progress::add).explore();
    }

    @Test
    void visitsEveryStateOnce() throws IOException {
        Exploration found = explore("jugs", Jugs.LARGE + 1, Long.MAX_VALUE);

        assertThat(found).isEqualTo(new Explorer(new Jugs(Jugs.LARGE + 1), Long.MAX_VALUE, line -> {}).explore());
    }

    @Test
    void reportsShortestTraceToWrongState() throws IOException {
        Exploration found = explore("jugs", 4, Long.MAX_VALUE);

        assertThat(found.closed()).isFalse();
        assertThat(found.violation()).contains("4 litres");
        assertThat(found.story()).hasSize(6).last().isEqualTo("6. pour into the smaller");
    }

    @Test
    void resumesFromLastCompleteLayer() throws IOException {
        assertThat(explore("jugs", Jugs.LARGE + 1, 5).closed()).isFalse();
        progress.clear();

        Exploration found = explore("jugs", Jugs.LARGE + 1, Long.MAX_VALUE);

        assertThat(progress.get(0)).startsWith("goes on: 6 states");
        assertThat(found.states()).isEqualTo(16);
        assertThat(found.steps()).isEqualTo(16 * 6);
        assertThat(found.closed()).isTrue();
    }

    @Test
    void rejectsDirectoryOfAnotherWorld() throws IOException {
        explore("jugs", Jugs.LARGE + 1, 5);

        assertThatThrownBy(() -> explore("other jugs", Jugs.LARGE + 1, 5))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a search in another world: jugs");
    }
}
