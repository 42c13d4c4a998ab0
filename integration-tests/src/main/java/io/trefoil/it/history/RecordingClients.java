/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Clients, each with a thread, that work on the same few names in some directories and record their requests and answers: one history per
 * directory. The content of each file is a block size that no other file gets, so that empty files can be told apart, and no DataNode is
 * needed.
 */
public final class RecordingClients implements AutoCloseable {
    private static final long MIN_BLOCK_BYTES = 1 << 20;
    private static final int BLOCK_STEP = 512;

    private final Duration between;
    private final List<Queue<Operation>> histories;
    private final List<Client> clients = new ArrayList<>();
    private final AtomicLong asked = new AtomicLong();
    private final AtomicLong changes = new AtomicLong();
    private final AtomicLong contents = new AtomicLong();
    private volatile boolean stopped;

    /** A client's way of reaching the directories. All methods are called by its thread. */
    public interface Caller {
        /**
         * Sends a request, and waits for its answer.
         *
         * @param directory the number of the directory that has the names
         */
        ClientAnswer send(int directory, HistoryRequest request) throws IOException;

        /** The last request ended without a clear answer. */
        void failed(int directory, HistoryRequest request, Exception cause);
    }

    /** Draws a client's requests. */
    public interface Requests {
        /** @param content of a file that the request may create; unique */
        HistoryRequest next(Random random, String content);
    }

    /** @param between how long a client waits after an answer until it asks again */
    public RecordingClients(int directories, Duration between) {
        this.between = between;
        this.histories = IntStream.range(0, directories)
                .<Queue<Operation>>mapToObj(unused -> new ConcurrentLinkedQueue<>())
                .toList();
    }

    /**
     * Adds a client; must not be called after {@link #start}. The first one has the number 0.
     *
     * @param random draws its requests
     */
    public void add(String name, Random random, Caller caller) {
        add(name, random, RandomRequests::next, caller);
    }

    /** Adds a client with other requests. */
    public void add(String name, Random random, Requests requests, Caller caller) {
        clients.add(new Client(name, clients.size(), random, requests, caller));
    }

    /** Starts all clients. */
    public void start() {
        clients.forEach(Thread::start);
    }

    /** Returns the number of clients. */
    public int clientCount() {
        return clients.size();
    }

    /** Returns the number of calls that have an answer or will never have one. */
    public long completedCalls() {
        return asked.get();
    }

    /** Returns how many of these would change something. */
    public long completedChanges() {
        return changes.get();
    }

    /** Interrupts the call for which a client is waiting. */
    public void interrupt(int client) {
        clients.get(client).interrupt();
    }

    /** Ends the clients once they have their answers. */
    public void stop() throws InterruptedException {
        stopped = true;
        for (Client client : clients) {
            client.join();
        }
    }

    /** Whether the clients should stop. */
    public boolean isStopped() {
        return stopped;
    }

    /** Returns what has been recorded, by directory. */
    public List<List<Operation>> histories() {
        return histories.stream().map(List::<Operation>copyOf).toList();
    }

    @Override
    public void close() {
        stopped = true;
        clients.forEach(Thread::interrupt);
    }

    private final class Client extends Thread {
        private final int number;
        private final Random random;
        private final Requests requests;
        private final Caller caller;

        Client(String name, int number, Random random, Requests requests, Caller caller) {
            super(name);
            setDaemon(true);
            this.number = number;
            this.random = random;
            this.requests = requests;
            this.caller = caller;
        }

        @Override
        public void run() {
            while (!stopped) {
                int directory = random.nextInt(histories.size());
                long blockSize = MIN_BLOCK_BYTES + BLOCK_STEP * contents.incrementAndGet();
                HistoryRequest request = requests.next(random, String.valueOf(blockSize));
                histories.get(directory).add(operation(directory, request));
                asked.incrementAndGet();
                if (request.kind() != HistoryRequest.Kind.READ) {
                    changes.incrementAndGet();
                }
                LockSupport.parkNanos(between.toNanos());
            }
        }

        private Operation operation(int directory, HistoryRequest request) {
            long from = System.nanoTime();
            try {
                ClientAnswer answer = caller.send(directory, request);
                return Operation.answered(number, request, answer, from, System.nanoTime());
            } catch (IOException | RuntimeException nobodyKnows) {
                caller.failed(directory, request, nobodyKnows);
                return Operation.unknown(number, request, from);
            }
        }
    }
}
