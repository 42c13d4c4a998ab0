/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The cores of this machine in two halves, so that processes of one half never wait for those of the other. Linux gives a
 * {@link ControlGroup} its time for a period to one core; if a process outside has that core, the group's threads on another one
 * have nothing left. What all of a half's groups may use together is to fit on it. Needs Linux with {@code taskset}.
 *
 * @param first the first half, one core if there are two or three
 * @param otherCores the rest
 */
public record CpuCores(List<Integer> first, List<Integer> otherCores) {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)$");

    public CpuCores {
        if (first.isEmpty()) {
            throw new IllegalArgumentException("two halves need two cores at least, found " + otherCores.size());
        }
        first = List.copyOf(first);
        otherCores = List.copyOf(otherCores);
    }

    /** Returns the halves of the cores that this process may use, determined early, as later it may be restricted to one half. */
    public static CpuCores ofThisProcess() {
        try {
            Matcher allowed = ALLOWED.matcher(Files.readString(STATUS));
            if (!allowed.find()) {
                throw new IllegalStateException("wanted a line Cpus_allowed_list in " + STATUS + ", found none");
            }
            return halvesOf(allowed.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param list as the kernel writes it: {@code 0-3,6} */
    static CpuCores halvesOf(String list) {
        List<Integer> cores =
                Stream.of(list.split(",")).flatMapToInt(CpuCores::range).boxed().collect(Collectors.toList());
        int middle = cores.size() / 2;
        return new CpuCores(cores.subList(0, middle), cores.subList(middle, cores.size()));
    }

    private static IntStream range(String text) {
        String[] ends = text.split("-");
        return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
    }

    /** The command prefix that keeps a command, and everything it starts, on the first half. */
    public List<String> commandPrefix() {
        return List.of("taskset", "-c", formatList(first));
    }

    /** Keeps this process, and everything it starts without a {@link #commandPrefix}, on the other half. */
    public void pinThisProcessToOtherHalf() {
        String command = "taskset -a -p -c " + formatList(otherCores) + " "
                + ProcessHandle.current().pid();
        // It fails if a thread ends in the middle, and leaves out those after it.
        Await.until(
                "this process is on cores " + formatList(otherCores),
                TIMEOUT,
                () -> Shell.tryRun(command).exitCode() == 0,
                () -> Shell.tryRun(command).output());
    }

    private static String formatList(List<Integer> cores) {
        return cores.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
