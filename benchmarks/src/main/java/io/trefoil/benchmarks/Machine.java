/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Facts about the machine without which figures say nothing. */
public final class Machine {
    private static final int SYNCS = 300;
    private static final int BLOCK = 4096;

    private Machine() {}

    /** @param directory the directory of the journals */
    public static Map<String, String> facts(Path directory) throws IOException {
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

    /** Prints them, after making the directory if it is not there. */
    public static void print(Path directory) throws IOException {
        Files.createDirectories(directory);
        facts(directory).forEach((fact, value) -> System.out.println(fact + ": " + value));
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
}
