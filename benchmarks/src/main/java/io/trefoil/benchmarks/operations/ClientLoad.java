/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.ClusterUsage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;

/** Stock clients in a closed loop, each with its own connection. */
final class ClientLoad implements AutoCloseable {
    private static final int MAX_PASSES = 5;

    private static final int THREADS_THAT_MAKE_FILES = 16;

    private final List<Client> clients = new ArrayList<>();
    private final ExecutorService threads;

    /** @param home the parent of the clients' directories; new for each load */
    ClientLoad(Configuration configuration, int count, Path home) throws IOException, InterruptedException {
        this(unused -> configuration, count, home);
    }

    /** The same for clients with different configurations, by number, from 0. */
    ClientLoad(IntFunction<Configuration> configurations, int count, Path home)
            throws IOException, InterruptedException {
        threads = Executors.newFixedThreadPool(count);
        for (int i = 0; i < count; i++) {
            clients.add(new Client(configurations.apply(i), i, new Path(home, "client" + i)));
        }
    }

    /**
     * The result of one operation.
     *
     * @param perSecond of all clients together
     * @param seconds how long the client that was busy for the shortest time called
     * @param nanos how long each call took
     * @param usage of the cluster's processes meanwhile
     */
    record Outcome(double perSecond, double seconds, Histogram nanos, ClusterUsage usage) {
        long count() {
            return nanos.getTotalCount();
        }
    }

    /** The result of one client. */
    private record Calls(long count, double seconds, Histogram nanos) {
        double perSecond() {
            return seconds > 0 ? count / seconds : 0;
        }
    }

    /** Makes the files that a measurement uses up; making them is not measured itself. */
    interface Creation {
        /** Makes the files under any conditions, and returns once the measurement's conditions hold again. */
        void create(Files files) throws InterruptedException, ExecutionException;

        /** An action that creates files. */
        interface Files {
            void make() throws InterruptedException, ExecutionException;
        }
    }

    /** Runs an operation on all clients for this long. */
    Outcome run(MeasuredOperation operation, long seconds) throws InterruptedException, ExecutionException {
        return run(operation, seconds, ClusterUsage.NOBODYS);
    }

    /** Like the other {@code run}, with the cluster's usage. */
    Outcome run(MeasuredOperation operation, long seconds, ClusterUsage.Meter meter)
            throws InterruptedException, ExecutionException {
        return operation == MeasuredOperation.DELETE
                ? delete(seconds, meter, new FilesToDelete(), ClientLoad::createFiles)
                : runPass(operation, seconds, meter);
    }

    private static void createFiles(Creation.Files files) throws InterruptedException, ExecutionException {
        files.make();
    }

    /**
     * Deletes files that were made before, in a few passes, of which the last one counts, as the first that is long enough. Before
     * anything is known of so many clients, a short one says how many files they need.
     *
     * @param filesToDelete what is known of these clients, and will be
     * @param creation how the files are made, but for the few of that short one
     */
    Outcome delete(long seconds, ClusterUsage.Meter meter, FilesToDelete filesToDelete, Creation creation)
            throws InterruptedException, ExecutionException {
        int count = clients.size();
        Outcome outcome;
        int passes = 0;
        do {
            long files = filesToDelete.filesPerClient(count, seconds);
            if (filesToDelete.hasEstimate(count)) {
                creation.create(() -> createFilesToDelete(files));
            } else {
                createFilesToDelete(files);
            }
            outcome = runPass(MeasuredOperation.DELETE, seconds, meter);
            boolean hadNoneLeft = outcome.seconds() < seconds;
            filesToDelete.recordRate(count, hadNoneLeft ? files / outcome.seconds() : outcome.perSecond() / count);
            passes++;
        } while (passes < MAX_PASSES && !filesToDelete.isLongEnough(outcome.seconds(), seconds));
        return outcome;
    }

    private Outcome runPass(MeasuredOperation operation, long seconds, ClusterUsage.Meter meter)
            throws InterruptedException, ExecutionException {
        ClusterUsage before = read(meter);
        List<Future<Calls>> running = new ArrayList<>();
        for (Client client : clients) {
            running.add(threads.submit(() -> client.run(operation, TimeUnit.SECONDS.toNanos(seconds))));
        }
        double perSecond = 0;
        double shortest = Double.MAX_VALUE;
        Histogram nanos = new Histogram(3);
        for (Future<Calls> each : running) {
            perSecond += each.get().perSecond();
            shortest = Math.min(shortest, each.get().seconds());
            nanos.add(each.get().nanos());
        }
        return new Outcome(perSecond, shortest, nanos, read(meter).minus(before));
    }

