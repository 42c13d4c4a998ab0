/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.ClusterFaults;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;

/** A phase of one contender while it lasts. */
final class AdversityTurn {
    /** How soon a supervisor starts what has ended. */
    private static final long SUPERVISION_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final FailoverContender contender;
    private final FileSystem fileSystem;
    private final NameNodeServer active;
    private final List<NameNodeServer> standbys;
    private final long beganNanos = System.nanoTime();
    private final long endNanos;
    private int justified;

    /** @param active when the turn begins */
    AdversityTurn(FailoverContender contender, FileSystem fileSystem, NameNodeServer active, Duration length) {
        this.contender = contender;
        this.fileSystem = fileSystem;
        this.active = active;
        this.standbys = contender.cluster().nameNodesExcept(active);
        this.endNanos = beganNanos + length.toNanos();
    }

    FailoverContender contender() {
        return contender;
    }

    ClusterFaults faults() {
        return contender.cluster().faults();
    }

    FileSystem fileSystem() {
        return fileSystem;
    }

    /** The active at the beginning. */
    NameNodeServer active() {
        return active;
    }

    /** The others at the beginning. */
    List<NameNodeServer> standbys() {
        return standbys;
    }

    long beganNanos() {
        return beganNanos;
    }

    long nanosLeft() {
        return Math.max(0, endNanos - System.nanoTime());
    }

    boolean isOver() {
        return nanosLeft() == 0;
    }

    /** Notes that the phase gives a reason for one failover more, so that one is not needless. */
    void justifyFailover() {
        justified++;
    }

    int justifiedFailovers() {
        return justified;
    }

    /** Sleeps, or until the turn is over; meanwhile starts what has ended, like a supervisor. */
    void sleep(Duration length) throws InterruptedException {
        long until = System.nanoTime() + Math.min(length.toNanos(), nanosLeft());
        for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, SUPERVISION_NANOS));
            contender.restartEndedProcesses();
        }
    }

    /** Sleeps until the turn is over. */
    void awaitEnd() throws InterruptedException {
        sleep(Duration.ofNanos(nanosLeft()));
    }
}
