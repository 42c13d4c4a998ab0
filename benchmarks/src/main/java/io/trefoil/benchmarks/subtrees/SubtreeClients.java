/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.subtrees;

import io.trefoil.benchmarks.subtrees.CallHistory.Call;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Clients that follow the table, some in each subtree, in a closed loop. They look at files of their own, and now and then one
 * makes a file and deletes another, so that subtrees stay as large as they are.
 */
final class SubtreeClients implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<Client>> clients = new LinkedHashMap<>();

    /**
     * The work of each client.
     *
     * @param each how many clients a subtree has
     * @param files how many files each of them keeps
     * @param callsPerChange one of so many calls makes a file
     */
    record Plan(int each, int files, int callsPerChange) {}

    /** Connects all clients, each with its own user and connections, and makes their files. */
    SubtreeClients(Configuration conf, List<String> subtrees, Plan plan)
            throws IOException, InterruptedException, ExecutionException {
        List<Future<?>> made = new ArrayList<>();
        for (String subtree : subtrees) {
            for (int i = 0; i < plan.each; i++) {
                Client client = new Client(conf, new Path(subtree, "client" + i), plan);
                clients.computeIfAbsent(subtree, unused -> new ArrayList<>()).add(client);
                made.add(threads.submit(client::makeFiles));
            }
        }
        for (Future<?> future : made) {
            future.get();
        }
    }

    /** Clients that run until they are stopped. */
    final class Run {
        private final Map<Future<List<Call>>, String> running = new LinkedHashMap<>();
        private volatile boolean isOver;

        private Run(Set<String> subtrees) {
            for (String subtree : subtrees) {
                for (Client client : clients.get(subtree)) {
                    running.put(threads.submit(() -> client.run(this)), subtree);
                }
            }
        }

        /**
         * Ends the run.
         *
         * @throws ExecutionException if a call of a client failed
         */
        CallHistory stop() throws InterruptedException, ExecutionException {
            isOver = true;
            CallHistory history = new CallHistory();
            for (Map.Entry<Future<List<Call>>, String> entry : running.entrySet()) {
                history.add(entry.getValue(), entry.getKey().get());
            }
            return history;
        }
    }

    /** Starts the clients of some subtrees. */
    Run start(Set<String> subtrees) {
        return new Run(subtrees);
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (List<Client> some : clients.values()) {
            for (Client client : some) {
                client.fileSystem.close();
            }
        }
    }

    private static final class Client {
        private final FileSystem fileSystem;
        private final Path home;
        private final Plan plan;
        private final Deque<Path> files = new ArrayDeque<>();
        private long made;
        private long step;

        /** Each client has its own user: clients of one user in one JVM share a connection. None is a superuser. */
        Client(Configuration conf, Path home, Plan plan) throws IOException, InterruptedException {
            String user = home.toString().substring(1).replace('/', '-');
            this.fileSystem = UserGroupInformation.createRemoteUser(user).doAs((PrivilegedExceptionAction<FileSystem>)
                    () -> FileSystem.newInstance(URI.create(GrowingFederation.CLUSTER), conf));
            this.home = home;
            this.plan = plan;
        }

        Void makeFiles() throws IOException {
            fileSystem.mkdirs(home);
            while (files.size() < plan.files) {
                create();
            }
            return null;
        }

        List<Call> run(Run run) throws IOException {
            List<Call> calls = new ArrayList<>();
            long began = System.nanoTime();
            while (!run.isOver) {
                step();
                long answered = System.nanoTime();
                calls.add(new Call(began, answered));
                began = answered;
            }
            return calls;
        }

        private void step() throws IOException {
            step++;
            if (files.size() > plan.files) {
                delete();
            } else if (step % plan.callsPerChange == 0) {
                create();
            } else {
                Path next = files.removeFirst();
                fileSystem.getFileStatus(next);
                files.addLast(next);
            }
        }

        private void delete() throws IOException {
            Path file = files.removeFirst();
            if (!fileSystem.delete(file, false)) {
                throw new IllegalStateException(file + " is lost");
            }
        }

        private void create() throws IOException {
            Path file = new Path(home, "f" + made++);
            fileSystem.create(file, false).close();
            files.addLast(file);
        }
    }
}
