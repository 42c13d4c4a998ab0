/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.pool.server.NodeSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolNodeMainTest {
    private final List<NodeSettings> started = new ArrayList<>();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    @Test
    void startsConfiguredNode() {
        assertThat(run("-D", "trefoil.journal.address=localhost:9000", "-D", "trefoil.journal.dir=/data/ssp"))
                .isZero();
        assertThat(started).extracting(NodeSettings::bindHost).containsExactly("localhost");
    }

    @Test
    void wrongConfigurationExitsWithoutRestart() {
        assertThat(run("-D", "trefoil.journal.address=localhost:9000")).isEqualTo(PoolNodeMain.WRONG);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("trefoil.journal.dir is not set");
    }

    @Test
    void rejectsMissingConfigurationFile(@TempDir Path directory) {
        String file = directory.resolve("hdfs-site.xml").toString();
        assertThat(run("-conf", file, "-Dtrefoil.journal.address=localhost:9000", "-Dtrefoil.journal.dir=/data/ssp"))
                .isEqualTo(PoolNodeMain.WRONG);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .startsWith("Pool node not started: There is no file " + file + ", which -conf names");
        assertThat(started).isEmpty();
    }

    @Test
    void startsWhenDirectoryHoldsJournal(@TempDir Path directory) throws IOException {
        Files.createDirectory(directory.resolve("ns1"));

        assertThat(run(argumentsForDirectory(directory))).isZero();
        assertThat(started).extracting(NodeSettings::directory).containsExactly(directory);
    }

    @Test
    void skipsStartWithoutJournalInDirectory(@TempDir Path directory) throws IOException {
        assertThat(run(argumentsForDirectory(directory))).isEqualTo(PoolNodeMain.NO_PLACE);
        assertThat(run(argumentsForDirectory(directory.resolve("missing")))).isEqualTo(PoolNodeMain.NO_PLACE);

        Files.createDirectory(directory.resolve("ns1"));
        assertThat(run(argumentsForDirectory(directory, "-Dtrefoil.journal.embedded=false")))
                .isEqualTo(PoolNodeMain.NO_PLACE);
        assertThat(run(argumentsForDirectory(
                        directory, "-Ddfs.namenode.shared.edits.dir=qjournal://localhost:8485/ns1")))
                .isEqualTo(PoolNodeMain.NO_PLACE);
        assertThat(started).isEmpty();
        assertThat(errors.size()).isZero();
    }

    private static String[] argumentsForDirectory(Path directory, String... more) {
        List<String> words = new ArrayList<>(List.of(
                "-Ddfs.namenode.shared.edits.dir=ssp://localhost:9000/ns1", "-Dtrefoil.journal.dir=" + directory));
        words.addAll(List.of(more));
        words.add("--in-place-of-namenode");
        return words.toArray(String[]::new);
    }

    @Test
    void unknownArgumentPrintsUsage() {
        assertThat(run("--help")).isEqualTo(PoolNodeMain.WRONG);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("Usage: hdfs poolnode");
    }

    @Test
    void haltsOnOutOfMemoryAndLogsOtherErrors() {
        List<Integer> halted = new ArrayList<>();
        Thread.UncaughtExceptionHandler handler = new PoolNodeMain.OutOfMemoryHandler(halted::add);

        handler.uncaughtException(Thread.currentThread(), new IllegalStateException("planted"));
        assertThat(halted).isEmpty();

        handler.uncaughtException(Thread.currentThread(), new OutOfMemoryError("planted"));
        assertThat(halted).containsExactly(PoolNodeMain.FAILED);
    }

    @Test
    void reportsReasonWhenNodeCannotStart() {
        PoolNodeMain main = new PoolNodeMain(
                settings -> {
                    throw new IOException("port 9000 is taken");
                },
                new PrintStream(errors, true, StandardCharsets.UTF_8));

        assertThat(main.start(
                        new String[] {"-Dtrefoil.journal.address=localhost:9000", "-Dtrefoil.journal.dir=/data/ssp"}))
                .isEqualTo(PoolNodeMain.FAILED);
        assertThat(errors.toString(StandardCharsets.UTF_8)).contains("port 9000 is taken");
    }

    private int run(String... arguments) {
        PoolNodeMain main = new PoolNodeMain(
                settings -> {
                    started.add(settings);
                    return () -> {};
                },
                new PrintStream(errors, true, StandardCharsets.UTF_8));
        return main.start(arguments);
    }
}
