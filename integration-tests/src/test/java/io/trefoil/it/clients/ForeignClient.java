/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * A program in another language with connections of a client of HDFS that is not Hadoop's ({@code integration-tests/foreign}). It gets
 * requests as lines of JSON, and answers each by one.
 */
final class ForeignClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final BufferedWriter requests;
    private final Map<Integer, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();

    /** The clients; {@code bin/foreign-clients} installs them. */
    enum Kind {
        GO("colinmarc/hdfs 2.4.0", "go/client"),
        RUST("hdfs-native 0.14.7", "python/hdfs_native_client.py"),
        SNAKEBITE("snakebite-py3 3.0.6", "python/snakebite_client.py");

        private final String words;
        private final String program;

        Kind(String words, String program) {
            this.words = words;
            this.program = program;
        }

        boolean isInstalled() {
            return Files.exists(program());
        }

        private Path program() {
            return installed(program);
        }

        private List<String> command() {
            return this == GO
                    ? List.of(program().toString())
                    : List.of("python3", program().toString());
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private static Path installed(String file) {
        return Path.of(System.getProperty("trefoil.it.clients.directory"))
                .resolveSibling("target/foreign")
                .resolve(file)
                .toAbsolutePath();
    }

    private ForeignClient(Process process) {
        this.process = process;
        this.requests = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "answers-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts the program.
     *
     * @param address all that the client knows
     * @param log gets what it prints beside its answers
     */
    static ForeignClient start(Kind kind, InetSocketAddress address, Path log) throws IOException {
        List<String> command = new ArrayList<>(kind.command());
        command.add(address.getHostString() + ":" + address.getPort());
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("PYTHONPATH", installed("python/libraries").toString());
        builder.environment().put("HADOOP_USER_NAME", "foreign");
        builder.redirectError(ProcessBuilder.Redirect.appendTo(new File(log.toString())));
        return new ForeignClient(builder.start());
    }

    /**
     * Executes a request by one of the connections.
     *
     * @throws IOException with the client's error, if it has no answer
     */
    ClientAnswer send(int connection, String folder, HistoryRequest request) throws IOException {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        awaited.put(connection, answer);
        if (!process.isAlive()) {
            throw new IOException("the program has ended");
        }
        synchronized (requests) {
            requests.write(JSON.writeValueAsString(Map.of(
                    "client", connection,
                    "op", request.kind().name().toLowerCase(Locale.ROOT),
                    "arguments", arguments(folder, request))));
            requests.newLine();
            requests.flush();
        }
        try {
            JsonNode told = answer.get();
            if (told.has("error")) {
                throw new IOException(told.get("error").asText());
            }
            return new ClientAnswer(told.get("answer").asText());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private static List<String> arguments(String folder, HistoryRequest request) {
        String path = folder + "/" + request.name();
        return switch (request.kind()) {
            case CREATE -> List.of(path, request.other());
            case RENAME -> List.of(path, folder + "/" + request.other());
            case DELETE, MKDIRS, READ -> List.of(path);
        };
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                Stream<String> all = lines.lines()) {
            all.forEach(this::told);
        } catch (UncheckedIOException | IOException e) {
            // The program has ended.
        }
        awaited.values().forEach(answer -> answer.completeExceptionally(new IOException("the program has ended")));
    }

    private void told(String line) {
        try {
            JsonNode answer = JSON.readTree(line);
            awaited.get(answer.get("client").asInt()).complete(answer);
        } catch (IOException e) {
            throw new UncheckedIOException("no answer: " + line, e);
        }
    }

    /** The program ends when its input does. */
    @Override
    public void close() throws IOException {
        process.destroy();
        requests.close();
    }
}
