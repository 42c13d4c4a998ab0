/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.explore.DiskExplorer;
import io.trefoil.foundation.explore.Exploration;
import io.trefoil.foundation.explore.Explorer;
import io.trefoil.journal.explore.Bounds.Bound;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search on disk survives its process. */
class KilledExplorationTest {

    private static final Bounds WORLD =
            Bounds.CALM.with(Bound.APPENDS, 0).with(Bound.COPIES, 1).with(Bound.SERVING);

    @TempDir
    Path directory;

    private static JournalWorld world() {
        return new JournalWorld(ExploredRules.REAL, WORLD);
    }

    @Test
    void killedExplorationResumesWithSameStateCount() throws Exception {
        killAtDepth(12);
        List<String> progress = new ArrayList<>();

        Exploration found = new DiskExplorer(
                        world(), Explore.nameOnDisk(WORLD), directory, 2, 1 << 12, Long.MAX_VALUE, progress::add)
                .explore();

        assertThat(progress.get(0)).startsWith("goes on");
        assertThat(found).isEqualTo(new Explorer(world(), Long.MAX_VALUE, line -> {}).explore());
    }

    private void killAtDepth(int depth) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path"),
                Explore.class.getName(),
                "on=" + directory));
        command.addAll(List.of(WORLD.toString().split(" ")));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (!line.startsWith("depth " + depth + ":")) {
                line = lines.readLine();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
