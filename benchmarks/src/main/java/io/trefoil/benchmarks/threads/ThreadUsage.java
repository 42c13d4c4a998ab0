/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.threads;

import io.trefoil.benchmarks.Usage;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The resources used by each thread of a process since its start, as counted by Linux. A thread's kind is its name without numbers, of
 * which the kernel has the first fifteen characters.
 */
final class ThreadUsage {
    /** The kind for threads that ended in the meantime. */
    static final String ENDED = "(ended)";

    private static final Path PROC = Path.of("/proc");
    private static final double NANOS_PER_SECOND = 1e9;
    /** The pattern of a thread's number, which follows a separator or is long, and everything after it; the one in "C2" does not count. */
    private static final Pattern NUMBER = Pattern.compile("([ #:-]+\\d|\\d{3}).*$");

    private final Usage process;
    private final Map<Path, OneThread> threads;

    private record OneThread(String kind, Usage usage) {}

    private ThreadUsage(Usage process, Map<Path, OneThread> threads) {
        this.process = process;
        this.threads = threads;
    }

    static ThreadUsage of(long pid) throws IOException {
        Map<Path, OneThread> threads = new LinkedHashMap<>();
        try (DirectoryStream<Path> tasks =
                Files.newDirectoryStream(PROC.resolve(String.valueOf(pid)).resolve("task"))) {
            for (Path task : tasks) {
                try {
                    threads.put(task, read(task));
                } catch (IOException e) {
                    // It may have ended meanwhile.
                    if (Files.exists(task)) {
                        throw e;
                    }
                }
            }
        }
        return new ThreadUsage(Usage.of(List.of(pid)), threads);
    }

    private static OneThread read(Path task) throws IOException {
        // Ticks of 10 ms, as the process's time is counted, would leave most threads with none.
        String nanos = Files.readString(task.resolve("schedstat")).split(" ")[0];
        double cpuSeconds = Double.parseDouble(nanos) / NANOS_PER_SECOND;
        String name = Files.readString(task.resolve("comm")).trim();
        return new OneThread(kind(name), new Usage(cpuSeconds, Usage.countSleeps(task)));
    }

    static String kind(String name) {
        String kind = NUMBER.matcher(name).replaceFirst("");
        return kind.isEmpty() ? name : kind;
    }

    /** Returns the usage of each kind since then. */
    Map<String, Usage> since(ThreadUsage earlierUsage) {
        Map<String, Usage> used = new LinkedHashMap<>();
        Usage seen = new Usage(0, 0);
        for (Map.Entry<Path, OneThread> entry : threads.entrySet()) {
            OneThread thread = entry.getValue();
            OneThread then = earlierUsage.threads.get(entry.getKey());
            Usage usage = then == null ? thread.usage() : thread.usage().minus(then.usage());
            used.merge(thread.kind(), usage, Usage::plus);
            seen = seen.plus(usage);
        }
        double ended = process.minus(earlierUsage.process).cpuSeconds() - seen.cpuSeconds();
        used.put(ENDED, new Usage(Math.max(0, ended), 0));
        return used;
    }
}
