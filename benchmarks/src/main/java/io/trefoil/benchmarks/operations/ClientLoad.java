/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import io.trefoil.benchmarks.ClusterUsage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
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
    private static final long FIRST_FILES = 50;
    private static final long GROWTH = 20;
    private static final int MOST_PASSES = 5;
    /** A client may be so much faster than before. */
    private static final double SPARE = 1.5;

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

    /** Runs an operation on all clients for this long. */
    Outcome run(MeasuredOperation operation, long seconds) throws InterruptedException, ExecutionException {
        return run(operation, seconds, ClusterUsage.NOBODYS);
    }

    /**
     * The same with what the cluster used. An operation that uses up files has as many as it needs, made before in each of a few
     * passes, of which the last counts: it is the first that is as long as it should be.
     */
    Outcome run(MeasuredOperation operation, long seconds, ClusterUsage.Meter meter)
            throws InterruptedException, ExecutionException {
        if (operation != MeasuredOperation.DELETE) {
            return pass(operation, seconds, meter);
        }
        long files = FIRST_FILES;
        makeDoomed(files);
        Outcome outcome = pass(operation, seconds, meter);
        for (int pass = 1; pass < MOST_PASSES && outcome.seconds() < seconds; pass++) {
            // Of the client that had none left first.
            double wanted = SPARE * seconds * files / outcome.seconds();
            files = (long) Math.min((double) GROWTH * files, wanted);
            makeDoomed(files);
            outcome = pass(operation, seconds, meter);
        }
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
