/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/demo --stay}, as its script starts it, with commands that come from a file in place of a terminal. */
class PlaygroundIT {
    private static final String READY = "the shell is there";

    @TempDir
    private Path directory;

    private Path typed;
    private Path shown;
    private Process demo;

    @BeforeEach
    void setUp() {
        typed = directory.resolve("typed");
        shown = directory.resolve("shown");
    }

    @AfterEach
    void endDemo() {
        demo.destroyForcibly();
    }

    @Test
    void shellRunsCommandsWithoutReportingLoss() throws Exception {
        typeCommands(
                """
                echo typed | hdfs dfs -put - /mine
                kill nn2
                kill standby
                hepl
                kill nn9
                demo jump || echo refused
                echo "a:b c" | cut -d: -f2
                kill -0 $$ && echo "kill is still a command"
                hdfs dfs -cat /mine
                status
                quit
                echo "nobody reads this"
                """);

        assertThat(demo.waitFor()).as(this::shownText).isZero();
        assertThat(shownText())
                .contains("HADOOP_CONF_DIR=" + cluster())
                .contains("process killed: nn2, ")
                .containsPattern("process killed: nn[13], a standby")
                .contains("there is no 'hepl': type help\n")
                .contains("there is no 'nn9', but nn1, nn2, nn3, active and standby\n")
                .containsPattern("there is no 'jump': type help\nrefused\n")
                .contains("\nb c\nkill is still a command\ntyped\n")
                .containsPattern("nn3 +active|nn3 +standby|nn3")
                .doesNotContain("nobody reads this")
                .endsWith(Demo.NOTHING_LOST + "\n");
        assertNoProcessesLeft();
    }

    @Test
    @Tag("long")
    void terminatedDemoEndsItsProcesses() throws Exception {
        typeCommands(
                """
                hang standby
                echo "%s"
                sleep 12345
                """
                        .formatted(READY));
        Await.until("the shell has begun", Await.TIMEOUT, () -> shownText().contains(READY), this::shownText);

        demo.toHandle().destroy();

        assertThat(demo.waitFor(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertNoProcessesLeft();
    }

    private void typeCommands(String commands) throws IOException {
        Files.writeString(typed, commands);
        List<String> command = new ArrayList<>(
                List.of(Jdk.ofThisJvm().home().resolve("bin/java").toString()));
        System.getProperties().stringPropertyNames().stream()
                // Traces are of tests' own clusters: what is said of them would come after the closing sentence.
                .filter(key -> key.startsWith("trefoil.") && !key.equals("trefoil.it.traces"))
                .forEach(key -> command.add("-D" + key + "=" + System.getProperty(key)));
        command.addAll(List.of(
                "-Dlog4j.configuration=io/trefoil/it/quiet.log4j.properties",
                "-cp",
                System.getProperty("java.class.path"),
                Demo.class.getName(),
                "--stay"));
        demo = new ProcessBuilder(command)
                .redirectInput(typed.toFile())
                .redirectErrorStream(true)
                .redirectOutput(shown.toFile())
                .start();
    }

    private String shownText() {
        try {
            return Files.readString(shown);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String cluster() {
        return Path.of("target/clusters/demo-" + demo.pid() + "-1")
                .toAbsolutePath()
                .toString();
    }

    private void assertNoProcessesLeft() throws IOException {
        assertThat(Path.of(cluster())).doesNotExist();
        List<String> left = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                String line = commandLine(process);
                if (line.contains(cluster()) || line.contains("sleep\00012345")) {
                    left.add(line);
                }
            }
        }
        assertThat(left).isEmpty();
    }

    private static String commandLine(Path process) {
        try {
            return new String(Files.readAllBytes(process.resolve("cmdline")), StandardCharsets.ISO_8859_1);
        } catch (IOException hasEnded) {
            return "";
        }
    }
}
