/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Links swallow what is sent, without a word, and are whole again: whoever was cut off takes part at once, however long that
 * was. TCP by itself waits for about as long again, up to two minutes.
 */
@NeedsRoot
class SilentCutIT {
    /** What people may have to wait for on a machine that runs other clusters beside this one; alone it is two seconds. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    /**
     * After TCP's sixth repetition, which comes 12.6 to 19 s after the first packet, as it begins with 0.2 to 0.3 s; the seventh comes after
     * 25 to 38 s.
     */
    private static final int SIX_REPETITIONS_SECONDS = 19;

    private static final Duration SOONER_THAN_THE_SEVENTH = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(ints = {8, 60, 240})
    @Tag("long")
    void nameNodeBecomesActiveSoonWhenLinksWereSilentFor(int seconds) throws Exception {
        loseTheActiveDuringACut(seconds);
    }

    private static void loseTheActiveDuringACut(int seconds) throws Exception {
        HaCluster.builder("silent-cut-" + seconds)
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .hostsInNetworkNamespaces()
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    cluster.awaitWholeJournal();
                    NameNodeServer active = cluster.awaitActive();
                    NameNodeServer cutOff = cluster.nameNodesBut(active).get(0);

                    long cutNanos = System.nanoTime();
                    cluster.nameNodesBut(cutOff)
                            .forEach(other -> cluster.faults().cutLink(cutOff, other));
                    // Past the middle: the other standby alone is no majority.
                    awaitSeconds(seconds * 7L / 12, cutNanos);
                    cluster.faults().isolate(active);
                    cluster.faults().killHostOf(active);
                    awaitSeconds(seconds, cutNanos);
                    cluster.nameNodesBut(cutOff)
                            .forEach(other -> cluster.faults().healLink(cutOff, other));
                    long healedNanos = System.nanoTime();

                    cluster.awaitActiveBut(active);
                    Duration nobody = since(healedNanos);
                    System.out.printf(
                            "after a silent cut of %d s nobody was active for %d ms%n", seconds, nobody.toMillis());
                    assertThat(nobody)
                            .as("without an active after the network was whole")
                            .isLessThan(BOUND);
                });
    }

    @Test
    void nodeVotesSoonAfterSilentLinkHeals() throws Exception {
        silentDirections("silent-direction", cluster -> {
            NameNodeServer active = cluster.nameNode(1);
            silence(cluster, active, cluster.nameNode(2), cluster.nameNode(3));
        });
    }

    /** Each direction of the links between two pool nodes and the writer, one after the other. */
    @Test
    @Tag("long")
    void nodeVotesSoonAfterSilentDirectionHeals() throws Exception {
        silentDirections("silent-directions", cluster -> {
            NameNodeServer active = cluster.nameNode(1);
            silence(cluster, cluster.nameNode(2), active, cluster.nameNode(3));
            silence(cluster, active, cluster.nameNode(3), cluster.nameNode(2));
            silence(cluster, cluster.nameNode(3), active, cluster.nameNode(2));
        });
    }

    private interface Silences {
        void on(HaCluster cluster) throws Exception;
    }

    private static void silentDirections(String name, Silences silences) throws Exception {
        HaCluster.builder(name)
                .journal(JournalKind.ssp())
                .property("trefoil.journal.lease", "5s")
                .hostsInNetworkNamespaces()
                .run(silences::on);
    }

    private static void silence(HaCluster cluster, NameNodeServer from, NameNodeServer to, NameNodeServer third)
            throws Exception {
        FileSystem fileSystem = cluster.newFileSystem();
        NameNodeServer active = cluster.nameNode(1);
        cluster.faults().cutLinkOneWay(from, to);
        long cutNanos = System.nanoTime();
        fileSystem.mkdirs(new Path("/while-" + from.name() + "-is-not-heard-by-" + to.name()));
        awaitSeconds(SIX_REPETITIONS_SECONDS, cutNanos);
        cluster.faults().healLinkOneWay(from, to);
        // From now on the node that was cut off is needed for every write.
        cluster.faults().cutLink(active, third);
        long neededNanos = System.nanoTime();
        fileSystem.mkdirs(new Path("/after-" + from.name() + "-was-not-heard-by-" + to.name()));
        Duration waited = since(neededNanos);
        cluster.faults().healLink(active, third);
        System.out.printf("%s to %s was silent: a write waited %d ms%n", from, to, waited.toMillis());
        assertThat(waited).as("a write after %s to %s was silent", from, to).isLessThan(SOONER_THAN_THE_SEVENTH);
        cluster.awaitWholeJournal();
    }

    private static void awaitSeconds(long seconds, long sinceNanos) {
        Duration limit = Duration.ofSeconds(seconds);
        Await.until(
                "the cut has lasted " + limit,
                limit.plus(Await.PATIENCE),
                () -> since(sinceNanos).compareTo(limit) >= 0,
                () -> "time stands still");
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }
}
