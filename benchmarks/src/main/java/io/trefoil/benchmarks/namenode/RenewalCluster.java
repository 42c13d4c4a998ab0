/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.benchmarks.ContenderOptions;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.FailoverKind;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.JmxClient;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A cluster with a standby that repeatedly goes down; the cluster stays up for the whole run. */
final class RenewalCluster implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int THREADS = 4;
    private static final int LEVELS = 20;
    private static final int POLL_MILLIS = 300;

    private final String name;
    private final HaCluster cluster;
    private final FileSystem fileSystem;

    private RenewalCluster(String name, HaCluster cluster) {
        this.name = name;
        this.cluster = cluster;
        this.fileSystem = cluster.newFileSystem();
    }

    static RenewalCluster start(String name) {
        return new RenewalCluster(name, newBuilder(name).start());
    }

    static HaClusterBuilder newBuilder(String name) {
        HaClusterBuilder builder = HaCluster.builder("renewal-" + name)
                .metadataJvmOption("-Xmx1500m")
                // As with any heap of gigabytes: the serial collector would stop a NameNode for a second.
                .metadataJvmOption("-XX:-UseSerialGC")
                .metadataJvmOption("-XX:+UseG1GC")
                .withoutSupervision();
        return name.equals(ContenderOptions.OURS)
                ? builder.journal(JournalKind.ssp()).failover(FailoverKind.mams())
                : builder.journal(JournalKind.qjm()).failover(FailoverKind.zkfc());
    }

    String name() {
        return name;
    }

    /**
     * The cost of one outage.
     *
     * @param records how many the NameNode missed
     * @param nanos from its return until it was a standby that had applied all of them
     */
    record RenewalResult(long records, long nanos) {}

    /**
     * Takes a standby down while records are written, and waits until it is a standby again. No client writes
     * meanwhile.
     *
     * @param directory does not exist, and is deleted afterwards: a namespace that grew would be measured
     */
    RenewalResult renew(NameNodeOutage outage, String directory, long records)
            throws IOException, InterruptedException, ExecutionException {
        NameNodeServer active = cluster.awaitActive();
        NameNodeServer away = cluster.nameNodesExcept(active).get(1);
        awaitStandby(away, active.appliedTxId());
        long before = active.appliedTxId();
        outage.begin(away);
        write(directory, records);
        long last = active.appliedTxId();
        long begun = System.nanoTime();
        outage.end(away);
        awaitStandby(away, last);
        long nanos = System.nanoTime() - begun;
        if (!active.isActive()) {
            throw new IllegalStateException(active + " was replaced meanwhile: no figure of a renewing");
        }
        fileSystem.delete(new Path(directory), true);
        return new RenewalResult(last - before, nanos);
    }

    /** Waits until the NameNode has applied a transaction and reports being a standby. */
    private void awaitStandby(NameNodeServer nameNode, long txId) {
        JmxClient page = new JmxClient(nameNode.address("http"), POLL_MILLIS);
        nameNode.await(
                "is a standby that has applied " + txId,
                LIMIT,
                () -> nameNode.appliedTxId() >= txId && state(page).equals("STANDBY"));
    }

    /** Returns the state of our NameNode according to its agent, which distinguishes juniors. */
    private String state(JmxClient page) {
        String bean = name.equals(ContenderOptions.OURS) ? "TrefoilGroup" : "NameNodeStatus";
        return page.readText("Hadoop:service=NameNode,name=" + bean, "State").toUpperCase(Locale.ROOT);
    }

    private void write(String directory, long count) throws InterruptedException, ExecutionException {
        String below = "/d".repeat(LEVELS - 1);
        AtomicLong next = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(threads.submit(() -> {
                // Each call makes a path of new directories, and each directory is one record.
                for (long path = next.getAndIncrement(); path * LEVELS < count; path = next.getAndIncrement()) {
                    try {
                        fileSystem.mkdirs(new Path("%s/%09d%s".formatted(directory, path, below)));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }));
        }
        for (Future<?> future : all) {
            future.get();
        }
        threads.shutdown();
    }

    void markSucceeded() {
        cluster.markSucceeded();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
