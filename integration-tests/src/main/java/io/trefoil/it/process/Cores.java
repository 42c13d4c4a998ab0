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
 * @param others the rest
 */
public record Cores(List<Integer> first, List<Integer> others) {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)$");

    public Cores {
        if (first.isEmpty()) {
            throw new IllegalArgumentException("two halves need two cores at least, found " + others.size());
        }
        first = List.copyOf(first);
        others = List.copyOf(others);
    }

    /** The halves of what this process may use; later that may be one half. */
    public static Cores ofThisProcess() {
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
    static Cores halvesOf(String list) {
        List<Integer> cores =
                Stream.of(list.split(",")).flatMapToInt(Cores::range).boxed().collect(Collectors.toList());
        int middle = cores.size() / 2;
        return new Cores(cores.subList(0, middle), cores.subList(middle, cores.size()));
    }

    private static IntStream range(String text) {
        String[] ends = text.split("-");
        return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
    }

    /** The command prefix that keeps a command, and all that it starts, on the first half. */
    public List<String> commandPrefix() {
        return List.of("taskset", "-c", listed(first));
    }

    /** Keeps this process, and what it starts without a {@link #commandPrefix}, on the other half. */
    public void keepThisProcessOnTheOthers() {
        String command = "taskset -a -p -c " + listed(others) + " "
                + ProcessHandle.current().pid();
        // It fails if a thread ends in the middle, and leaves out those after it.
        Await.until(
                "this process is on cores " + listed(others),
                PATIENCE,
                () -> Shell.tryToRun(command).exitCode() == 0,
                () -> Shell.tryToRun(command).output());
    }

    private static String listed(List<Integer> cores) {
        return cores.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
