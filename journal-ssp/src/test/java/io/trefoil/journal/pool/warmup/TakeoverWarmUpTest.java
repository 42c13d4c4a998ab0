/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** It must do what a takeover does, and leave nothing. */
class TakeoverWarmUpTest {

    @TempDir
    private Path directory;

    @Test
    void leavesNeitherFileNorThread() throws Exception {
        TakeoverWarmUp.runIn(directory);

        assertThat(inside(directory)).isEmpty();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains("warm-up")));
    }

    @Test
    void deletesLeftoversOfKilledProcessButNotOfLivingOne() throws Exception {
        Path left = Files.createDirectories(directory.resolve("trefoil-warm-up-1/warm-up-1/aside"));
        Files.writeString(left.resolve("log"), "something");
        Path empty = Files.createDirectory(directory.resolve("trefoil-warm-up-2"));
        Path other = Files.createDirectory(directory.resolve("trefoil-warm"));
        try (WarmUpDirectory used = WarmUpDirectory.createIn(directory)) {
            assertThat(inside(directory)).containsExactlyInAnyOrder(used.path(), other);
            Files.createDirectories(left);

            TakeoverWarmUp.runIn(directory);

            assertThat(inside(directory)).containsExactlyInAnyOrder(used.path(), other);
            assertThat(empty).doesNotExist();
        }
        assertThat(inside(directory)).containsExactly(other);
    }

    /** Another process may look for what was left between the two steps of making a directory. */
    @Test
    void createsConcurrentDirectoriesCompletely() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<WarmUpDirectory>> makers =
                    Collections.nCopies(100, () -> WarmUpDirectory.createIn(directory));
            for (Future<WarmUpDirectory> made : threads.invokeAll(makers)) {
                assertThat(made.get().path()).isDirectory();
                made.get().close();
            }
        } finally {
            threads.shutdown();
        }
        // One that another process found between the two steps may be left to the next.
        WarmUpDirectory.createIn(directory).close();
        assertThat(inside(directory)).isEmpty();
    }

    private static List<Path> inside(Path directory) throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.toList();
        }
    }
}
