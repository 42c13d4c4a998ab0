/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** It must do what a takeover does, and leave nothing. */
class TakeoverWarmUpTest {

    @TempDir
    private Path directory;

    @Test
    void leavesNoFileAndNoThread() throws Exception {
        TakeoverWarmUp.runIn(directory);

        assertThat(inside(directory)).isEmpty();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("warm-up")));
    }

    private static List<Path> inside(Path folder) throws IOException {
        try (Stream<Path> list = Files.list(folder)) {
            return list.toList();
        }
    }
}
