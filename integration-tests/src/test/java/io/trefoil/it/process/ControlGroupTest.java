/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(
        value = "io.trefoil.it.process.ControlGroup#isAvailable",
        disabledReason = "needs root, and control groups of Linux")
class ControlGroupTest {
    private static final Duration USED = Duration.ofMillis(300);
    private static final String OWN_GROUPS =
            "trefoil-" + ProcessHandle.current().pid() + "-";

    @Test
    void processIsLimitedToShareOnIdleMachine() throws IOException {
        try (ControlGroup group = ControlGroup.withCpus("test", 0.2)) {
            // Before it starts, or what it gets before this thread goes on would seem to be too much.
            long begun = System.nanoTime();
            Process busy = start(group, "sh", "-c", "while :; do :; done");
            try {
                await().atMost(Await.TIMEOUT).until(() -> cpuTime(busy).compareTo(USED) >= 0);
                Duration elapsed = Duration.ofNanos(System.nanoTime() - begun);

                // A fifth of one CPU takes 1.5 s for 0.3 s of work, of which it has done a little before it entered the
                // group.
                assertThat(elapsed).isGreaterThan(USED.multipliedBy(4));
            } finally {
                busy.destroyForcibly();
            }
        }
    }

    @Test
    void groupIsRemovedAfterProcessesEnd() throws IOException {
        try (ControlGroup group = ControlGroup.withCpus("test", 1)) {
            Process process = start(group, "sleep", "60");
            try {
                // The shell enters the group before it becomes the command.
                await().atMost(Await.TIMEOUT).until(() -> Shell.run("cat /proc/" + process.pid() + "/cgroup")
                        .contains(OWN_GROUPS));
            } finally {
                process.destroyForcibly();
            }
        }
        assertThat(Shell.run("ls -d /sys/fs/cgroup/trefoil-* /sys/fs/cgroup/cpu/trefoil-* 2>&- || true"))
                .doesNotContain(OWN_GROUPS);
    }

    private static Process start(ControlGroup group, String... command) throws IOException {
        List<String> line = new ArrayList<>(group.commandPrefix());
        line.addAll(List.of(command));
        return new ProcessBuilder(line).start();
    }

    private static Duration cpuTime(Process process) {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
