/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.diagnose;

import io.trefoil.foundation.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Collects texts concurrently, each on its own thread, until a deadline; a text that is late or fails is replaced by a note. */
final class ParallelCollector {
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final StringBuilder index = new StringBuilder();

    /** @param sources what makes each text, by the name of its file */
    static ParallelCollector collect(Duration time, Map<String, Callable<String>> sources) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(sources.size(), DaemonThreads.newFactory("diagnose"));
        ParallelCollector collected = new ParallelCollector();
        try {
            long endNanos = System.nanoTime() + time.toNanos();
            Map<String, Future<String>> begun = new LinkedHashMap<>();
            sources.forEach((name, source) -> begun.put(name, threads.submit(source)));
            for (Map.Entry<String, Future<String>> entry : begun.entrySet()) {
                collected.add(entry.getKey(), entry.getValue(), endNanos - System.nanoTime(), time);
            }
            return collected;
        } finally {
            threads.shutdownNow();
        }
    }

    private void add(String name, Future<String> text, long leftNanos, Duration time) throws IOException {
        try {
            texts.put(name, text.get(Math.max(1, leftNanos), TimeUnit.NANOSECONDS));
            index.append(name).append(": there\n");
        } catch (ExecutionException e) {
            StringWriter trace = new StringWriter();
            e.getCause().printStackTrace(new PrintWriter(trace, true));
            texts.put(name, trace.toString());
            index.append(name).append(": failed, ").append(e.getCause()).append('\n');
        } catch (TimeoutException e) {
            text.cancel(true);
            texts.put(name, "not done within " + time.toMillis() / 1_000 + " s\n");
            index.append(name)
                    .append(": not done within ")
                    .append(time.toMillis() / 1_000)
                    .append(" s\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while collecting");
        }
    }

    /** The outcome of each text, one line each. */
    String index() {
        return index.toString();
    }

    /** Writes all texts into a ZIP file, which exists completely or not at all. */
    void write(Path archive, SecretRedactor secrets, String introduction) throws IOException {
        Path directory = archive.toAbsolutePath().getParent();
        Path temporary = Files.createTempFile(directory, "trefoil-diagnose", ".tmp");
        try {
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(temporary))) {
                addEntry(zip, "README.txt", secrets.redact(introduction + index));
                for (Map.Entry<String, String> text : texts.entrySet()) {
                    addEntry(zip, text.getKey(), secrets.redact(text.getValue()));
                }
            }
            Files.move(temporary, archive, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    private static void addEntry(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }
}
