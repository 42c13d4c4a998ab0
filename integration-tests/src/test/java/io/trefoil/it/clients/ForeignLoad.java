/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import io.trefoil.it.history.ClientAnswer;
import io.trefoil.it.history.HistoryRequest;
import io.trefoil.it.history.Linearizability;
import io.trefoil.it.history.RandomRequests;
import io.trefoil.it.history.RecordingClients;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * Connections of one client, each with a directory of its own, that make random calls, one after the other, and record what they asked and
 * were told. In a directory in which no other client works, the answers show what was executed twice, or behind the client's back.
 */
final class ForeignLoad implements AutoCloseable {
    private static final Duration CALL_INTERVAL = Duration.ofMillis(5);

    private final String name;
    private final List<RecordingClients> connections = new ArrayList<>();
    private final Queue<Call> calls = new ConcurrentLinkedQueue<>();
    private final Map<String, Integer> errors = new TreeMap<>();

    /** Executes a request in a directory. */
    interface Executor {
        ClientAnswer send(int connection, String directory, HistoryRequest request) throws IOException;
    }

    /** A call that has ended, by whatever. */
    private record Call(long from, long to) {}

    /**
     * Begins.
     *
     * @param root has a directory for each connection, of its number
     * @param files whether files are created
     */
    ForeignLoad(String name, String root, int count, boolean files, Executor client) {
        this.name = name;
        for (int number = 0; number < count; number++) {
            RecordingClients one = new RecordingClients(1, CALL_INTERVAL);
            int connection = number;
            one.add(
                    name + "-" + number,
                    new Random(number),
                    (random, content) -> nextRequest(random, content, files),
                    new Caller(client, connection, root + "/" + connection));
            connections.add(one);
        }
        connections.forEach(RecordingClients::start);
    }

    private static HistoryRequest nextRequest(Random random, String content, boolean files) {
        HistoryRequest request = RandomRequests.next(random, content);
        return files || request.kind() != HistoryRequest.Kind.CREATE ? request : HistoryRequest.mkdirs(request.name());
    }

    private final class Caller implements RecordingClients.Caller {
        private final Executor client;
        private final int connection;
        private final String directory;

        Caller(Executor client, int connection, String directory) {
            this.client = client;
            this.connection = connection;
            this.directory = directory;
        }

        @Override
        public ClientAnswer send(int unused, HistoryRequest request) throws IOException {
            long from = System.nanoTime();
            try {
                return client.send(connection, directory, request);
            } finally {
                calls.add(new Call(from, System.nanoTime()));
            }
        }

        @Override
        public void failed(int unused, HistoryRequest request, Exception cause) {
            synchronized (errors) {
                errors.merge(
                        String.valueOf(cause.getMessage())
                                .lines()
                                .findFirst()
                                .orElse("")
                                .replaceAll("[0-9]+", "n"),
                        1,
                        Integer::sum);
            }
        }
    }

    String name() {
        return name;
    }

    int connections() {
        return connections.size();
    }

    /** How many calls have ended. */
    long endedCalls() {
        return calls.size();
    }

    /** The longest call under way at any time between two. */
    Duration longestCall(long fromNanos, long toNanos) {
        return Duration.ofNanos(calls.stream()
                .filter(call -> call.to() - fromNanos >= 0 && call.from() - toNanos <= 0)
                .mapToLong(call -> call.to() - call.from())
                .max()
                .orElse(0));
    }

    /** How many calls ended with an error, by its text. */
    Map<String, Integer> errorCounts() {
        synchronized (errors) {
            return new TreeMap<>(errors);
        }
    }

    /** Ends the connections once they have their answers. */
    void stop() throws InterruptedException {
        for (RecordingClients one : connections) {
            one.stop();
        }
    }

    /** Directories whose answers no order explains in which each call was executed once; for each, what contradicts. */
    List<String> contradictions() {
        return connections.stream()
                .flatMap(one -> one.histories().stream())
                .flatMap(history -> Linearizability.findContradiction(history).stream())
                .flatMap(Stream::of)
                .toList();
    }

    @Override
    public void close() {
        connections.forEach(RecordingClients::close);
    }
}
