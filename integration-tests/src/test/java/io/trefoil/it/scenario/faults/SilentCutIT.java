/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.scenario.RejoinTimes;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Links swallow what is sent, without a word, and are whole again: a host that was cut off takes part at once, however long
 * that was. TCP by itself waits for about as long again, up to two minutes.
 */
@NeedsRoot
class SilentCutIT {
    @ParameterizedTest
    @ValueSource(ints = {8, 60, 240})
    @Tag("long")
    void nameNodeBecomesActivePromptlyAfterUnresponsiveLinks(int seconds) throws Exception {
        killActiveDuringCut(seconds);
    }

    private static void killActiveDuringCut(int seconds) throws Exception {
        HaCluster.builder("silent-cut-" + seconds)
                .journal(JournalKind.ssp())
                .withAutomaticFailover()
                .withNetworkNamespaces()
                .run(cluster -> {
                    cluster.awaitActiveAndStandbys();
                    cluster.awaitFullJournal();
                    NameNodeServer active = cluster.awaitActive();
                    NameNodeServer cutOff = cluster.nameNodesExcept(active).get(0);

                    long cutNanos = System.nanoTime();
                    cluster.nameNodesExcept(cutOff)
                            .forEach(other -> cluster.faults().cutLink(cutOff, other));
                    // Past the middle: the other standby alone is no majority.
                    RejoinTimes.awaitElapsed(Duration.ofSeconds(seconds * 7L / 12), cutNanos);
                    cluster.faults().isolate(active);
                    cluster.faults().killHostOf(active);
                    RejoinTimes.awaitElapsed(Duration.ofSeconds(seconds), cutNanos);
                    cluster.nameNodesExcept(cutOff)
                            .forEach(other -> cluster.faults().healLink(cutOff, other));
                    long healedNanos = System.nanoTime();

                    cluster.awaitActiveOtherThan(active);
                    Duration nobody = RejoinTimes.elapsedSince(healedNanos);
                    System.out.printf(
                            "after a silent cut of %d s no NameNode was active for %d ms%n",
                            seconds, nobody.toMillis());
                    assertThat(nobody)
                            .as("without an active after the network was whole")
                            .isLessThan(RejoinTimes.BOUND);
                });
    }
}
