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

    /** What clients speak. */
    enum Protocol {
        RPC,
        HTTP
    }

    /** The clients; {@code bin/foreign-clients} installs them. */
    enum Kind {
        GO("colinmarc/hdfs 2.4.0", Protocol.RPC, "go/client"),
        RUST("hdfs-native 0.14.7", Protocol.RPC, "python/hdfs_native_client.py"),
        SNAKEBITE("snakebite-py3 3.0.6", Protocol.RPC, "python/snakebite_client.py"),
        PYHDFS("pyhdfs 0.4.0", Protocol.HTTP, "python/pyhdfs_client.py"),
        HDFS("hdfs 2.7.3", Protocol.HTTP, "python/hdfs_client.py"),
        NODE("webhdfs 1.2.0", Protocol.HTTP, "node/client.js");

        private final String words;
        private final Protocol protocol;
        private final String program;

        Kind(String words, Protocol protocol, String program) {
            this.words = words;
            this.protocol = protocol;
            this.program = program;
        }

        /** By HTTP, files are created at DataNodes; such a client works with directories only. */
        boolean speaks(Protocol one) {
            return protocol == one;
        }

        boolean isInstalled() {
            return Files.exists(program());
        }

        private Path program() {
            return installed(program);
        }

        private List<String> command() {
            return switch (this) {
                case GO -> List.of(program().toString());
                case NODE -> List.of("node", program().toString());
                default -> List.of("python3", program().toString());
            };
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
        Thread reader = new Thread(this::readOutput, "answers-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts the program.
     *
     * @param addresses host and port of each server that the client knows
     * @param log gets what it prints beside its answers
     */
    static ForeignClient start(Kind kind, List<String> addresses, Path log) throws IOException {
        List<String> command = new ArrayList<>(kind.command());
        command.add(String.join(",", addresses));
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
    ClientAnswer send(int connection, String directory, HistoryRequest request) throws IOException {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        awaited.put(connection, answer);
        if (!process.isAlive()) {
            throw new IOException("the program has ended");
        }
        synchronized (requests) {
            requests.write(JSON.writeValueAsString(Map.of(
                    "client", connection,
                    "op", request.kind().name().toLowerCase(Locale.ROOT),
                    "arguments", arguments(directory, request))));
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

    private static List<String> arguments(String directory, HistoryRequest request) {
        String path = directory + "/" + request.name();
        return switch (request.kind()) {
            case CREATE -> List.of(path, request.otherPath());
            case RENAME -> List.of(path, directory + "/" + request.otherPath());
            case DELETE, MKDIRS, READ -> List.of(path);
        };
    }

    private void readOutput() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                Stream<String> all = lines.lines()) {
            all.forEach(this::onOutputLine);
        } catch (UncheckedIOException | IOException e) {
            // The program has ended.
        }
        awaited.values().forEach(answer -> answer.completeExceptionally(new IOException("the program has ended")));
    }

    private void onOutputLine(String line) {
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
