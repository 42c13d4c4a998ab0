/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.host.NeedsRoot;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import io.trefoil.it.scenario.FinalChecks;
import io.trefoil.it.scenario.LinkCut;
import io.trefoil.it.scenario.RejoinTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Links between pool nodes swallow what is sent, one by one, or all of the active's, which still reaches its clients. */
@NeedsRoot
class CutLinksIT {
    private static final int CHANGES = 500;

    /**
     * Past TCP's sixth repetition, which comes 12.6 to 19 s after the first packet, as it begins with 0.2 to 0.3 s; the seventh comes
     * after 25 to 38 s.
     */
    private static final Duration SIX_REPETITIONS = Duration.ofSeconds(19);

    /** Until the ends of a link have noticed. */
    private static final Duration SHORT = Duration.ofSeconds(4);

    /** What is dropped between the active and the others. */
    enum Dropped {
        ALL,
        WHAT_IT_SAYS,
        WHAT_IT_SHOULD_HEAR;

        private LinkCut cutAround(NameNodeServer active, List<NameNodeServer> otherNameNodes) {
            return switch (this) {
                case ALL -> LinkCut.isolating(active, otherNameNodes);
                case WHAT_IT_SAYS -> LinkCut.muteHost(active, otherNameNodes);
                case WHAT_IT_SHOULD_HEAR -> LinkCut.deafenHost(active, otherNameNodes);
            };
        }
    }

    @Test
    void activeWithoutLinksIsReplacedAndBecomesStandby() throws Exception {
        builder("cut-links").run(cluster -> {
            NameNodeServer active = cluster.nameNode(1);
            RejoinTimes times = new RejoinTimes();
            silence(cluster, LinkCut.oneWay(active, cluster.nameNode(2)), SIX_REPETITIONS, times);
            silence(cluster, LinkCut.oneWay(cluster.nameNode(3), active), SHORT, times);
            silence(cluster, LinkCut.bothWays(active, cluster.nameNode(3)), SHORT, times);
            times.assertPrompt();
            cutAndHeal(cluster, Dropped.ALL, active, cluster.nameNode(2));
        });
    }

    @Test
    @Tag("long")
    void hostsRejoinPromptlyWhenLinkIsHealed() throws Exception {
        silenceEachLink(builder("silent-links"));
    }

    /** Java then knows nothing of what kernels have not acknowledged. */
    @Test
    @Tag("long")
    void hostsWithoutEpollRejoinPromptlyWhenLinkIsHealed() throws Exception {
        silenceEachLink(builder("silent-without-epoll").jvmOption("-Dio.netty.transport.noNative=true"));
    }

    private static void silenceEachLink(HaClusterBuilder builder) throws Exception {
        builder.run(cluster -> {
            RejoinTimes times = new RejoinTimes();
            int cuts = cutsByRole(cluster).size();
            for (int i = 0; i < cuts; i++) {
                LinkCut cut = cutsByRole(cluster).get(i);
                if (cut.touches(cluster.awaitActive())) {
                    silence(cluster, cut, SHORT, times);
                }
                silence(cluster, cut, SIX_REPETITIONS, times);
            }
            times.assertPrompt();
        });
    }

    /** The cuts of each pair, those with the active first: another one is active after each cut between standbys. */
    private static List<LinkCut> cutsByRole(HaCluster cluster) {
        NameNodeServer active = cluster.awaitActive();
        List<NameNodeServer> roles = new ArrayList<>(List.of(active));
        roles.addAll(cluster.nameNodesExcept(active));
        return LinkCut.cutsOfEachPair(roles);
    }

    private static void silence(HaCluster cluster, LinkCut cut, Duration silence, RejoinTimes times) throws Exception {
        NameNodeServer active = cluster.awaitActive();
        cut.strike(cluster.faults());
        long struckNanos = System.nanoTime();
        mkdirs(cluster, active, "/while " + cut + " is silent for " + silence.toSeconds());
        RejoinTimes.awaitElapsed(silence, struckNanos);
        cut.heal(cluster.faults());
        NameNodeServer third = cluster.nameNodes().stream()
                .filter(nameNode -> !cut.touches(nameNode))
                .findFirst()
                .orElseThrow();
        String path = "/after " + cut + " was silent for " + silence.toSeconds();
        times.add(
                cut,
                silence,
                third == active ? timeUntilReplaced(cluster, active, path) : timeUntilBothServe(cluster, third, path));
        cluster.awaitFullJournal();
    }

