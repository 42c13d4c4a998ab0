/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.TestPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** What several harnesses that run at once can rely on. */
class PortsTest {
    /** More than a block has. */
    private static final int MANY = 150;

    @Test
    void twoProcessesWithClustersNeverGetSamePort() throws IOException, InterruptedException {
        assertTwoProcessesNeverGetSamePort(OtherHarness.class, PortAllocator::free);
    }

    @Test
    void twoUnitTestProcessesNeverGetSamePort() throws IOException, InterruptedException {
        assertTwoProcessesNeverGetSamePort(OtherTests.class, TestPorts::free);
    }

    private static void assertTwoProcessesNeverGetSamePort(Class<?> otherClass, IntSupplier free)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        otherClass.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader ports = process.inputReader()) {
            List<Integer> theirs = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                theirs.add(Integer.valueOf(ports.readLine()));
            }
            List<Integer> ours = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                ours.add(free.getAsInt());
            }

            assertThat(ours).doesNotHaveDuplicates().doesNotContainAnyElementsOf(theirs);
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    /** Takes ports without binding them, and ends when told to. */
    static final class OtherHarness {
        public static void main(String[] args) throws IOException {
            takeMany(PortAllocator::free);
        }
    }

    /** The same as the unit tests of a module do it. */
    static final class OtherTests {
        public static void main(String[] args) throws IOException {
            takeMany(TestPorts::free);
        }
    }

    private static void takeMany(IntSupplier free) throws IOException {
        for (int i = 0; i < MANY; i++) {
            System.out.println(free.getAsInt());
        }
        System.out.flush();
        while (System.in.read() >= 0) {
            // The end of the input is the end of the test.
        }
    }
}
