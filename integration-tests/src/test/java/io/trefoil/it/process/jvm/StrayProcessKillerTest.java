/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.process.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrayProcessKillerTest {
    @TempDir
    private Path directory;

    @Test
    void killsOnlyProcessesNamingDirectory() throws IOException {
        Process other = startStray(directory.resolveSibling("other"));
        Process stray = startStray(directory.resolve("container"));
        try (StrayProcessKiller guard = StrayProcessKiller.guard(directory)) {
            assertThat(stray.isAlive()).isTrue();
            guard.close();
            assertThat(stray.onExit().join().exitValue()).isEqualTo(137);
            assertThat(other.isAlive()).isTrue();
        } finally {
            stray.destroyForcibly();
            other.destroyForcibly();
        }
    }

    @Test
    void killsStraysOfKilledHarness() throws IOException {
        Process parent =
                Idlers.command(GuardingParent.class, directory.toString()).start();
        Process stray = startStray(directory.resolve("container"));
        try (BufferedReader output = parent.inputReader(StandardCharsets.UTF_8)) {
            assertThat(output.readLine()).isEqualTo("guarding");

            parent.destroyForcibly();

            await().atMost(Await.TIMEOUT).until(() -> !stray.isAlive());
        } finally {
            stray.destroyForcibly();
        }
    }

    /** In a session of its own, like a container. */
    private static Process startStray(Path path) throws IOException {
        return new ProcessBuilder("setsid", "sh", "-c", "read never", path.toString()).start();
    }
}
