/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What several harnesses that run at once can rely on. */
class PortsTest {
    /** More than a block has. */
    private static final int MANY = 150;

    @Test
    void twoProcessesNeverGetTheSamePort() throws IOException, InterruptedException {
        Process other = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherHarness.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader ports = other.inputReader()) {
            List<Integer> theirs = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                theirs.add(Integer.valueOf(ports.readLine()));
            }
            List<Integer> ours = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                ours.add(Ports.free());
            }

            assertThat(ours).doesNotHaveDuplicates().doesNotContainAnyElementsOf(theirs);
        } finally {
            other.destroy();
            other.waitFor();
        }
    }

    /** Takes ports without binding them, and ends when told to. */
    static final class OtherHarness {
        public static void main(String[] args) throws IOException {
            for (int i = 0; i < MANY; i++) {
                System.out.println(Ports.free());
            }
            System.out.flush();
            while (System.in.read() >= 0) {
                // The end of the input is the end of the test.
            }
        }
    }
}
