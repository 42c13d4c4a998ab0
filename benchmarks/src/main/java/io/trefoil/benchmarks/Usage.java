/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/**
 * The resources that processes have used since their start, as Linux counts them.
 *
 * @param cpuSeconds on all cores together; exact to hundredths
 * @param sleeps how often a thread gave up its core to wait: hand-offs between threads, and waits for disk and network
 */
public record Usage(double cpuSeconds, long sleeps) {
    /** The unit of {@code /proc}, on every Linux. */
    private static final double TICKS_PER_SECOND = 100;

    private static final Path PROC = Path.of("/proc");
    private static final int USER = 11;
    private static final int SYSTEM = 12;

    public static Usage of(Collection<Long> pids) throws IOException {
        Usage sum = new Usage(0, 0);
        for (long pid : pids) {
            sum = sum.plus(of(PROC.resolve(String.valueOf(pid))));
        }
        return sum;
    }

    /** All processes of the machine together, without idle time and without the time that other guests of its host took. */
    public static Usage ofMachine() throws IOException {
        return new Usage(Machine.CpuTimes.readCurrent().busyTicks() / TICKS_PER_SECOND, 0);
    }

    public Usage minus(Usage earlierUsage) {
        return new Usage(cpuSeconds - earlierUsage.cpuSeconds, sleeps - earlierUsage.sleeps);
    }

    public Usage plus(Usage other) {
        return new Usage(cpuSeconds + other.cpuSeconds, sleeps + other.sleeps);
    }

    private static Usage of(Path process) throws IOException {
        String stat = Files.readString(process.resolve("stat"));
        // The name in front may contain any character, including blanks and brackets.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        double ticks = Double.parseDouble(fields[USER]) + Double.parseDouble(fields[SYSTEM]);
        long sleeps = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path thread : threads) {
                sleeps += countSleeps(thread);
            }
        }
        return new Usage(ticks / TICKS_PER_SECOND, sleeps);
    }

    /**
     * The usage of one thread; 0 if it ended before its file was opened or while it was read ("No such process").
     *
     * @param thread its directory in {@code /proc}
     */
    public static long countSleeps(Path thread) throws IOException {
        try {
            for (String line : Files.readAllLines(thread.resolve("status"))) {
                if (line.startsWith("voluntary_ctxt_switches:")) {
                    return Long.parseLong(line.substring(line.indexOf(':') + 1).trim());
                }
            }
            return 0;
        } catch (IOException e) {
            if (Files.exists(thread)) {
                throw e;
            }
            return 0;
        }
    }
}
