/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bin/namenode-keeper}, with scripts that stand for the NameNode and its pool node and write down what happens. */
class KeeperTest {
    private static final Path KEEPER =
            Path.of("../bin/namenode-keeper").toAbsolutePath().normalize();

    /** Fails until there is a file "well"; before that, asks for its place if there is a file "asks". */
    private static final String NAMENODE =
            """
            #!/usr/bin/env bash
            cd "$(dirname "$0")"
            echo "namenode $*" >>events
            echo $$ >namenode.pid
            if [[ -e asks && -e $TREFOIL_KEEPER/in-place ]]; then
              touch "$TREFOIL_KEEPER/wanted"
              while [[ -e $TREFOIL_KEEPER/wanted ]]; do sleep 0.02; done
              echo "namenode has its place" >>events
            fi
            [[ -e well ]] || exit "$(cat exit-code)"
            trap 'echo "namenode stopped" >>events; exit 143' TERM
            trap 'echo "namenode dumped" >>events' QUIT
            while :; do sleep 0.05; done
            """;

    private static final String POOL_NODE =
            """
            #!/usr/bin/env bash
            cd "$(dirname "$0")"
            echo "pool node $* opts=$HADOOP_OPTS" >>events
            [[ ! -e no-place ]] || exit 3
            echo $$ >pool-node.pid
            trap 'echo "pool node stopped" >>events; exit 143' TERM
            while :; do sleep 0.05; done
            """;

    @TempDir
    Path directory;

    private Process keeper;
    private String renewal = "";

    @AfterEach
    void killKeeper() throws Exception {
        if (keeper != null) {
            keeper.destroyForcibly().waitFor();
        }
    }

    @Test
    void poolNodeRunsInPlaceOfFailedNameNode() throws Exception {
        start("1");
        await("pool node --in-place-of-namenode opts=of the node");

        Files.createFile(directory.resolve("asks"));
        Files.createFile(directory.resolve("well"));
        await("namenode has its place");

        assertThat(events())
                .containsExactly(
                        "namenode -XX:+ExitOnOutOfMemoryError -Dproc_namenode a word",
                        "pool node --in-place-of-namenode opts=of the node",
                        "namenode -XX:+ExitOnOutOfMemoryError -Dproc_namenode a word",
                        "pool node stopped",
                        "namenode has its place");
        assertThat(output()).contains("the NameNode ended with exit code 1. Its pool node runs in its place");
    }

    @Test
    void retriesNameNodeWhenRenewalFails() throws Exception {
        renewal = script("renew", "#!/usr/bin/env bash\necho renewed >>\"$(dirname \"$0\")/events\"\nexit 1\n")
                .toString();
        start("1");
        Await.until("the NameNode was tried again", Await.TIMEOUT, () -> countRuns("namenode ") == 2, this::describe);

        assertThat(events())
                .startsWith(
                        "namenode -XX:+ExitOnOutOfMemoryError -Dproc_namenode a word",
                        "pool node --in-place-of-namenode opts=of the node",
                        "renewed",
                        "namenode -XX:+ExitOnOutOfMemoryError -Dproc_namenode a word");
        assertThat(output()).contains("what makes the NameNode fit ended with exit code 1");
    }

    @Test
    void poolNodeKeepsRunningWhenNameNodeFailsEarly() throws Exception {
        start("1");
        Await.until("the NameNode was tried again", Await.TIMEOUT, () -> countRuns("namenode ") == 2, this::describe);
        Await.until(
                "the keeper pauses again", Await.TIMEOUT, () -> output().split("again in").length == 3, this::describe);

        assertThat(countRuns("pool node ")).isEqualTo(1);
        assertThat(isAlive("pool-node.pid")).isTrue();
    }

    @Test
    void stoppedNameNodeLeavesNoPoolNode() throws Exception {
        Files.createFile(directory.resolve("well"));
        start("1");
        await("namenode -XX:+ExitOnOutOfMemoryError -Dproc_namenode a word");

        keeper.destroy();

        assertThat(keeper.waitFor()).isEqualTo(143);
        assertThat(events())
                .containsExactly("namenode -XX:+ExitOnOutOfMemoryError -Dproc_namenode a word", "namenode stopped");
    }

