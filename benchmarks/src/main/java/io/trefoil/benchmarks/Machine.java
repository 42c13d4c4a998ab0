/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Facts about the machine without which figures are meaningless. */
public final class Machine {
    private static final int SYNCS = 300;
    private static final int BLOCK = 4096;

    private Machine() {}

    /**
     * Also makes the process print at its end the share of the CPU used by other guests of the same host, if the machine is a guest: if
     * that was large, the figures of the run mean little.
     *
     * @param directory the directory of the journals
     */
    public static Map<String, String> facts(Path directory) throws IOException {
        CpuTimes begin = CpuTimes.readCurrent();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> printStolen(begin), "stolen-time"));
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("jdk", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("hadoop", System.getProperty("trefoil.hadoop.version"));
        facts.put("fileSystem", Files.getFileStore(directory).type());
        facts.put("loadAverage", Files.readString(Path.of("/proc/loadavg")).trim());
        facts.put("sync4KiBp50Micros", String.valueOf(syncMicros(directory.resolve("sync"))));
        return facts;
    }

    /** Prints the facts, after creating the directory if it does not exist. */
    public static void print(Path directory) throws IOException {
        Files.createDirectories(directory);
        facts(directory).forEach((fact, value) -> System.out.println(fact + ": " + value));
    }

    private static void printStolen(CpuTimes begin) {
        try {
            System.out.printf("stolenPercent: %.0f%n", CpuTimes.readCurrent().stolenPercentSince(begin));
        } catch (IOException e) {
            System.out.println("stolenPercent: unknown, " + e);
        }
    }

    /** The median time of a sync of 4 KiB into a preallocated file. */
    private static long syncMicros(Path path) throws IOException {
        Histogram times = new Histogram(3);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(SYNCS * BLOCK), 0);
            file.force(true);
            for (int i = 0; i < SYNCS; i++) {
                long begun = System.nanoTime();
                file.write(ByteBuffer.allocateDirect(BLOCK), (long) i * BLOCK);
                file.force(false);
                times.recordValue((System.nanoTime() - begun) / 1000);
            }
        }
        return times.getValueAtPercentile(50);
    }

    /** The work of all CPUs of the machine since its start, in kernel ticks (proc_stat(5)). */
    static final class CpuTimes {
        private static final Path STAT = Path.of("/proc/stat");
        /**
         * The counters user, nice, system, idle, iowait, irq, softirq and steal; the guest time that follows them is already part of user.
         */
        private static final int KINDS = 8;

        private static final int IDLE = 3;
        private static final int WAITING = 4;
        private static final int STEAL = 7;

        private final long[] ticks;

        private CpuTimes(long[] ticks) {
            this.ticks = ticks;
        }

        static CpuTimes readCurrent() throws IOException {
            return parse(Files.readAllLines(STAT));
        }

        static CpuTimes parse(List<String> lines) throws IOException {
            String[] words = lines.get(0).trim().split(" +");
            if (!words[0].equals("cpu") || words.length <= KINDS) {
                throw new IOException(STAT + " begins with '" + lines.get(0) + "'; 'cpu' and at least " + KINDS
                        + " numbers were expected, as Linux 2.6.11 and later have them.");
            }
            return new CpuTimes(Arrays.stream(words)
                    .skip(1)
                    .limit(KINDS)
                    .mapToLong(Long::parseLong)
                    .toArray());
        }

        /** Returns the CPU time used by all processes of this machine. */
        long busyTicks() {
            return Arrays.stream(ticks).sum() - ticks[IDLE] - ticks[WAITING] - ticks[STEAL];
        }

        /** The share that other guests of the same host took of the CPU time that this machine wanted or left idle. */
        double stolenPercentSince(CpuTimes earlierTimes) {
            long all = Arrays.stream(ticks).sum()
                    - Arrays.stream(earlierTimes.ticks).sum();
            return all == 0 ? 0 : 100.0 * (ticks[STEAL] - earlierTimes.ticks[STEAL]) / all;
        }
    }
}
