/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunningLoadTest {
    @TempDir
    private java.nio.file.Path directory;

    private final CountDownLatch released = new CountDownLatch(1);

    /** Makes one client wait, as for a disk that hangs. */
    private final class HangingFileSystem extends FilterFileSystem {
        HangingFileSystem() throws IOException {
            super(FileSystem.getLocal(new Configuration()).getRaw());
        }

        @Override
        public boolean mkdirs(Path path) throws IOException {
            if (path.toString().contains("/t01")) {
                try {
                    released.await();
                } catch (InterruptedException e) {
                    throw new IOException("interrupted", e);
                }
            }
            return super.mkdirs(path);
        }
    }

    @Test
    void detectsSingleHungClient() throws IOException {
        try (RunningLoad load = Workload.on(new HangingFileSystem())
                .under(directory.resolve("load").toString())
                .threads(2)
                .start()) {
            load.awaitMore(10, Await.TIMEOUT);
            assertThatThrownBy(() -> load.awaitEachClient(Duration.ofMillis(200)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("t01 goes on");

            released.countDown();
            load.awaitEachClient(Await.TIMEOUT);
            load.stop(Await.TIMEOUT);
        }
    }
}
