/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.tools.home.NameNodeObservation.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The steps of a home's move, and why it is refused. */
class HomePlannerTest {
    private final List<PoolMember> pool = new ArrayList<>();
    private final List<NameNodeObservation> nameNodes = new ArrayList<>();

    static PoolMember member(int host, String site, boolean votes) {
        return PoolMember.of(NodeAddress.of("host" + host, 8487), site, votes, "");
    }

    static NameNodeObservation nameNode(int number, String site, State state) {
        return NameNodeObservation.builder("nn" + number)
                .site(site)
                .state(state)
                .build();
    }

    private void setUpThreeVotersWestThreeLearnersEast() {
        for (int host = 1; host <= 6; host++) {
            pool.add(member(host, host <= 3 ? "west" : "east", host <= 3));
        }
        nameNodes.add(nameNode(1, "west", State.ACTIVE));
        nameNodes.add(nameNode(2, "west", State.STANDBY));
        nameNodes.add(nameNode(3, "east", State.STANDBY));
    }

    private SiteLayout currentLayout() {
        return SiteLayout.of(pool, nameNodes);
    }

    private String obstacle(String site) {
        return HomePlanner.obstacle(currentLayout(), site, false).orElse("");
    }

    @Test
    void addsNewVotersThenMovesRoleThenRemovesOldVoters() {
        setUpThreeVotersWestThreeLearnersEast();

        assertThat(obstacle("east")).isEmpty();
        assertThat(HomePlanner.remainingSteps(currentLayout(), "east"))
                .extracting(HomeStep::text)
                .containsExactly(
                        "host4:8487 becomes a voter",
                        "host5:8487 becomes a voter",
                        "host6:8487 becomes a voter",
                        "nn3 becomes the active",
                        "host1:8487 becomes a learner",
                        "host2:8487 becomes a learner",
                        "host3:8487 becomes a learner");
        assertThat(HomePlanner.remainingSteps(currentLayout(), "west")).isEmpty();
    }

    @Test
    void prefersPreferredNameNodeElseHighestPriority() {
        setUpThreeVotersWestThreeLearnersEast();
        nameNodes.add(nameNode(4, "east", State.STANDBY).toBuilder().priority(5).build());
        assertThat(HomePlanner.remainingSteps(currentLayout(), "east")).contains(HomeStep.lead("nn4"));

        nameNodes.add(
                nameNode(5, "east", State.STANDBY).toBuilder().isPreferred(true).build());
        assertThat(HomePlanner.remainingSteps(currentLayout(), "east")).contains(HomeStep.lead("nn5"));
    }

    @Test
    void refusesSiteWithoutCandidateListingReasons() {
        setUpThreeVotersWestThreeLearnersEast();
        nameNodes.set(
                2,
                nameNode(3, "east", State.STANDBY).toBuilder()
                        .isElectable(false)
                        .build());
        nameNodes.add(
                nameNode(4, "east", State.STANDBY).toBuilder().isDrained(true).build());
        nameNodes.add(nameNode(5, "east", State.JUNIOR));

        assertThat(obstacle("east"))
                .isEqualTo("No NameNode at east could become active: nn3 is not electable, nn4 is drained, "
                        + "nn5 is no standby that is up to date");
    }

    @Test
    void ignoresNameNodesThatCannotBeElected() {
        setUpThreeVotersWestThreeLearnersEast();
        nameNodes.set(2, nameNode(3, "east", State.OBSERVER));
        nameNodes.add(nameNode(4, "east", State.SILENT));

        assertThat(obstacle("east"))
                .isEqualTo(
                        "No NameNode at east could become active: nn3 is an observer, and none that makes itself a standby, "
                                + "nn4 does not answer");
    }

    @Test
    void requiresActiveNameNode() {
        setUpThreeVotersWestThreeLearnersEast();
        nameNodes.set(0, nameNode(1, "west", State.SILENT));

        assertThat(obstacle("east")).isEqualTo("No NameNode that answers is active");
    }

    @Test
    void refusesTooFewVotersEvenWithForce() {
        setUpThreeVotersWestThreeLearnersEast();
        pool.remove(5);
        pool.remove(4);

        assertThat(HomePlanner.obstacle(currentLayout(), "east", true)).hasValueSatisfying(reason -> assertThat(reason)
                .startsWith("A new active at east waits for 2 voters (trefoil.journal.replicas.min), and only "
                        + "[host4:8487] would be there"));

        nameNodes.set(2, nameNodes.get(2).toBuilder().requiredVoters(1).build());
        assertThat(HomePlanner.obstacle(currentLayout(), "east", true)).isEmpty();
    }

    @Test
    void refusesSiteWithoutNameNodes() {
        setUpThreeVotersWestThreeLearnersEast();
        nameNodes.remove(2);

        assertThat(obstacle("east")).endsWith("none is there");
    }

    @Test
    void activeAtSiteNeedNotBeElectable() {
        setUpThreeVotersWestThreeLearnersEast();
        nameNodes.set(0, nameNode(1, "west", State.STANDBY));
        nameNodes.set(
                2, nameNode(3, "east", State.ACTIVE).toBuilder().isDrained(true).build());

        assertThat(obstacle("east")).isEmpty();
    }

    @Test
    void refusesUnknownSite() {
        setUpThreeVotersWestThreeLearnersEast();

        assertThat(obstacle("south"))
                .isEqualTo(
                        "No member of the journal is at south, they are at [east, west]; add pool nodes there first: "
                                + "hdfs trefoil journal add --learner HOST:PORT");
        pool.set(1, member(2, "", true));
        assertThat(obstacle("east")).startsWith("The site of [host2:8487] is not known");
    }

    @Test
    void fewerVotersThanBeforeRequireForce() {
        setUpThreeVotersWestThreeLearnersEast();
        pool.remove(5);

        assertThat(obstacle("east")).contains("[host4:8487, host5:8487]", "voters elsewhere, 3", "--force");
        assertThat(HomePlanner.obstacle(currentLayout(), "east", true)).isEmpty();
    }

    @Test
    void refusesWhenMemberAtSiteDoesNotServe() {
        setUpThreeVotersWestThreeLearnersEast();
        pool.set(3, PoolMember.of(NodeAddress.of("host4", 8487), "east", false, "Connection refused"));

        assertThat(obstacle("east")).isEqualTo("host4:8487 at east does not serve: Connection refused");
    }
}
