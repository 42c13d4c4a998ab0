/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The program {@code integration-tests/foreign/porcupine}: it loads a cluster by a client in Go until it is told to stop, then has Porcupine
 * check what the clients were told.
 */
final class PorcupineLoad implements AutoCloseable {
    /** The check takes as long as it takes; that of one directory is limited. */
    private static final Duration CHECK = Duration.ofMinutes(5);

    private final Process process;
    private final CompletableFuture<JsonNode> report = new CompletableFuture<>();
    private volatile long ended;

    private PorcupineLoad(Process process) {
        this.process = process;
        Thread reader = new Thread(this::read, "progress-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private static Path target(String name) {
        return Path.of(System.getProperty("trefoil.it.clients.directory"))
                .resolveSibling("target/" + name)
                .toAbsolutePath()
                .normalize();
    }

    private static Path program() {
        return target("foreign/porcupine/checker");
    }

    /** What was recorded and found; the next run with the same name replaces it. */
    private static Path directory() {
        return target("porcupine");
    }

    static boolean isInstalled() {
        return Files.exists(program());
    }

    /**
     * Starts.
     *
     * @param name of the file that gets the history, below {@code target/porcupine}
     * @param knownNameNodes all that the clients know
     * @param groups of three clients; each group works in one directory at a time
     * @param timeout after which a client gives an answer up
     */
    static PorcupineLoad start(String name, List<NameNodeServer> knownNameNodes, int groups, Duration timeout)
            throws IOException {
        String addresses = knownNameNodes.stream()
                .map(NameNodeServer::rpcAddress)
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(","));
        Files.createDirectories(directory());
        File log = directory().resolve(name + ".log").toFile();
        return new PorcupineLoad(new ProcessBuilder(
                        program().toString(),
                        "load",
                        addresses,
                        "/" + name,
                        String.valueOf(groups),
                        timeout.toMillis() + "ms",
                        directory().resolve(name + ".jsonl").toString())
                .redirectError(log)
                .start());
    }

    private void read() {
        String last = "";
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line;
                if (!line.startsWith("{")) {
                    ended = Long.parseLong(line);
                }
            }
            report.complete(new ObjectMapper().readTree(last));
        } catch (IOException | RuntimeException e) {
            report.completeExceptionally(e);
        }
    }

    /** Waits until so many more calls have ended. */
    void awaitMore(long calls) {
        long goal = ended + calls;
        await("more calls of the Go client").atMost(Await.TIMEOUT).until(() -> ended >= goal || !process.isAlive());
        if (!process.isAlive()) {
            throw new IllegalStateException("the Go client has ended; see its log in " + directory());
        }
    }

    /** Ends the load, and waits for what Porcupine says. */
    JsonNode stopAndCheck() throws Exception {
        process.outputWriter(StandardCharsets.UTF_8).close();
        return report.get(CHECK.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        process.destroy();
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
