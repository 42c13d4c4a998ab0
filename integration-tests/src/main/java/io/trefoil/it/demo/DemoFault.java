/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** A fault of the active, how to undo it, and how long stock HDFS gives no answer after it. */
enum DemoFault {
    KILL("process killed", "kill -9", "killed", 489) {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            active.kill9();
        }
    },
    HANG("process hangs", "SIGSTOP", "frozen", 3063) {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            active.pause();
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer struck) {
            struck.resume();
        }
    },
    CUT("network cut", "its cable is pulled", "cut", 4676) {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            cluster.faults().isolate(active);
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer struck) {
            cluster.faults().rejoin(struck);
        }
    },
    HANDOVER("handed over", "haadmin -failover", "graceful", 509) {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) throws IOException {
            cluster.nameNodesBut(active).get(0).takeOver();
        }
    },
    DISK("journal's disk hangs", "no write returns, and none fails", "hung", 59) {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            cluster.faults().hangDisk(active);
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer struck) {
            cluster.faults().releaseDisk(struck);
        }
    };

    private final String title;
    private final String means;
    private final String inBenchmark;
    private final int stockMillis;

    DemoFault(String title, String means, String inBenchmark, int stockMillis) {
        this.title = title;
        this.means = means;
        this.inBenchmark = inBenchmark;
        this.stockMillis = stockMillis;
    }

    static Optional<DemoFault> named(String word) {
        for (DemoFault fault : values()) {
            if (fault.word().equals(word)) {
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }

    /** The word that a user types. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What happened, for tables. */
    String title() {
        return title;
    }

    /** How the fault is made. */
    String means() {
        return means;
    }

    /** The name of the fault in {@code bin/benchmark-failover}. */
    String inBenchmark() {
        return inBenchmark;
    }

    /** The figure of {@code docs/benchmarks/failover.md} for stock QJM and ZKFC. */
    int stockMillis() {
        return stockMillis;
    }

    /** Strikes; returns when the fault has happened. */
    abstract void strike(HaCluster cluster, NameNodeServer active) throws IOException;

    /** Undoes what does not go away by itself. */
    void undo(HaCluster cluster, NameNodeServer struck) {
        // The supervisor restarts processes that ended.
    }
}
