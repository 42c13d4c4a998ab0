/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.move.LockWaitMeter;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.foundation.DaemonThreads;
import java.io.Closeable;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;

/**
 * Sends each NameNode, shortly after its last answer, a call that takes the write lock without changing anything. So this call waits as
 * long as other calls do, but for that moment, whatever the cause: a call of the move that visits everything, other clients, a failover.
 *
 * <p>The call sets the replication of a file that is not there. It waits for the lock as a change does, in HDFS's fine-grained model for
 * both of its locks; it is neither logged for audit nor in the journal.
 */
final class LockWaitProbes implements LockWaitMeter {

    private static final long PERIOD_MILLIS = 50;

    /** A path at which there is no file. */
    private static final String NO_FILE = "/.trefoil-asked-for-its-lock";

    /** The shortest wait that is reported at once: an operator sees the step of the move during which users noticed the wait. */
    private static final long TOLD_MILLIS = 500;

    private final SortedMap<String, Probe> probes = new TreeMap<>();
    private final MoveCounts counts;
    private final Consumer<String> progress;

    /** @param nameNodes by their nameservices */
    LockWaitProbes(Map<String, ClientProtocol> nameNodes, MoveCounts counts, Consumer<String> progress) {
        this.counts = counts;
        this.progress = progress;
        nameNodes.forEach((nameservice, nameNode) -> probes.put(nameservice, new Probe(nameservice, nameNode)));
    }

    @Override
    public Closeable measure() {
        ScheduledExecutorService timer =
                Executors.newScheduledThreadPool(probes.size(), DaemonThreads.newFactory("subtree-move-probe"));
        for (Probe probe : probes.values()) {
            timer.scheduleWithFixedDelay(DaemonThreads.logFailures(probe), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }
        // Does not interrupt a call: others use its connection.
        return timer::shutdown;
    }

    @Override
    public SortedMap<String, Long> longestMillis() {
        SortedMap<String, Long> longest = new TreeMap<>();
        probes.forEach((nameservice, probe) -> longest.put(nameservice, probe.longestMillis()));
        return Collections.unmodifiableSortedMap(longest);
    }

    /** A probe of one nameservice; runs in one thread at a time. */
    private final class Probe implements Runnable {
        private static final long NOT_ASKED = Long.MIN_VALUE;

        private final String nameservice;
        private final ClientProtocol nameNode;
        private final AtomicLong longestNanos = new AtomicLong();
        private volatile long askedNanos = NOT_ASKED;
        /** A replication factor that the NameNode accepts; empty until it was queried. Empty until it was asked. */
        private volatile Optional<Short> replication = Optional.empty();

        Probe(String nameservice, ClientProtocol nameNode) {
            this.nameservice = nameservice;
            this.nameNode = nameNode;
        }

        @Override
        public void run() {
            long asked = System.nanoTime();
            askedNanos = asked;
            try {
                if (!replication.isPresent()) {
                    replication = Optional.of(nameNode.getServerDefaults().getReplication());
                }
                nameNode.setReplication(NO_FILE, replication.get());
            } catch (IOException e) {
                // Others wait for an error as long. The move meets it by its own calls.
            } finally {
                askedNanos = NOT_ASKED;
                recordAnswer(System.nanoTime() - asked);
            }
        }

        private void recordAnswer(long nanos) {
            long before = longestNanos.getAndAccumulate(nanos, Math::max);
            long millis = TimeUnit.NANOSECONDS.toMillis(nanos);
            if (nanos > before && millis >= TOLD_MILLIS) {
                progress.accept("Others waited " + millis + " ms for " + nameservice + ": "
                        + counts.currentProgress().text());
            }
        }

        /** Counts the answer for which it is waiting now. */
        long longestMillis() {
            long asked = askedNanos;
            long waiting = asked == NOT_ASKED ? 0 : System.nanoTime() - asked;
            return TimeUnit.NANOSECONDS.toMillis(Math.max(waiting, longestNanos.get()));
        }
    }
}
