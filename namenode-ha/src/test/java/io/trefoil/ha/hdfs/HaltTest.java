/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A NameNode that has to end ends, whatever its log does. */
class HaltTest {

    @Test
    void haltsWhileLogDiskHangs() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        HungNameNode.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
    }

    /** A process that can write nothing, neither to the log nor to its output. */
    static final class HungNameNode {
        private HungNameNode() {}

        public static void main(String[] args) {
            CountDownLatch never = new CountDownLatch(1);
            PrintStream hung = new PrintStream(new OutputStream() {
                @Override
                public void write(int one) {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            });
            System.setErr(hung);
            System.setOut(hung);
            new HdfsNameNode(null, null, null, null, () -> false, () -> {}).halt("for a test");
        }
    }
}