    @Test
    void stopAlsoEndsReplacementPoolNode() throws Exception {
        start("1");
        await("pool node --in-place-of-namenode opts=of the node");
        Await.until("it runs", Await.TIMEOUT, () -> Files.exists(directory.resolve("pool-node.pid")), this::describe);

        keeper.destroy();

        assertThat(keeper.waitFor()).isEqualTo(1);
        assertThat(events()).endsWith("pool node stopped");
    }

    @Test
    void nameNodeWithoutPoolNodeExitsNormally() throws Exception {
        Files.createFile(directory.resolve("no-place"));
        start("255");

        assertThat(keeper.waitFor()).isEqualTo(255);
        assertThat(countRuns("namenode ")).isEqualTo(1);
    }

    @Test
    void cleanlyEndedNameNodeIsNotRestarted() throws Exception {
        start("0");

        assertThat(keeper.waitFor()).isZero();
        assertThat(events()).hasSize(1);
    }

    @Test
    void killedKeeperEndsItsProcesses() throws Exception {
        Files.createFile(directory.resolve("well"));
        start("1");
        await("namenode -XX:+ExitOnOutOfMemoryError -Dproc_namenode a word");
        Await.until("it runs", Await.TIMEOUT, () -> isAlive("namenode.pid"), this::describe);

        keeper.destroyForcibly().waitFor();

        Await.until("the NameNode is gone", Await.TIMEOUT, () -> !isAlive("namenode.pid"), this::describe);
        Await.until("its directory is gone", Await.TIMEOUT, () -> countKeeperDirectories() == 0, this::describe);
    }

    @Test
    void threadDumpSignalReachesNameNode() throws Exception {
        Path program = directory.resolve("Stay.java");
        Files.writeString(
                program,
                "class Stay { public static void main(String[] a) throws Exception { Thread.sleep(600000); } }");
        start(Path.of(System.getProperty("java.home"), "bin/java"), program.toString());

        // Before that, the keeper would not know the signal.
        Await.until("the JVM runs", Await.TIMEOUT, this::runsJava, this::describe);

        Await.until(
                "the threads are in the output",
                Await.TIMEOUT,
                () -> {
                    new ProcessBuilder("sh", "-c", "kill -QUIT " + keeper.pid())
                            .start()
                            .waitFor();
                    return output().contains("Full thread dump");
                },
                this::describe);
        assertThat(keeper.isAlive()).isTrue();
    }

    private void start(String exitCode) throws IOException {
        Files.writeString(directory.resolve("exit-code"), exitCode);
        start(script("namenode", NAMENODE), "-Dproc_namenode", "a word");
    }

    private void start(Path nameNode, String... arguments) throws IOException {
        Path poolNode = script("pool-node", POOL_NODE);
        // A shell cannot catch a signal that was ignored when it began, as builds in the background have it.
        List<String> line = new ArrayList<>(List.of("env", "--default-signal=QUIT", KEEPER.toString()));
        line.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile());
        builder.environment().put("TREFOIL_JAVA", nameNode.toString());
        builder.environment()
                .put(
                        "TREFOIL_POOL_NODE_COMMAND",
                        "env HADOOP_OPTS=of\\ the\\ node " + poolNode + " --in-place-of-namenode");
        builder.environment().put("TREFOIL_RENEW_COMMAND", renewal);
        builder.environment().put("TMPDIR", directory.toString());
        keeper = builder.start();
    }

    private Path script(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private boolean runsJava() {
        return keeper.children()
                .anyMatch(child -> child.info().command().orElse("").endsWith("/java"));
    }

    private void await(String event) {
        Await.until(event, Await.TIMEOUT, () -> events().contains(event), this::describe);
    }

    private long countRuns(String beginning) throws IOException {
        return events().stream()
                .filter(event -> event.startsWith(beginning + "-"))
                .count();
    }

    private List<String> events() throws IOException {
        Path file = directory.resolve("events");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private boolean isAlive(String pidFile) throws IOException {
        Path file = directory.resolve(pidFile);
        String pid = Files.exists(file) ? Files.readString(file).trim() : "";
        return !pid.isEmpty()
                && ProcessHandle.of(Long.parseLong(pid))
                        .filter(ProcessHandle::isAlive)
                        .isPresent();
    }

    private long countKeeperDirectories() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("trefoil-keeper-"))
                    .count();
        }
    }

    private String output() throws IOException {
        return Files.readString(directory.resolve("output"));
    }

    private String describe() {
        try {
            return events() + "\n" + output();
        } catch (IOException e) {
            return e.toString();
        }
    }
}
