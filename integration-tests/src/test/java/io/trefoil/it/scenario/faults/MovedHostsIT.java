/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.Endpoints;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Test;

/** Names do not resolve, and hosts come back at other addresses, as pods and hosts that were replaced do. */
@NeedsRoot
class MovedHostsIT {
    /** On a machine that runs other clusters beside this one. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    @Test
    void restartedNodesServeAndOneTakesOverWhenNamesAreGone() throws Exception {
        HaCluster.builder("lost-names")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .hostsWithNames()
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    cluster.awaitWholeJournal();
                    NameNodeServer active = cluster.awaitActive();
                    List<NameNodeServer> standbys = cluster.nameNodesBut(active);
                    FileSystem fileSystem = cluster.newFileSystem();
                    fileSystem.mkdirs(new Path("/before"));

                    cluster.faults().loseNames();
                    standbys.forEach(Server::kill9ForGood);
                    standbys.forEach(Server::start);
                    standbys.forEach(standby -> standby.awaitState(HAServiceState.STANDBY));
                    fileSystem.mkdirs(new Path("/while-names-are-gone"));

                    active.kill9ForGood();
                    long killedNanos = System.nanoTime();
                    fileSystem.mkdirs(new Path("/after-the-takeover"));
                    Duration waited = since(killedNanos);
                    System.out.printf("names were gone: the takeover took %d ms%n", waited.toMillis());
                    assertThat(waited).as("a takeover without names").isLessThan(BOUND);
                });
    }

    @Test
    void nodeTakesPartSoonWhenItComesBackAtAnotherAddress() throws Exception {
        HaCluster.builder("moved-host")
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .hostsWithNames()
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    cluster.awaitWholeJournal();
                    NameNodeServer active = cluster.awaitActive();
                    NameNodeServer moved = cluster.nameNodesBut(active).get(0);
                    NameNodeServer third = cluster.nameNodesBut(active).get(1);
                    FileSystem fileSystem = cluster.newFileSystem();
                    fileSystem.mkdirs(new Path("/before"));

                    String address = cluster.faults().move(moved);
                    cluster.faults().killHostOf(moved);
                    fileSystem.mkdirs(new Path("/while-it-is-away"));
                    // From now on the one that moves is needed for every write.
                    third.kill9ForGood();
                    moved.start();
                    String pool = address + ":" + moved.address("pool").split(":")[1];
                    Await.until(
                            moved + " listens at " + pool,
                            Await.PATIENCE,
                            () -> Endpoints.isListening(pool),
                            moved::describe);
                    long backNanos = System.nanoTime();
                    fileSystem.mkdirs(new Path("/when-it-is-back"));
                    Duration waited = since(backNanos);
                    System.out.printf("a node came back elsewhere: a write waited %d ms%n", waited.toMillis());
                    assertThat(waited).as("a write that needs the moved node").isLessThan(BOUND);
                });
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
