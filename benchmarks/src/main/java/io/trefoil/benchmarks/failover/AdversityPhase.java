/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.BenchmarkFiles;
import io.trefoil.benchmarks.DirectoryFiller;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.faults.Impairment;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.namenode.TransferFsImage;

/** A stretch of time in which something is amiss with a cluster under load; the active's host is affected unless a name says otherwise. */
enum AdversityPhase {
    /** Nothing is amiss. */
    CALM {
        @Override
        void disturb(AdversityTurn turn) throws InterruptedException {
            turn.awaitEnd();
        }
    },
    /** A tree of a hundred thousand directories is deleted, and the standbys save images in turn, each of which another host fetches. */
    WORK {
        @Override
        void prepare(FileSystem fileSystem) {
            DirectoryFiller.fill(List.of(fileSystem), DELETED, 0, DELETED_INODES);
        }

        @Override
        void disturb(AdversityTurn turn) throws IOException, InterruptedException {
            turn.fileSystem().delete(new org.apache.hadoop.fs.Path("/" + DELETED), true);
            for (int number = 0; !turn.isOver(); number++) {
                NameNodeServer standby =
                        turn.standbys().get(number % turn.standbys().size());
                standby.saveNamespace();
                fetchImage(standby);
            }
        }
    },
    /** The disk with the replica of the journal does a hundredth of its writes. */
    DISK {
        @Override
        void disturb(AdversityTurn turn) throws InterruptedException {
            turn.faults().throttleDisk(turn.contender().journalReplicaOf(turn.active()), SLOW_WRITES_PER_SECOND);
            turn.awaitEnd();
        }

        @Override
        void undo(AdversityTurn turn) {
            turn.faults().releaseDisk(turn.contender().journalReplicaOf(turn.active()));
        }
    },
    /** One packet in a hundred that the host sends to the host of another NameNode is lost, and all others are 50 ms late. */
    LINK {
        @Override
        void disturb(AdversityTurn turn) throws InterruptedException {
            receivers(turn).forEach(receiver -> turn.faults().impairLinkOneWay(turn.active(), receiver, BAD_LINK));
            turn.awaitEnd();
        }

        @Override
        void undo(AdversityTurn turn) {
            receivers(turn).forEach(receiver -> turn.faults().repairLinkOneWay(turn.active(), receiver));
        }

        private Set<Server> receivers(AdversityTurn turn) {
            NameNodeServer other = turn.standbys().get(0);
            return new LinkedHashSet<>(List.of(other, turn.contender().journalReplicaOf(other)));
        }
    },
    /** The host has a tenth of its CPU; another NameNode may take over. */
    STARVED {
        @Override
        void disturb(AdversityTurn turn) throws InterruptedException {
            turn.contender().starve(turn.active(), STARVED_PART);
            turn.justifyFailover();
            turn.awaitEnd();
        }
    },
    /** The same for the host of another NameNode. */
    STARVED_STANDBY {
        @Override
        void disturb(AdversityTurn turn) throws InterruptedException {
            turn.contender().starve(turn.standbys().get(0), STARVED_PART);
            turn.awaitEnd();
        }
    },
    /** Any of the NameNodes stands still for 2 s, as during a collection, again and again. */
    PAUSES {
        @Override
        void disturb(AdversityTurn turn) throws InterruptedException {
            Random random = new Random(SEED);
            while (!turn.isOver()) {
                turn.sleep(Duration.ofMillis(random.nextInt(MAX_MILLIS_BETWEEN_PAUSES)));
                List<NameNodeServer> all = turn.contender().cluster().nameNodes();
                NameNodeServer paused = all.get(random.nextInt(all.size()));
                if (!turn.isOver() && paused.isAlive()) {
                    if (paused.isActive()) {
                        turn.justifyFailover();
                    }
                    paused.pause();
                    TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
                    paused.resume();
                }
            }
        }
    },
    /** Everything is stopped by SIGTERM and started again, host by host; the last one's NameNode hands its role over before. */
    RESTARTS {
        @Override
        void disturb(AdversityTurn turn) throws IOException, InterruptedException {
            for (NameNodeServer standby : turn.standbys()) {
                restart(standby, turn);
            }
            turn.justifyFailover();
            turn.standbys().get(0).takeOver();
            restart(turn.active(), turn);
            turn.awaitEnd();
        }

        private void restart(NameNodeServer nameNode, AdversityTurn turn) {
            List<Server> servers = turn.contender().serversOnHostOf(nameNode);
            servers.forEach(Server::stop);
            servers.forEach(Server::start);
            turn.contender().awaitHealthy();
            // A JournalNode that was away is of use from the next segment on.
            turn.contender().awaitStandbysCaughtUp();
        }
    },
    /** The host, with everything on it, is gone without a word. */
    SITE {
        @Override
        void disturb(AdversityTurn turn) throws InterruptedException {
            turn.justifyFailover();
            hosts(turn).forEach(turn.faults()::isolate);
            turn.faults().killHostOf(turn.active());
            TimeUnit.NANOSECONDS.sleep(turn.nanosLeft());
        }

        @Override
        void undo(AdversityTurn turn) {
            hosts(turn).forEach(turn.faults()::reconnect);
        }

        private Set<Server> hosts(AdversityTurn turn) {
            return new LinkedHashSet<>(List.of(turn.active(), turn.contender().journalReplicaOf(turn.active())));
        }
    };

    /** The phases that need hosts with CPUs of their own. */
    private static final Set<AdversityPhase> CPU_PHASES = EnumSet.of(STARVED, STARVED_STANDBY);

    private static final String DELETED = "deleted";
    private static final int DELETED_INODES = 100_000;

    /** A disk on a loop device does about a hundred times as many on the machines of the benchmarks' figures. */
    private static final int SLOW_WRITES_PER_SECOND = 100;

    private static final Impairment BAD_LINK = new Impairment(0.01, Duration.ofMillis(50));
    private static final double STARVED_PART = 0.1;
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final int MAX_MILLIS_BETWEEN_PAUSES = 5_000;
    /** The same for each contender, so that each meets the same pauses. */
    private static final long SEED = 1;

    /** The name on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Makes what the phase needs, before the load starts. */
    void prepare(FileSystem fileSystem) throws IOException {
        // Most need nothing.
    }

    /** Disturbs the cluster until the turn is over, or longer. */
    abstract void disturb(AdversityTurn turn) throws IOException, InterruptedException;

    /** Undoes what would outlast the turn; the caller starts what has ended, and gives hosts their CPUs. */
    void undo(AdversityTurn turn) {
        // Most leave nothing behind.
    }

    /** Whether hosts must have CPUs of their own. */
    boolean needsCpus() {
        return CPU_PHASES.contains(this);
    }

    private static void fetchImage(NameNodeServer from) throws IOException {
        Path directory = Files.createTempDirectory(BenchmarkFiles.DIRECTORY, "image");
        TransferFsImage.downloadMostRecentImageToDirectory(
                new URL("http://" + from.address("http")), directory.toFile());
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