    /** The active and the host at the other end of the link, which has just been healed, are needed for every write. */
    private static Duration timeUntilBothServe(HaCluster cluster, NameNodeServer third, String path)
            throws IOException {
        NameNodeServer active = cluster.awaitActive();
        cluster.faults().cutLink(active, third);
        long neededNanos = System.nanoTime();
        mkdirs(cluster, active, path);
        Duration took = RejoinTimes.elapsedSince(neededNanos);
        cluster.faults().healLink(active, third);
        return took;
    }

    /** Both others, whose link has just been healed, are needed for a new active. */
    private static Duration timeUntilReplaced(HaCluster cluster, NameNodeServer old, String path) throws IOException {
        NameNodeServer next = cluster.nameNodesExcept(old).get(0);
        int exits = old.exits().size();
        LinkCut gone = LinkCut.isolating(old, cluster.nameNodesExcept(old));
        gone.strike(cluster.faults());
        long neededNanos = System.nanoTime();
        next.becomeActive();
        mkdirs(cluster, next, path);
        Duration took = RejoinTimes.elapsedSince(neededNanos);
        gone.heal(cluster.faults());
        old.awaitExit(exits, Await.TIMEOUT);
        old.awaitState(HAServiceState.STANDBY);
        return took;
    }

    private static void mkdirs(HaCluster cluster, NameNodeServer active, String path) throws IOException {
        try (FileSystem fileSystem = FileSystem.newInstance(active.uri(), cluster.clientConfiguration())) {
            assertThat(fileSystem.mkdirs(new Path(path))).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = "ALL", mode = EnumSource.Mode.EXCLUDE)
    @Tag("long")
    void activeIsReplacedAndReturnsWhenOneDirectionIsCut(Dropped dropped) throws Exception {
        builder("cut-" + dropped.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .run(cluster -> cutAndHeal(cluster, dropped, cluster.nameNode(1), cluster.nameNode(2)));
    }

    private static HaClusterBuilder builder(String name) {
        return HaCluster.builder(name)
                .journal(JournalKind.ssp())
                .property("trefoil.journal.lease", "1s")
                .property("trefoil.journal.ack.timeout", "500ms")
                .withNetworkNamespaces();
    }

    private static void cutAndHeal(HaCluster cluster, Dropped dropped, NameNodeServer old, NameNodeServer next)
            throws Exception {
        LinkCut cut = dropped.cutAround(old, cluster.nameNodesExcept(old));
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem).threads(16).start()) {
            load.awaitMore(CHANGES, Await.TIMEOUT);

            cut.strike(cluster.faults());
            old.await(
                    "says that its writes wait", Await.TIMEOUT, () -> old.log().contains("still waiting for entry"));
            assertThat(old.isAlive()).isTrue();

            cluster.haadmin("-transitionToActive", "--forceactive", next.name()).expectSuccess();
            // The old active's clients wait for it, since it is alive and accepts calls; new clients find the new one.
            try (FileSystem newcomer = FileSystem.newInstance(next.uri(), cluster.clientConfiguration());
                    RunningLoad other =
                            Workload.on(newcomer).under("/newcomers").threads(2).start()) {
                other.awaitMore(CHANGES, Await.TIMEOUT);
                FinalChecks.assertNothingLost(newcomer, other);
            }

            int exits = old.exits().size();
            cut.heal(cluster.faults());
            old.awaitExit(exits, Await.TIMEOUT);
            assertThat(old.log().contains("was fenced by epoch")).isTrue();
            old.awaitState(HAServiceState.STANDBY);

            load.awaitMore(CHANGES, Await.TIMEOUT);
            FinalChecks.assertNothingLost(fileSystem, load);
        }
        next.awaitState(HAServiceState.ACTIVE);
        FinalChecks.assertAllAgree(cluster);
    }
}
