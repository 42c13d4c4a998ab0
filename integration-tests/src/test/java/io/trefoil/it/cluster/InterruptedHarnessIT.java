/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.jvm.Jdk;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Ctrl-C does to a benchmark: its clients are in the middle of calls to servers that it is about to kill. */
@Tag("long")
class InterruptedHarnessIT {
    private static final int SECONDS_TO_END = 20;
    private static final int CLIENTS = 8;
    private static final int FILES = 200;

    @Test
    void terminatedHarnessWithWritingClientsExitsPromptly() throws Exception {
        Process harness = startHarness();
        try (BufferedReader said = harness.inputReader()) {
            long nameNode = Long.parseLong(said.readLine());

            harness.toHandle().destroy();

            assertThat(harness.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)).isTrue();
            assertThat(ProcessHandle.of(nameNode)).isEmpty();
        } finally {
            harness.destroyForcibly();
        }
    }

    private static Process startHarness() throws IOException {
        List<String> command = new ArrayList<>(
                List.of(Jdk.ofThisJvm().home().resolve("bin/java").toString()));
        System.getProperties().stringPropertyNames().stream()
                .filter(key -> key.startsWith("trefoil."))
                .forEach(key -> command.add("-D" + key + "=" + System.getProperty(key)));
        command.addAll(List.of(
                "-Dlog4j.configuration=io/trefoil/it/quiet.log4j.properties",
                "-cp",
                System.getProperty("java.class.path"),
                Harness.class.getName()));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Says the process id of its NameNode when its clients are at work, and goes on until it is told to end. */
    static final class Harness {
        public static void main(String[] arguments) throws Exception {
            HaCluster cluster = HaCluster.builder("interrupted")
                    .nameNodes(1)
                    .journal(JournalKind.local())
                    .disposable()
                    .create();
            NameNodeServer nameNode = cluster.nameNode(1);
            nameNode.format("trefoil-test");
            nameNode.start();
            nameNode.awaitUp();
            CountDownLatch created = new CountDownLatch(FILES);
            for (int client = 0; client < CLIENTS; client++) {
                FileSystem fileSystem = FileSystem.newInstance(cluster.clientConfiguration());
                Path home = new Path("/client" + client);
                new Thread(() -> create(fileSystem, home, created)).start();
            }
            created.await();
            System.out.println(nameNode.pid());
        }

        private static void create(FileSystem fileSystem, Path home, CountDownLatch created) {
            try {
                for (int number = 0; true; number++) {
                    fileSystem.create(new Path(home, "f" + number)).close();
                    created.countDown();
                }
            } catch (IOException serversAreGone) {
                System.err.println(serversAreGone);
            }
        }
    }
}
