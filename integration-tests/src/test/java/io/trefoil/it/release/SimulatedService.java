/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import io.trefoil.it.process.SupervisedProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Acts on a unit as systemd does, as far as {@link UnitFile} knows it. */
final class SimulatedService implements AutoCloseable {
    private static final int LINES_OF_A_TAIL = 25;

    private final String name;
    private final UnitFile unit;
    private final SupervisedProcess process;
    private final Path output;
    private final Path state;
    private final String invocation = UUID.randomUUID().toString().replace("-", "");

    private SimulatedService(
            String name, UnitFile unit, Function<String, ProcessBuilder> shell, Path directory, String inside)
            throws IOException {
        this.name = name;
        this.unit = unit;
        this.output = directory.resolve(name + ".out");
        this.state = Files.createDirectories(directory.resolve(name + ".unit"));
        String script = unit.script(inside + "/" + state.getFileName(), invocation);
        this.process = new SupervisedProcess(
                name,
                () -> shell.apply(script)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile())),
                unit.isRestarted());
    }

    /**
     * @param shell runs a script on the host, as root
     * @param directory for its output and its state
     * @param inside how the host calls that directory
     */
    static SimulatedService of(
            String name, UnitFile unit, Function<String, ProcessBuilder> shell, Path directory, String inside)
            throws IOException {
        return new SimulatedService(name, unit, shell, directory, inside);
    }

    UnitFile unit() {
        return unit;
    }

    /** Returns when the commands before it have run; false if one of them failed, after which it is tried again if the unit says so. */
    boolean start() throws IOException {
        if (process.isAlive()) {
            return true;
        }
        Files.deleteIfExists(state.resolve("ran"));
        Files.deleteIfExists(state.resolve("state"));
        process.setSupervised(unit.isRestarted());
        process.start();
        Await.until(
                name + " has been started",
                Await.TIMEOUT,
                () -> !List.of("", "activating").contains(output()),
                this::tail);
        return output().equals("active");
    }

    private String output() throws IOException {
        Path file = state.resolve("state");
        return Files.exists(file) ? Files.readString(file).strip() : "";
    }

    /** Sends SIGTERM to all of its processes, and waits for their end. */
    void stop() {
        process.setSupervised(false);
        processes().forEach(ProcessHandle::destroy);
        // A slow machine that does much else needs as long as any test allows; a unit that allows less has a reason.
        Duration limit = Duration.ofSeconds(Math.max(unit.seconds("TimeoutStopSec", 90), Await.TIMEOUT.toSeconds()));
        Await.until(name + " has ended", limit, () -> processes().isEmpty() && !output().equals("active"), this::tail);
        process.kill9ForGood();
    }

    /** Kills all of its processes with -9; it is restarted if the unit says so. */
    void kill() throws IOException {
        List<ProcessHandle> killed = processes();
        assertThat(killed).as(() -> name + " runs\n" + tail()).isNotEmpty();
        // What it says next is of its end, or of its next life.
        Files.deleteIfExists(state.resolve("state"));
        killed.forEach(ProcessHandle::destroyForcibly);
        Await.until(
                name + " is dead", Await.TIMEOUT, () -> killed.stream().noneMatch(ProcessHandle::isAlive), this::tail);
    }

    /** All that carry its mark, whosever children they have become. */
    private List<ProcessHandle> processes() {
        String mark = "INVOCATION_ID=" + invocation;
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.filter(one -> environment(one).contains(mark)).toList();
        }
    }

    private static String environment(ProcessHandle one) {
        try {
            return Files.readString(Path.of("/proc/" + one.pid() + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended meanwhile.
            return "";
        }
    }

    String tail() {
        try {
            List<String> lines = Files.readAllLines(output);
            return lines.stream()
                    .skip(Math.max(0, lines.size() - LINES_OF_A_TAIL))
                    .collect(Collectors.joining("\n", "--- " + output + "\n", "\n"));
        } catch (IOException e) {
            return "--- " + output + ": " + e + "\n";
        }
    }

    @Override
    public void close() {
        process.setSupervised(false);
        processes().forEach(ProcessHandle::destroyForcibly);
        process.close();
    }
}
