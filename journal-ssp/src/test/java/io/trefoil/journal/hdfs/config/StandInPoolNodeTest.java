/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandInPoolNodeTest {
    @TempDir
    Path directory;

    @Test
    void omitsStandInWithoutKeeper() {
        assertThat(StandInPoolNode.fromEnvironment(Map.of())).isEmpty();
    }

    @Test
    void nameNodeDoesNotWaitWithoutRunningStandIn() throws Exception {
        newStandIn().endStandIn();

        assertThat(directory.resolve("wanted")).doesNotExist();
    }

    @Test
    void nameNodeWaitsUntilPoolNodeHasEnded() throws Exception {
        Files.createFile(directory.resolve("in-place"));
        CompletableFuture<Void> back = CompletableFuture.runAsync(() -> {
            try {
                newStandIn().endStandIn();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Path wanted = directory.resolve("wanted");
        await().until(() -> Files.exists(wanted));
        assertThat(back).isNotDone();

        Files.delete(wanted);

        await().until(back::isDone);
        back.get();
    }

    private StandInPoolNode newStandIn() {
        return StandInPoolNode.fromEnvironment(Map.of("TREFOIL_KEEPER", directory.toString()))
                .get();
    }
}
