/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A fault, usually of the active or its host, and how to undo it. */
enum Fault {
    /** The NameNode's process is killed with -9. */
    KILLED {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            active.kill9ForGood();
        }
    },
    /** The same for everything that a real cluster runs on the active's host. */
    HOST {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().killHostOf(active);
        }
    },
    /** The NameNode's process is frozen with SIGSTOP. */
    FROZEN {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            active.pause();
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            active.resume();
        }
    },
    /** A handover by {@code haadmin -failover}, without the start of the command's JVM. */
    GRACEFUL {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) throws IOException {
            contender.cluster().nameNodesBut(active).get(0).takeOver();
        }
    },
    /** The lock node in ZooKeeper is deleted; with the stock ZKFC the same NameNode may win again. */
    LOCK {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().deleteLock();
        }

        @Override
        Optional<Duration> replacedWithin() {
            return Optional.of(Duration.ZERO);
        }
    },
    /** The cable of the active's host is pulled; needs root. */
    CUT {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().isolate(active);
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().rejoin(active);
        }
    },
    /**
     * Nothing that the active's host says arrives at the host of the next NameNode, of which it hears all: packets vanish in one
     * direction. Needs root.
     */
    MUTE {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().cutLinkOneWay(active, next(active, contender));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().healLinkOneWay(active, next(active, contender));
        }
    },
    /** The other direction: nothing that the host of the next NameNode says arrives at the active's; needs root. */
    DEAF {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().cutLinkOneWay(next(active, contender), active);
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().healLinkOneWay(next(active, contender), active);
        }
    },
    /** The disk with the replica of the journal of the active's host is full; needs root. */
    DISK {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().fillDisk(contender.journalReplicaOf(active));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().freeDisk(contender.journalReplicaOf(active));
        }

        @Override
        int changesMeanwhile() {
            // Preallocated space is used up first: log files of a pool node, a megabyte of a JournalNode's segment.
            return MANY_CHANGES;
        }
    },
    /** The disk with the replica of the journal of the active's host accepts no write for a while, and fails none; needs root. */
    HUNG {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().hangDisk(contender.journalReplicaOf(active));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().releaseDisk(contender.journalReplicaOf(active));
        }
    },
    /** The same for the disk of another NameNode's host; needs root. */
    HUNG_STANDBY {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) throws IOException, InterruptedException {
            HUNG.strike(contender, anotherThan(active, contender));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            HUNG.undo(contender, anotherThan(active, contender));
        }
    },
    /**
     * That disk dies: at first each write takes two seconds, then every sync fails with an I/O error, then the disk is
     * read-only. An operator replaces it. Needs root.
     */
    DYING {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) throws InterruptedException {
            Server replica = contender.journalReplicaOf(active);
            contender.cluster().faults().slowDisk(replica);
            TimeUnit.SECONDS.sleep(SECONDS_SLOW);
            contender.cluster().faults().releaseDisk(replica);
            contender.cluster().faults().letDiskDie(replica);
            TimeUnit.SECONDS.sleep(SECONDS_DEAD);
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.replaceDiskOf(active);
        }
    },
    /** The same for the disk of another NameNode's host; needs root. */
    DYING_STANDBY {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) throws IOException, InterruptedException {
            DYING.strike(contender, anotherThan(active, contender));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            DYING.undo(contender, anotherThan(active, contender));
        }
    },
    /** ZooKeeper is killed, and started when all sessions have expired. */
    ZOOKEEPER {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) throws InterruptedException {
            contender.cluster().zooKeeper().kill9ForGood();
            TimeUnit.SECONDS.sleep(SECONDS_UNTIL_SESSIONS_ARE_OVER);
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().startZooKeeper();
        }

        @Override
        Optional<Duration> replacedWithin() {
            return Optional.empty();
        }
    },
    /** All NameNodes are stopped by SIGTERM and started again, each once the one before is in order. */
    RESTARTS {
        @Override
        void strike(FailoverContender contender, NameNodeServer active) {
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
    private static final long SECONDS_SLOW = 7;
    /** The kernel makes a file system read-only at most five seconds after the first failed sync. */
    private static final long SECONDS_DEAD = 8;

    private static final Duration LENGTH_OF_A_HANG = Duration.ofSeconds(20);

    /** The faults that need hosts with disks of their own, which can be mounted. */
    private static final Set<Fault> OF_DISKS = EnumSet.of(DISK, HUNG, HUNG_STANDBY, DYING, DYING_STANDBY);

    /** The faults of links in one direction, after which most still reach each other. */
    private static final Set<Fault> ONE_WAY = EnumSet.of(MUTE, DEAF);

    /** How long links that swallow are silent at most: long enough that their ends give them up. */
    private static final Duration LENGTH_OF_A_SILENCE = Duration.ofSeconds(15);

    /** The name on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Strikes; returns when the fault has happened. */
    abstract void strike(FailoverContender contender, NameNodeServer active) throws IOException, InterruptedException;

    boolean needsRoot() {
        return needsHosts() || isOfDisk();
    }

    /** Whether each NameNode must have a host of its own. */
    boolean needsHosts() {
        return this == CUT || ONE_WAY.contains(this);
    }

    /** Whether it strikes the disk that holds a host's replica of the journal. */
    boolean isOfDisk() {
        return OF_DISKS.contains(this);
    }

    /** Whether processes that write to the disk cannot be ended during the fault. */
    boolean keepsProcessesAlive() {
        return this == HUNG || this == HUNG_STANDBY;
    }

    /** Whether it can strike a host on which the other fault has not been undone. */
    boolean canFollowOnOneHost(Fault other) {
        boolean endsProcesses = this == KILLED || this == HOST || this == FROZEN || this == RESTARTS;
        return !(isOfDisk() && other.isOfDisk()) && !(endsProcesses && other.keepsProcessesAlive());
    }

    /** Whether it strikes the given NameNode's host, and no other. */
    boolean strikesTheOneNamed() {
        return this != HUNG_STANDBY && this != DYING_STANDBY;
    }

    /** How long it lasts at least before it is undone. */
    Duration lasts() {
        if (ONE_WAY.contains(this)) {
            return LENGTH_OF_A_SILENCE;
        }
        return keepsProcessesAlive() ? LENGTH_OF_A_HANG : Duration.ZERO;
    }

    /** How long to wait at most for another active; empty if none is required, as while a disk is in trouble, or one direction. */
    Optional<Duration> replacedWithin() {
        return isOfDisk() || ONE_WAY.contains(this) ? Optional.empty() : Optional.of(Await.PATIENCE);
    }

    /** How many changes must be acknowledged before it is undone; none while a disk is in trouble, which then shows as a wait. */
    int changesMeanwhile() {
        return isOfDisk() ? 0 : CHANGES;
    }

    /** Undoes what a restart of the ended processes does not. */
    void undo(FailoverContender contender, NameNodeServer active) {
        // The caller restarts the processes.
    }

    /** The one behind it, round in a circle: so the two faults of one direction can strike each link in each direction. */
    private static NameNodeServer next(NameNodeServer one, FailoverContender contender) {
        List<NameNodeServer> all = contender.cluster().nameNodes();
        return all.get((all.indexOf(one) + 1) % all.size());
    }

    private static NameNodeServer anotherThan(NameNodeServer active, FailoverContender contender) {
        return contender.cluster().nameNodesBut(active).get(0);
    }
}
