/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Linux control group: its processes share a fixed part of the machine's CPUs and never get more, however idle the
 * rest of the machine is. Needs root, and version 1 or 2 of control groups.
 *
 * <p>The name contains the id of this process; the next run removes what a killed one left behind.
 */
public final class ControlGroup implements AutoCloseable {
    /**
     * The period for one core: a process that has used up its share waits no longer than this for the next one, instead of ten times as
     * long by default, which no real host would do.
     */
    private static final int PERIOD_MICROS_ON_ONE_CORE = 10_000;

    /**
     * The period for several cores, as Linux assigns a group's share in slices of 5 ms, each to one core. In a shorter period, one core has
     * all of the share, and the group's threads on another one stand still though half of it is never used.
     */
    private static final int PERIOD_MICROS = 100_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final Path FIRST_VERSION = Path.of("/sys/fs/cgroup/cpu");
    private static final Path SECOND_VERSION = Path.of("/sys/fs/cgroup");
    private static final Pattern OUR_NAMES = Pattern.compile("trefoil-([0-9]+)-.*");
    private static final AtomicInteger CREATED = new AtomicInteger();

    private final Path directory;
    private final int periodMicros;

    private ControlGroup(Path directory, int periodMicros) {
        this.directory = directory;
        this.periodMicros = periodMicros;
    }

    /** Whether this process may create control groups. */
    public static boolean isAvailable() {
        return Shell.isRoot() && parent().isPresent();
    }

    /**
     * Creates a group without processes.
     *
     * @param name becomes part of the group's name
     * @param cpus how many of the machine's CPUs it gets, 0.5 for half of one
     */
    public static ControlGroup withCpus(String name, double cpus) {
        return make(name, cpus, PERIOD_MICROS);
    }

    /** Like {@link #withCpus}, for processes that are all kept on one core, by their {@link CpuCores}. */
    public static ControlGroup withPartOfOneCore(String name, double cpus) {
        return make(name, cpus, PERIOD_MICROS_ON_ONE_CORE);
    }

    private static ControlGroup make(String name, double cpus, int periodMicros) {
        Path parent = parent().filter(unused -> Shell.isRoot())
                .orElseThrow(() -> new IllegalStateException("a limit of CPU for " + name
                        + " needs root, and control groups of Linux: version 1 at " + FIRST_VERSION
                        + ", or version 2 at "
                        + SECOND_VERSION + " with the controller cpu"));
        removeLeftovers(parent);
        ControlGroup group = new ControlGroup(
                parent.resolve(
                        "trefoil-" + ProcessHandle.current().pid() + "-" + CREATED.incrementAndGet() + "-" + name),
                periodMicros);
        try {
            Files.createDirectory(group.directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        group.limit(cpus);
        return group;
    }

    /** Changes the group's share of the machine's CPUs from now on. */
    public void limit(double cpus) {
        try {
            setQuota(Math.round(cpus * periodMicros));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void setQuota(long quotaMicros) throws IOException {
        if (Files.exists(directory.resolve("cpu.max"))) {
            Files.writeString(directory.resolve("cpu.max"), quotaMicros + " " + periodMicros);
        } else {
            Files.writeString(directory.resolve("cpu.cfs_period_us"), String.valueOf(periodMicros));
            Files.writeString(directory.resolve("cpu.cfs_quota_us"), String.valueOf(quotaMicros));
        }
    }

    private static Optional<Path> parent() {
        if (Files.exists(FIRST_VERSION.resolve("cpu.cfs_quota_us"))
                || Files.exists(FIRST_VERSION.resolve("cgroup.procs"))) {
            return Optional.of(FIRST_VERSION);
        }
        Path controllers = SECOND_VERSION.resolve("cgroup.subtree_control");
        try {
            if (Files.exists(controllers) && !Files.readString(controllers).contains("cpu")) {
                Files.writeString(controllers, "+cpu");
            }
            return Files.exists(controllers) ? Optional.of(SECOND_VERSION) : Optional.empty();
        } catch (IOException notOurs) {
            return Optional.empty();
        }
    }

    /** The command prefix that puts a command, and everything it starts, into the group. */
    public List<String> commandPrefix() {
        return List.of("sh", "-c", "echo $$ > '" + directory.resolve("cgroup.procs") + "' && exec \"$@\"", "sh");
    }

    /** Removes the group; waits until its last process has ended. */
    @Override
    public void close() {
        Await.until("the processes of " + directory + " have ended", TIMEOUT, this::tryRemove, () -> "");
    }

    private boolean tryRemove() {
        try {
            Files.deleteIfExists(directory);
            return true;
        } catch (IOException hasProcessesYet) {
            return false;
        }
    }

    private static void removeLeftovers(Path parent) {
        try (DirectoryStream<Path> groups = Files.newDirectoryStream(parent, Files::isDirectory)) {
            for (Path group : groups) {
                Matcher matcher = OUR_NAMES.matcher(group.getFileName().toString());
                if (matcher.matches()
                        && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty()) {
                    new ControlGroup(group, PERIOD_MICROS).tryRemove();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