    private static ClusterUsage read(ClusterUsage.Meter meter) {
        try {
            return meter.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Refills the files until each client has this many to delete, with many threads, as making files takes longer than deleting them. */
    private void createFilesToDelete(long files) throws InterruptedException, ExecutionException {
        int slices = Math.max(1, THREADS_THAT_MAKE_FILES / clients.size());
        ExecutorService makers = Executors.newFixedThreadPool(slices * clients.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Client client : clients) {
                for (int slice = 0; slice < slices; slice++) {
                    int first = slice;
                    running.add(makers.submit(() -> {
                        client.createFilesToDelete(first, slices, files);
                        return null;
                    }));
                }
            }
            for (Future<?> each : running) {
                each.get();
            }
            clients.forEach(client -> client.setFilesToDelete(files));
        } finally {
            makers.shutdownNow();
        }
    }

    @Override
    public void close() throws IOException {
        threads.shutdownNow();
        for (Client client : clients) {
            client.fileSystem.close();
        }
    }

    /**
     * The number of files that clients need to delete for some time, estimated from their earlier speed: as making files takes longer than
     * deleting them, there should be neither too few, which costs a pass, nor too many. Used by one thread.
     */
    static final class FilesToDelete {
        /** The number of first files of each client, which show how fast it is. */
        private static final long FIRST = 50;

        /** The factor by which a client may be faster than before. */
        private static final double SPARE = 1.25;

        /** The share of the time that is close enough, as in {@link OperationsReport}. */
        private static final double ENOUGH = 0.8;

        private final Map<Integer, Double> perSecondOfEach = new HashMap<>();

        /** Whether this number of clients has deleted anything before. */
        boolean hasEstimate(int clients) {
            return perSecondOfEach.containsKey(clients);
        }

        /** Returns the number of files that each of this many clients needs; a small number if nothing is known about them. */
        long filesPerClient(int clients, long seconds) {
            return hasEstimate(clients) ? (long) Math.ceil(SPARE * seconds * perSecondOfEach.get(clients)) : FIRST;
        }

        /**
         * Records how many files each of this many clients has just deleted per second; the fastest one's number, if one had no files left.
         */
        void recordRate(int clients, double perSecond) {
            perSecondOfEach.put(clients, perSecond);
        }

        /** Whether a pass was long enough to count. */
        boolean isLongEnough(double seconds, long minLength) {
            return seconds >= ENOUGH * minLength;
        }
    }

    private static final class Client {
        private final FileSystem fileSystem;
        private final Path home;
        private long created;
        /** A client, whose files to delete are those from {@code deleted} up to, but not including, {@code doomed}. */
        private long deleted;

        private long doomed;

        /** Each client has its own user: clients of one user in one JVM share a connection. */
        Client(Configuration configuration, int number, Path home) throws IOException, InterruptedException {
            this.fileSystem = UserGroupInformation.createRemoteUser("client" + number)
                    .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(configuration));
            this.home = home;
            fileSystem.mkdirs(home);
        }

        void createFilesToDelete(int first, int step, long files) throws IOException {
            for (long number = doomed + first; number < deleted + files; number += step) {
                fileSystem
                        .create(MeasuredOperation.fileToDelete(home, number), false)
                        .close();
            }
        }

        void setFilesToDelete(long files) {
            doomed = Math.max(doomed, deleted + files);
        }

        Calls run(MeasuredOperation operation, long lasting) throws IOException {
            Histogram nanos = new Histogram(3);
            long begun = System.nanoTime();
            long before = begun;
            long number = 0;
            while (before - begun < lasting && (operation != MeasuredOperation.DELETE || deleted < doomed)) {
                operation.perform(
                        fileSystem, home, operation == MeasuredOperation.DELETE ? deleted++ : number, created);
                long now = System.nanoTime();
                nanos.recordValue(now - before);
                before = now;
                number++;
            }
            if (operation == MeasuredOperation.CREATE) {
                created = number;
            }
            return new Calls(number, (before - begun) / (double) TimeUnit.SECONDS.toNanos(1), nanos);
        }
    }
}
