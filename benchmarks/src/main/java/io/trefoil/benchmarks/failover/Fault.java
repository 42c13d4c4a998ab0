/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.NameNodeServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What happens to the active, and how it is undone. */
enum Fault {
    /** The NameNode's process is killed with -9. */
    KILLED {
        @Override
        void strike(Contender contender, NameNodeServer active) {
            active.kill9ForGood();
        }
    },
    /** The same for everything that a real cluster has on the active's host. */
    HOST {
        @Override
        void strike(Contender contender, NameNodeServer active) {
            contender.cluster().killHostOf(active);
        }
    },
    /** SIGSTOP. */
    FROZEN {
        @Override
        void strike(Contender contender, NameNodeServer active) {
            active.pause();
        }

        @Override
        void undo(Contender contender, NameNodeServer active) {
            active.resume();
        }
    },
    /** {@code haadmin -failover}, without the start of the command's JVM. */
    GRACEFUL {
        @Override
        void strike(Contender contender, NameNodeServer active) throws IOException {
            contender.cluster().nameNodesBut(active).get(0).takeOver();
        }
    },
    /** The lock node in ZooKeeper is deleted; with the stock ZKFC the same NameNode may win again. */
    LOCK {
        @Override
        void strike(Contender contender, NameNodeServer active) {
            contender.cluster().deleteLock();
        }

        @Override
        Optional<Duration> replacedWithin() {
            return Optional.of(Duration.ZERO);
        }
    },
    /** The cable of the active's host is pulled; needs root. */
    CUT {
        @Override
        void strike(Contender contender, NameNodeServer active) {
            contender.cluster().isolate(active);
        }

        @Override
        void undo(Contender contender, NameNodeServer active) {
            contender.cluster().rejoin(active);
        }
    },
    /** No room is left where the active's host keeps its copy of the journal; needs root. */
    DISK {
        @Override
        void strike(Contender contender, NameNodeServer active) {
            contender.cluster().fillDisk(contender.journalReplicaOf(active));
        }

        @Override
        void undo(Contender contender, NameNodeServer active) {
            contender.cluster().freeDisk(contender.journalReplicaOf(active));
        }

        @Override
        Optional<Duration> replacedWithin() {
            return Optional.empty();
        }

        @Override
        int changesMeanwhile() {
            // What has room already is filled first: log files of a pool node, a megabyte of a JournalNode's segment.
            return MANY_CHANGES;
        }
    },
    /** ZooKeeper is killed, and started when all sessions are over. */
    ZOOKEEPER {
        @Override
        void strike(Contender contender, NameNodeServer active) throws InterruptedException {
            contender.cluster().zooKeeper().kill9ForGood();
            TimeUnit.SECONDS.sleep(SECONDS_UNTIL_SESSIONS_ARE_OVER);
        }

        @Override
        void undo(Contender contender, NameNodeServer active) {
            contender.cluster().startZooKeeper();
        }

        @Override
        Optional<Duration> replacedWithin() {
            return Optional.empty();
        }
    },
    /** All NameNodes are stopped by SIGTERM and started again, each when the one before is in order. */
    RESTARTS {
        @Override
        void strike(Contender contender, NameNodeServer active) {
            for (NameNodeServer nameNode : contender.cluster().nameNodes()) {
                nameNode.restart();
                contender.awaitWhole();
            }
        }

        @Override
        Optional<Duration> replacedWithin() {
            return Optional.empty();
        }
    };

    private static final int CHANGES = 500;
    private static final int MANY_CHANGES = 20_000;
    private static final long SECONDS_UNTIL_SESSIONS_ARE_OVER = 7;

    /** As it is written on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns when it has happened. */
    abstract void strike(Contender contender, NameNodeServer active) throws IOException, InterruptedException;

    boolean needsRoot() {
        return this == CUT || this == DISK;
    }

    /** How long to wait at most for another active; empty if there need not be one. */
    Optional<Duration> replacedWithin() {
        return Optional.of(Contender.LIMIT);
    }

    /** How many changes are acknowledged before it is undone. */
    int changesMeanwhile() {
        return CHANGES;
    }

    /** Takes back what does not go away by a start of the processes that ended. */
    void undo(Contender contender, NameNodeServer active) {
        // Processes are started again by whoever struck.
    }
}
