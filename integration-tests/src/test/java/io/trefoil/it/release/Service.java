/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.process.Await;
import io.trefoil.it.process.SupervisedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Acts on a unit as systemd does, as far as ours need: environment, commands before the start, one command, restart. */
final class Service implements AutoCloseable {
    private static final int LINES_OF_A_TAIL = 25;

    /**
     * Runs the script in its first argument in a process, writes that process's id to the file in the second, and kills
     * it when its own standard input ends, which is when this JVM is gone.
     */
    private static final String LEASH =
            """
            exec 3<&0
            bash -c "$1" </dev/null &
            child=$!
            echo $child >"$2"
            trap 'kill -TERM $child' TERM
            { cat <&3 >/dev/null; kill -KILL $child; } 2>/dev/null &
            wait $child
            code=$?
            while kill -0 $child 2>/dev/null; do
              wait $child
              code=$?
            done
            exit $code
            """;

    private final String name;
    private final SupervisedProcess process;
    private final Path output;
    private final Path pid;

    private Service(String name, SupervisedProcess process, Path output, Path pid) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.pid = pid;
    }

    /**
     * @param unit the text of the unit
     * @param shell how to run a script on the host
     * @param folder for its output
     */
    static Service of(String unit, String name, Function<String, ProcessBuilder> shell, Path folder) {
        Path output = folder.resolve(name + ".out");
        Path pid = folder.resolve(name + ".pid");
        StringBuilder script = new StringBuilder("set -e\n");
        values(unit, "Environment").forEach(value -> script.append("export " + value + "\n"));
        values(unit, "ExecStartPre").forEach(value -> script.append(value + "\n"));
        List<String> start = values(unit, "ExecStart");
        assertThat(start).as("ExecStart of " + name).hasSize(1);
        script.append("exec " + start.get(0) + "\n");
        boolean restarts = values(unit, "Restart").contains("always");
        return new Service(
                name,
                new SupervisedProcess(
                        name,
                        () -> {
                            ProcessBuilder builder = shell.apply(LEASH);
                            builder.command().addAll(List.of(name, script.toString(), pid.toString()));
                            return builder.redirectErrorStream(true)
                                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
                        },
                        restarts),
                output,
                pid);
    }

    private static List<String> values(String unit, String key) {
        return unit.lines()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .toList();
    }

    void start() {
        process.start();
    }

    /** Kills what the unit runs, with -9; it is restarted if the unit says so. */
    void kill() {
        ProcessHandle running = running();
        running.destroyForcibly();
        Await.until(name + " is dead", Await.PATIENCE, () -> !running.isAlive(), this::tail);
    }

    private ProcessHandle running() {
        try {
            long id = Long.parseLong(Files.readString(pid).trim());
            return ProcessHandle.of(id).orElseThrow(() -> new AssertionError(name + " does not run\n" + tail()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
        if (process.isAlive()) {
            kill();
        }
        process.close();
    }
}
