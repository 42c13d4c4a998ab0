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
        void inject(FailoverContender contender, NameNodeServer active) {
            active.kill9ForGood();
        }
    },
    /** Everything that would run on the active's host in a real cluster is killed. */
    HOST {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().killHostOf(active);
        }
    },
    /** The NameNode's process is frozen with SIGSTOP. */
    FROZEN {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
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
        void inject(FailoverContender contender, NameNodeServer active) throws IOException {
            contender.cluster().nameNodesExcept(active).get(0).takeOver();
        }
    },
    /** The lock node in ZooKeeper is deleted; with the stock ZKFC the same NameNode may win again. */
    LOCK {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().deleteLock();
        }

        @Override
        Optional<Duration> maxReplacementTime() {
            return Optional.of(Duration.ZERO);
        }
    },
    /** The cable of the active's host is pulled; needs root. */
    CUT {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().isolate(active);
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().reconnect(active);
        }
    },
    /**
     * No packet from the active's host reaches the host of the next NameNode, while those in the other direction do; needs root. Needs
     * root.
     */
    MUTE {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().cutLinkOneWay(active, nextNameNode(active, contender));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().healLinkOneWay(active, nextNameNode(active, contender));
        }
    },
    /** The other direction: no packet from the host of the next NameNode reaches the active's host; needs root. */
    DEAF {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().cutLinkOneWay(nextNameNode(active, contender), active);
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().healLinkOneWay(nextNameNode(active, contender), active);
        }
    },
    /** The disk with the replica of the journal of the active's host is full; needs root. */
    DISK {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().fillDisk(contender.journalReplicaOf(active));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().faults().freeDisk(contender.journalReplicaOf(active));
        }

        @Override
        int requiredChanges() {
            // Preallocated space is used up first: log files of a pool node, a megabyte of a JournalNode's segment.
            return MANY_CHANGES;
        }
    },
    /** The disk with the replica of the journal of the active's host hangs on writes for a while, without failing any; needs root. */
    HUNG {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
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
        void inject(FailoverContender contender, NameNodeServer active) throws IOException, InterruptedException {
            HUNG.inject(contender, otherNameNode(active, contender));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            HUNG.undo(contender, otherNameNode(active, contender));
        }
    },
    /**
     * That disk dies: at first each write takes two seconds, then every sync fails with an I/O error, then the disk is
     * read-only. An operator replaces it. Needs root.
     */
    DYING {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) throws InterruptedException {
            Server replica = contender.journalReplicaOf(active);
            contender.cluster().faults().slowDisk(replica);
            TimeUnit.SECONDS.sleep(SECONDS_SLOW);
            contender.cluster().faults().releaseDisk(replica);
            contender.cluster().faults().failDisk(replica);
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
        void inject(FailoverContender contender, NameNodeServer active) throws IOException, InterruptedException {
            DYING.inject(contender, otherNameNode(active, contender));
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            DYING.undo(contender, otherNameNode(active, contender));
        }
    },
    /** ZooKeeper is killed, and started when all sessions have expired. */
    ZOOKEEPER {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) throws InterruptedException {
            contender.cluster().zooKeeper().kill9ForGood();
            TimeUnit.SECONDS.sleep(SECONDS_UNTIL_SESSIONS_ARE_OVER);
        }

        @Override
        void undo(FailoverContender contender, NameNodeServer active) {
            contender.cluster().startZooKeeper();
        }

        @Override
        Optional<Duration> maxReplacementTime() {
            return Optional.empty();
        }
    },
    /** All NameNodes are stopped by SIGTERM and started again, each once the previous one is in order. */
    RESTARTS {
        @Override
        void inject(FailoverContender contender, NameNodeServer active) {
            for (NameNodeServer nameNode : contender.cluster().nameNodes()) {
                nameNode.restart();
                contender.awaitHealthy();
            }
        }

        @Override
        Optional<Duration> maxReplacementTime() {
            return Optional.empty();
        }
    };

    private static final int CHANGES = 500;
    private static final int MANY_CHANGES = 20_000;
    private static final long SECONDS_UNTIL_SESSIONS_ARE_OVER = 7;
    private static final long SECONDS_SLOW = 7;
    /** How long a disk is dead; the kernel makes a file system read-only at most five seconds after the first failed sync. */
    private static final long SECONDS_DEAD = 8;

    private static final Duration LENGTH_OF_A_HANG = Duration.ofSeconds(20);

    /** The faults that need hosts with disks of their own, which can be mounted. */
    private static final Set<Fault> DISK_FAULTS = EnumSet.of(DISK, HUNG, HUNG_STANDBY, DYING, DYING_STANDBY);

    /** The faults of links in one direction, during which most hosts can still reach each other. */
    private static final Set<Fault> ONE_WAY = EnumSet.of(MUTE, DEAF);

    /** The longest time for which faulty links stay silent: long enough for their ends to give up. */
    private static final Duration LENGTH_OF_A_SILENCE = Duration.ofSeconds(15);

    /** The name on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Injects the fault; returns when it has happened. */
    abstract void inject(FailoverContender contender, NameNodeServer active) throws IOException, InterruptedException;

    boolean needsRoot() {
        return needsHosts() || isDiskFault();
    }

    /** Whether each NameNode must have its own host. */
    boolean needsHosts() {
        return this == CUT || ONE_WAY.contains(this);
    }

    /** Whether it affects the disk that holds a host's replica of the journal. */
    boolean isDiskFault() {
        return DISK_FAULTS.contains(this);
    }

    /** Whether processes that write to the disk cannot be ended during the fault. */
    boolean keepsProcessesAlive() {
        return this == HUNG || this == HUNG_STANDBY;
    }

    /** Whether it can be injected on a host on which another fault has not been undone. */
    boolean canFollowOnOneHost(Fault other) {
        boolean endsProcesses = this == KILLED || this == HOST || this == FROZEN || this == RESTARTS;
        return !(isDiskFault() && other.isDiskFault()) && !(endsProcesses && other.keepsProcessesAlive());
    }

    /** Whether it affects the given NameNode's host, and no other. */
    boolean affectsGivenNameNodeOnly() {
        return this != HUNG_STANDBY && this != DYING_STANDBY;
    }

    /** Returns the minimum time before the fault is undone. */
    Duration minDuration() {
        if (ONE_WAY.contains(this)) {
            return LENGTH_OF_A_SILENCE;
        }
        return keepsProcessesAlive() ? LENGTH_OF_A_HANG : Duration.ZERO;
    }

    /**
     * Returns the maximum wait for another active; empty if none is required, as for faults of a disk or of one direction.
     */
    Optional<Duration> maxReplacementTime() {
        return isDiskFault() || ONE_WAY.contains(this) ? Optional.empty() : Optional.of(Await.TIMEOUT);
    }

    /**
     * Returns the number of changes that must be acknowledged before the fault is undone; none for faults of a disk, which then show as a
     * wait.
     */
    int requiredChanges() {
        return isDiskFault() ? 0 : CHANGES;
    }

    /** Undoes the effects that a restart of the terminated processes does not. */
    void undo(FailoverContender contender, NameNodeServer active) {
        // The caller restarts the processes.
    }

    /** The next NameNode, in a circle, so that the two one-way faults can affect each link in each direction. */
    private static NameNodeServer nextNameNode(NameNodeServer nameNode, FailoverContender contender) {
        List<NameNodeServer> all = contender.cluster().nameNodes();
        return all.get((all.indexOf(nameNode) + 1) % all.size());
    }

    private static NameNodeServer otherNameNode(NameNodeServer active, FailoverContender contender) {
        return contender.cluster().nameNodesExcept(active).get(0);
    }
}
