/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.process.jvm.Idlers;
import io.trefoil.it.process.jvm.Parent;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupervisedProcessTest {
    private SupervisedProcess process;

    @AfterEach
    void endProcess() {
        if (process != null) {
            process.close();
        }
    }

    @Test
    void restartsKilledProcess() {
        process = startProcess(Idlers::runningForever, true);
        long first = process.pid();

        process.kill9();

        await().atMost(Await.TIMEOUT).until(() -> process.isAlive() && process.pid() != first);
        assertThat(process.startCount()).isEqualTo(2);
        assertThat(process.exits()).extracting(ProcessExit::code).containsExactly(137);
    }

    @Test
    void restartsProcessThatExited() {
        process = startProcess(() -> Idlers.endingWith(1), true);

        await().atMost(Await.TIMEOUT).until(() -> process.startCount() >= 3);
        assertThat(process.exits()).extracting(ProcessExit::code).containsOnly(1);
    }

    @Test
    void leavesStoppedProcessDown() {
        process = startProcess(Idlers::runningForever, true);

        process.stop();

        assertThat(process.isAlive()).isFalse();
        await().during(Duration.ofMillis(500)).until(() -> process.startCount() == 1);
    }

    @Test
    void leavesProcessDownWhenKilledPermanently() {
        process = startProcess(Idlers::runningForever, true);

        process.kill9ForGood();

        await().during(Duration.ofMillis(500)).until(() -> process.startCount() == 1);
        process.start();
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void leavesUnsupervisedProcessDown() {
        process = startProcess(Idlers::runningForever, false);

        process.kill9();

        await().during(Duration.ofMillis(500)).until(() -> process.startCount() == 1);
    }

    @Test
    void pausedProcessResumes() {
        process = startProcess(Idlers::runningForever, true);

        process.pause();
        // It stops when it is given a core again, which may be a moment after it was told to.
        await().atMost(Await.TIMEOUT).until(() -> stateOf(process.pid()).equals("T"));

        process.resume();
        await().atMost(Await.TIMEOUT).until(() -> !stateOf(process.pid()).equals("T"));
        assertThat(process.startCount()).isEqualTo(1);
    }

    @Test
    void refusesToPauseProcessThatDoesNotRun() {
        process = startProcess(Idlers::runningForever, true);
        process.kill9ForGood();

        assertThatIllegalStateException().isThrownBy(process::pause).withMessageContaining("does not run");

        process.start();
        process.pause();
        process.resume();
        assertThat(process.isAlive()).isTrue();
    }

    @Test
    void stopsAndKillsFrozenProcess() {
        process = startProcess(Idlers::runningForever, true);
        process.pause();
        process.stop();
        assertThat(process.isAlive()).isFalse();

        process.start();
        process.pause();
        process.kill9ForGood();
        assertThat(process.isAlive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"running", "paused"})
    void noChildOutlivesKilledHarness(String childState) throws IOException {
        Process parent = Idlers.command(Parent.class, childState).start();
        try (BufferedReader output = parent.inputReader(StandardCharsets.UTF_8)) {
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();

            parent.destroyForcibly();

            await().atMost(Await.TIMEOUT).until(() -> !child.isAlive());
        }
    }

    private static SupervisedProcess startProcess(Supplier<ProcessBuilder> command, boolean supervised) {
        SupervisedProcess process = new SupervisedProcess("idler", command, supervised);
        process.start();
        return process;
    }

    private static String stateOf(long pid) {
        return Shell.run("cut -d ' ' -f 3 /proc/" + pid + "/stat").trim();
    }
}
