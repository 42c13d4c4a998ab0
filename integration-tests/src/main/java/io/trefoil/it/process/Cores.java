/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The cores of this machine in two halves, so that processes of one half never wait for those of the other. Linux gives a
 * {@link ControlGroup} its time for a period to one core; if a process outside has that core, the group's threads on another one
 * have nothing left. Needs Linux with {@code taskset}.
 *
 * @param first the first half, one core if there are two or three
 * @param others the rest
 */
public record Cores(List<Integer> first, List<Integer> others) {
    private static final Path ONLINE = Path.of("/sys/devices/system/cpu/online");

    public Cores {
        if (first.isEmpty()) {
            throw new IllegalArgumentException("two halves need two cores at least, this machine has " + others.size());
        }
        first = List.copyOf(first);
        others = List.copyOf(others);
    }

    /** The halves of what the kernel has online. */
    public static Cores ofThisMachine() {
        try {
            return halvesOf(Files.readString(ONLINE).trim());
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
        Shell.run("taskset -a -p -c " + listed(others) + " "
                + ProcessHandle.current().pid());
    }

    private static String listed(List<Integer> cores) {
        return cores.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
