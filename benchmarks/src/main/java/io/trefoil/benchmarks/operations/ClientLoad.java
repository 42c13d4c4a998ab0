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
    private static final int MOST_PASSES = 5;

    private static final int THREADS_THAT_MAKE_FILES = 16;

    private final List<Client> clients = new ArrayList<>();
    private final ExecutorService threads;

    /** @param home the parent of the clients' folders; new for each load */
    ClientLoad(Configuration configuration, int count, Path home) throws IOException, InterruptedException {
        this(unused -> configuration, count, home);
    }

    /** The same for clients with different configurations, by their numbers, from 0. */
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

    /** How files are made that a measurement uses up; that is not measured itself. */
    interface Creation {
        /** Makes them, under any conditions, and returns when those of the measurement hold again. */
        void of(Files files) throws InterruptedException, ExecutionException;

        /** Those that are to be made. */
        interface Files {
            void make() throws InterruptedException, ExecutionException;
        }
    }

    /** Runs an operation on all clients for this long. */
    Outcome run(MeasuredOperation operation, long seconds) throws InterruptedException, ExecutionException {
        return run(operation, seconds, ClusterUsage.NOBODYS);
    }

    /** The same with what the cluster used. */
    Outcome run(MeasuredOperation operation, long seconds, ClusterUsage.Meter meter)
            throws InterruptedException, ExecutionException {
        return operation == MeasuredOperation.DELETE
                ? delete(seconds, meter, new FilesToDelete(), ClientLoad::make)
                : pass(operation, seconds, meter);
    }

    private static void make(Creation.Files files) throws InterruptedException, ExecutionException {
        files.make();
    }

    /**
     * Deletes files that are made before, in a few passes, of which the last counts: it is the first that is long enough. Before
     * anything is known of so many clients, a short one says how many files they need.
     *
     * @param needed what is known of these clients, and will be
     * @param making how the files are made, but for the few of that short one
     */
    Outcome delete(long seconds, ClusterUsage.Meter meter, FilesToDelete needed, Creation making)
            throws InterruptedException, ExecutionException {
        int count = clients.size();
        Outcome outcome;
        int passes = 0;
        do {
            long files = needed.ofEach(count, seconds);
            if (needed.isKnown(count)) {
                making.of(() -> makeDoomed(files));
            } else {
                makeDoomed(files);
            }
            outcome = pass(MeasuredOperation.DELETE, seconds, meter);
            boolean hadNoneLeft = outcome.seconds() < seconds;
            needed.learn(count, hadNoneLeft ? files / outcome.seconds() : outcome.perSecond() / count);
            passes++;
        } while (passes < MOST_PASSES && !needed.isEnough(outcome.seconds(), seconds));
        return outcome;
    }

    private Outcome pass(MeasuredOperation operation, long seconds, ClusterUsage.Meter meter)
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

    /** Makes up for what was deleted until each client has so many files to delete, with many threads, as it takes longer than deleting them. */
    private void makeDoomed(long files) throws InterruptedException, ExecutionException {
        int slices = Math.max(1, THREADS_THAT_MAKE_FILES / clients.size());
        ExecutorService makers = Executors.newFixedThreadPool(slices * clients.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (Client client : clients) {
                for (int slice = 0; slice < slices; slice++) {
                    int first = slice;
                    running.add(makers.submit(() -> {
                        client.makeDoomed(first, slices, files);
                        return null;
                    }));
                }
            }
            for (Future<?> each : running) {
                each.get();
            }
            clients.forEach(client -> client.hasDoomed(files));
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
     * How many files clients need to delete for some time, from how fast so many of them were before: making them takes longer than
     * deleting them, so there should neither be too few, which costs a pass, nor too many. Used by one thread.
     */
    static final class FilesToDelete {
        /** Of each client, to see how fast it is. */
        private static final long FIRST = 50;

        /** A client may be so much faster than before. */
        private static final double SPARE = 1.25;

        /** So much of the time is near enough, as in {@link OperationsReport}. */
        private static final double ENOUGH = 0.8;

        private final Map<Integer, Double> perSecondOfEach = new HashMap<>();

        /** Whether so many clients have deleted anything. */
        boolean isKnown(int clients) {
            return perSecondOfEach.containsKey(clients);
        }

        /** How many files each of so many clients needs; a few if nothing is known of them. */
        long ofEach(int clients, long seconds) {
            return isKnown(clients) ? (long) Math.ceil(SPARE * seconds * perSecondOfEach.get(clients)) : FIRST;
        }

        /** Remembers how many files each of so many clients has just deleted in a second: the fastest, if one had none left. */
        void learn(int clients, double perSecond) {
            perSecondOfEach.put(clients, perSecond);
        }

        /** Whether a pass was long enough to count. */
        boolean isEnough(double seconds, long wanted) {
            return seconds >= ENOUGH * wanted;
        }
    }

    private static final class Client {
        private final FileSystem fileSystem;
        private final Path home;
        private long created;
        /** Its files to be deleted are those from {@code deleted} on, before {@code doomed}. */
        private long deleted;

        private long doomed;

        /** Each client has its own user: clients of one user in one JVM share a connection. */
        Client(Configuration configuration, int number, Path home) throws IOException, InterruptedException {
            this.fileSystem = UserGroupInformation.createRemoteUser("client" + number)
                    .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(configuration));
            this.home = home;
            fileSystem.mkdirs(home);
        }

        void makeDoomed(int first, int step, long files) throws IOException {
            for (long number = doomed + first; number < deleted + files; number += step) {
                fileSystem.create(MeasuredOperation.doomed(home, number), false).close();
            }
        }

        void hasDoomed(long files) {
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
