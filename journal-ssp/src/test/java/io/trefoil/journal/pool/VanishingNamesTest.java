/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.TestPorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In JVMs of their own, which read the addresses of hosts from a file. */
class VanishingNamesTest {
    @TempDir
    Path directory;

    private final List<String> ports = new ArrayList<>();
    private Path names;

    @BeforeEach
    void placeNodes() throws IOException {
        names = directory.resolve("names");
        Files.writeString(names, "127.0.0.1 n0.test\n127.0.0.1 n1.test\n127.0.0.1 n2.test\n");
        for (int i = 0; i < 3; i++) {
            ports.add(String.valueOf(TestPorts.free()));
        }
    }

    @Test
    void restartedNodesServeAndWriterStartsWhenNamesVanish() throws Exception {
        run("middle");
        assertThat(names).isEmptyFile();

        run("beginning");
    }

    private void run(String missingName) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Djdk.net.hosts.file=" + names,
                "-Dsun.net.inetaddr.ttl=0",
                "-Dsun.net.inetaddr.negative.ttl=0",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                "-cp",
                System.getProperty("java.class.path"),
                VanishingNamesProcess.class.getName(),
                directory.toString(),
                names.toString(),
                missingName));
        command.addAll(ports);
        Path output = directory.resolve(missingName);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        assertThat(Files.readString(output, StandardCharsets.UTF_8))
                .as(ended ? "ended" : "hung")
                .endsWith("done\n");
    }
}
