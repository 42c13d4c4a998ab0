/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations;

import java.io.IOException;
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
     * @param nanos how long each call took
     */
    record Outcome(double perSecond, Histogram nanos) {
        long count() {
            return nanos.getTotalCount();
        }
    }

    /** Runs an operation on all clients for this long, or until one that uses up files has none left. */
    Outcome run(MeasuredOperation operation, long seconds) throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        List<Future<Outcome>> running = new ArrayList<>();
        for (Client client : clients) {
            running.add(threads.submit(() -> client.run(operation, end)));
        }
        double perSecond = 0;
        Histogram nanos = new Histogram(3);
        for (Future<Outcome> each : running) {
            perSecond += each.get().perSecond();
            nanos.add(each.get().nanos());
        }
        return new Outcome(perSecond, nanos);
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

        /** Each client has its own user: clients of one user in one JVM share a connection. */
        Client(Configuration configuration, int number, Path home) throws IOException, InterruptedException {
            this.fileSystem = UserGroupInformation.createRemoteUser("client" + number)
                    .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(configuration));
            this.home = home;
            fileSystem.mkdirs(home);
        }

        Outcome run(MeasuredOperation operation, long end) throws IOException {
            Histogram nanos = new Histogram(3);
            long begun = System.nanoTime();
            long before = begun;
            long number = 0;
            while (before < end && (!operation.usesUp() || number < created)) {
                operation.perform(fileSystem, home, operation.needsFiles() ? number % created : number);
                long now = System.nanoTime();
                nanos.recordValue(now - before);
                before = now;
                number++;
            }
            if (operation == MeasuredOperation.CREATE) {
                created = number;
            }
            double seconds = (before - begun) / (double) TimeUnit.SECONDS.toNanos(1);
            return new Outcome(seconds > 0 ? number / seconds : 0, nanos);
        }
    }
}
