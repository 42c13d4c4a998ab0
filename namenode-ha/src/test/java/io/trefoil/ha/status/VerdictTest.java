/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.model.MemberReasons;
import io.trefoil.ha.model.MemberState;
import io.trefoil.journal.model.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** One sentence for each thing that can be wrong with three NameNodes and their three pool nodes. */
class VerdictTest {
    private final List<MemberObservation> members = new ArrayList<>(List.of(
            member("nn1", MemberState.ACTIVE), member("nn2", MemberState.STANDBY), member("nn3", MemberState.STANDBY)));
    private final List<NodeObservation> nodes = new ArrayList<>(List.of(node(1), node(2), node(3)));

    private static MemberObservation member(String name, MemberState state) {
        return MemberObservation.builder()
                .name(name)
                .state(Optional.of(state))
                .zooKeeperReachable(true)
                .build();
    }

    private static MemberObservation.Builder memberObservation(int number) {
        return MemberObservation.builder().name("nn" + number).zooKeeperReachable(true);
    }

    private static NodeObservation node(int number) {
        return builder(number).build();
    }

    private static NodeObservation.Builder builder(int number) {
        return NodeObservation.builder()
                .address("h" + number + ":8487")
                .owner("nn" + number)
                .kind(Optional.of(Member.Kind.VOTER))
                .inSync(Optional.of(true))
                .state(NodeObservation.State.SERVES);
    }

    private void replaceMember(int number, MemberObservation changedObservation) {
        members.set(number - 1, changedObservation);
    }

    private void changeNode(int number, UnaryOperator<NodeObservation.Builder> change) {
        nodes.set(number - 1, change.apply(builder(number)).build());
    }

    private Verdict verdict() {
        return Verdict.of(GroupObservation.of(members, nodes));
    }

    private void expect(HealthLevel level, String sentence) {
        Verdict verdict = verdict();
        assertThat(verdict.sentence()).isEqualTo(sentence);
        assertThat(verdict.level()).isEqualTo(level);
        assertThat(verdict.findings()).allSatisfy(finding -> {
            assertThat(finding.problem()).isNotEmpty();
            assertThat(finding.advice()).isNotEmpty().doesNotEndWith(".");
        });
    }

    @Test
    void healthyGroupOfThreeMayLoseOne() {
        expect(HealthLevel.HEALTHY, "healthy: nn1 is active; may lose one more node");
        assertThat(verdict().findings()).isEmpty();
    }

    @Test
    void nonElectableStandbyDoesNotCountAsReplacement() {
        replaceMember(
                2,
                memberObservation(2)
                        .state(Optional.of(MemberState.STANDBY))
                        .electable(false)
                        .build());
        expect(HealthLevel.HEALTHY, "healthy: nn1 is active; may lose one more node");

        replaceMember(
                3,
                memberObservation(3)
                        .state(Optional.of(MemberState.STANDBY))
                        .electable(false)
                        .build());
        assertThat(verdict().toleratedFailures()).isZero();

        replaceMember(1, MemberObservation.silent("nn1", "does not answer"));
        assertThat(verdict().sentence()).isEqualTo("down: no NameNode is active, and no standby is electable");
    }

    @Test
    void drainedStandbyCountsAsUnavailableAndIsReported() {
        replaceMember(
                2,
                memberObservation(2)
                        .state(Optional.of(MemberState.STANDBY))
                        .drained(true)
                        .build());
        expect(HealthLevel.DEGRADED, "degraded: nn2 is drained; may lose one more node");

        replaceMember(3, MemberObservation.silent("nn3", "does not answer"));
        assertThat(verdict().toleratedFailures()).isZero();
        replaceMember(1, MemberObservation.silent("nn1", "does not answer"));
        // It will be elected, as no other is left.
        assertThat(verdict().sentence()).isEqualTo("down: no NameNode is active");
    }

    @Test
    void reportsDrainedMemberWithRequiredPoolNode() {
        replaceMember(
                2,
                memberObservation(2)
                        .state(Optional.of(MemberState.STANDBY))
                        .drained(true)
                        .build());
        changeNode(3, node -> node.inSync(Optional.of(false)).lagEntries(7));

        assertThat(verdict().findings())
                .extracting(Finding::problem)
                .contains("nn2 is drained, but its pool node is needed for a majority");
        assertThat(GroupObservation.of(members, nodes).isPoolNodeNeeded("nn3")).isFalse();
    }

    @Test
    void reportsDrainedActiveAsStillActive() {
        replaceMember(
                1,
                memberObservation(1)
                        .state(Optional.of(MemberState.ACTIVE))
                        .drained(true)
                        .build());

        expect(HealthLevel.DEGRADED, "degraded: nn1 is drained, but active; may lose one more node");
    }

    @Test
    void verdictIsNotOutageWhilePoolHasWriter() {
        replaceMember(1, MemberObservation.silent("nn1", "does not answer: Read timed out"));
        changeNode(2, node -> node.leased(true));
        changeNode(3, node -> node.leased(true));

        expect(
                HealthLevel.DEGRADED,
                "degraded: no NameNode that answers is active, but the pool has a writer, and 1 more finding; may lose"
                        + " one more node");

        changeNode(3, node -> node.leased(false));
        assertThat(verdict().sentence()).isEqualTo("down: no NameNode is active");
        changeNode(3, node -> node.leased(true));
        replaceMember(1, member("nn1", MemberState.STANDBY));
        assertThat(verdict().sentence()).isEqualTo("down: no NameNode is active");
    }

    @Test
    void reportsVotersInOnlyTwoSites() {
        changeNode(1, node -> node.site("west"));
        changeNode(2, node -> node.site("west"));
        changeNode(3, node -> node.site("east"));
        expect(
                HealthLevel.DEGRADED,
                "degraded: the voters are in 2 sites (east 1, west 2), and the loss of west stops the journal; may lose"
                        + " one more node");

        changeNode(3, node -> node.site("east").kind(Optional.of(Member.Kind.PERMANENT_LEARNER)));
        assertThat(verdict().sentence()).doesNotContain("sites");
        changeNode(2, node -> node.site("south"));
        changeNode(3, node -> node.site("east"));
        expect(HealthLevel.HEALTHY, "healthy: nn1 is active; may lose one more node");
    }

    @Test
    void healthyGroupOfFiveMayLoseTwo() {
        for (int number = 4; number <= 5; number++) {
            members.add(member("nn" + number, MemberState.STANDBY));
            nodes.add(node(number));
        }
        expect(HealthLevel.HEALTHY, "healthy: nn1 is active; may lose two more nodes");
    }

    @Test
    void fiveVotersAndTwoNameNodesMayLoseOne() {
        members.remove(2);
        nodes.add(node(4));
        nodes.add(node(5));
        expect(HealthLevel.HEALTHY, "healthy: nn1 is active; may lose one more node");
    }

    @Test
    void lostHostYieldsTwoFindingsWithoutSpare() {
        replaceMember(3, MemberObservation.silent("nn3", "does not answer: Connection refused"));
        changeNode(3, node -> node.state(NodeObservation.State.DOWN)
                .details("no answer in 2000 ms (Connection refused)")
                .inSync(Optional.of(false)));

        expect(
                HealthLevel.DEGRADED,
                "degraded: nn3 does not answer: Connection refused, and 1 more finding; may lose no more nodes");
        assertThat(verdict().findings())
                .extracting(Finding::problem)
                .containsExactly("nn3 does not answer: Connection refused", "pool node h3:8487 of nn3 does not answer");
    }

    @Test
    void juniorReportsReason() {
        replaceMember(
                2,
                memberObservation(2)
                        .state(Optional.of(MemberState.JUNIOR))
                        .reason("behind")
                        .build());
        expect(HealthLevel.DEGRADED, "degraded: nn2 is junior: behind; may lose one more node");
    }

    @Test
    void juniorsAloneCannotSucceedActive() {
        replaceMember(
                2, memberObservation(2).state(Optional.of(MemberState.JUNIOR)).build());
        replaceMember(
                3, memberObservation(3).state(Optional.of(MemberState.JUNIOR)).build());
        expect(HealthLevel.DEGRADED, "degraded: nn2 is junior, and 1 more finding; may lose no more nodes");
    }

    @Test
    void namesStartingNameNode() {
        replaceMember(2, memberObservation(2).build());
        expect(HealthLevel.DEGRADED, "degraded: nn2 is starting; may lose one more node");
    }

    @Test
    void verdictReportsStartupProgressOfNameNode() {
        replaceMember(
                3,
                MemberObservation.builder()
                        .name("nn3")
                        .reason("HDFS has done 43 percent of its start")
                        .build());

        expect(
                HealthLevel.DEGRADED,
                "degraded: nn3 is starting: HDFS has done 43 percent of its start; may lose one more node");
        assertThat(verdict().findings()).hasSize(1);
    }

    @Test
    void verdictIsDownWhileFirstMemberAwaitsSecondPoolNode() {
        replaceMember(
                1,
                memberObservation(1)
                        .state(Optional.of(MemberState.STANDBY))
                        .changing(true)
                        .build());
        replaceMember(2, MemberObservation.silent("nn2", "does not answer"));
        replaceMember(3, MemberObservation.silent("nn3", "does not answer"));
        changeNode(1, node -> node.leased(true));
        changeNode(2, node -> node.kind(Optional.empty()).state(NodeObservation.State.DOWN));
        changeNode(3, node -> node.kind(Optional.empty()).state(NodeObservation.State.DOWN));

        expect(HealthLevel.DOWN, "down: no NameNode is active: nn1 waits for a second pool node");
    }

    @Test
    void namesUnhealthyActive() {
        replaceMember(
                1,
                memberObservation(1)
                        .state(Optional.of(MemberState.ACTIVE))
                        .reason("low on disk")
                        .build());
        expect(HealthLevel.DEGRADED, "degraded: nn1 is not healthy: low on disk; may lose one more node");
    }

    @Test
    void outOfSyncNodeDoesNotCount() {
        changeNode(2, node -> node.inSync(Optional.of(false)).lagEntries(4711));
        expect(
                HealthLevel.DEGRADED,
                "degraded: pool node h2:8487 of nn2 is not in sync and lacks 4711 entries; may lose no more nodes");
    }

    @Test
    void nodeWithHungDiskDoesNotCount() {
        changeNode(2, node -> node.diskSilentMillis(61_000));
        expect(
                HealthLevel.DEGRADED,
                "degraded: pool node h2:8487 of nn2 has waited for its disk for 61 s; may lose no more nodes");
    }

    @Test
    void namesEditThatNameNodeCannotApply() {
        changeNode(2, node -> node.unapplied("transaction 7, MkdirOp [path=/a]: IOException: no"));
        expect(
                HealthLevel.DEGRADED,
                "degraded: nn2 cannot apply transaction 7, MkdirOp [path=/a]: IOException: no; may lose one more node");
    }

    @Test
    void findingAboutActiveComesBeforeThoseAboutOthers() {
        replaceMember(1, MemberObservation.silent("nn1", "does not answer: Connection refused"));
        replaceMember(
                2,
                memberObservation(2)
                        .state(Optional.of(MemberState.ACTIVE))
                        .reason(MemberReasons.SAFE_MODE)
                        .build());
        expect(
                HealthLevel.DEGRADED,
                "degraded: nn2 is active, but in safe mode: clients can read, and change nothing, and 1 more finding; may"
                        + " lose one more node");
    }

    /** Starting it is of no use. */
    @Test
    void editThatEndedNameNodeComesBeforeItsSilence() {
        replaceMember(2, MemberObservation.silent("nn2", "does not answer: Connection refused"));
        changeNode(2, node -> node.unapplied("transaction 7, MkdirOp [path=/a]: IOException: no"));
        expect(
                HealthLevel.DEGRADED,
                "degraded: nn2 cannot apply transaction 7, MkdirOp [path=/a]: IOException: no, and 1 more finding; may lose"
                        + " one more node");
    }

    @Test
    void nodeCountsAsInSyncWithoutWriterReport() {
        changeNode(2, node -> node.inSync(Optional.empty()));
        expect(HealthLevel.HEALTHY, "healthy: nn1 is active; may lose one more node");
    }

    @Test
    void failedNodeReportsReason() {
        changeNode(2, node -> node.state(NodeObservation.State.FAILED).details("no space left"));
        expect(
                HealthLevel.DEGRADED,
                "degraded: pool node h2:8487 of nn2 is failed: no space left; may lose no more nodes");
    }

    @Test
    void refetchingNodeDoesNotCount() {
        changeNode(2, node -> node.state(NodeObservation.State.REFETCHING));
        expect(HealthLevel.DEGRADED, "degraded: pool node h2:8487 of nn2 is refetching; may lose no more nodes");
    }

    @Test
    void namesLearnerAndNonMember() {
        nodes.add(builder(4).owner("").kind(Optional.of(Member.Kind.LEARNER)).build());
        expect(HealthLevel.DEGRADED, "degraded: pool node h4:8487 does not vote yet; may lose one more node");

        nodes.set(3, builder(4).owner("").kind(Optional.empty()).build());
        expect(HealthLevel.DEGRADED, "degraded: pool node h4:8487 is no member of the journal; may lose one more node");
        assertThat(verdict().findings().get(0).advice()).contains("journal add h4:8487");
    }

    @Test
    void permanentLearnerIsHealthy() {
        nodes.add(builder(4)
                .kind(Optional.of(Member.Kind.PERMANENT_LEARNER))
                .inSync(Optional.of(true))
                .build());
        expect(HealthLevel.HEALTHY, "healthy: nn1 is active; may lose one more node");
    }

    @Test
    void twoVotersAreTooFew() {
        nodes.remove(2);
        expect(HealthLevel.DEGRADED, "degraded: the pool has only 2 voters; may lose no more nodes");
    }

    @Test
    void noFailoverIsPossibleWithoutZooKeeper() {
        members.replaceAll(member -> MemberObservation.builder()
                .name(member.name())
                .state(member.state())
                .build());
        expect(
                HealthLevel.DEGRADED,
                "degraded: ZooKeeper is out of reach: the active goes on, but no other NameNode could be elected; may lose no more"
                        + " nodes");
    }

    @Test
    void namesMemberWithoutZooKeeper() {
        replaceMember(
                2,
                MemberObservation.builder()
                        .name("nn2")
                        .state(Optional.of(MemberState.STANDBY))
                        .build());
        expect(HealthLevel.DEGRADED, "degraded: nn2 cannot reach ZooKeeper; may lose one more node");
    }

    @Test
    void twoActivesAreReported() {
        replaceMember(2, member("nn2", MemberState.ACTIVE));
        expect(HealthLevel.DEGRADED, "degraded: nn1 and nn2 both call themselves active; may lose one more node");
    }

    @Test
    void clientsWaitWithoutMajority() {
        changeNode(2, node -> node.state(NodeObservation.State.DOWN));
        changeNode(3, node -> node.state(NodeObservation.State.DOWN));
        expect(HealthLevel.DOWN, "down: nn1 is active, but clients wait: only 1 of 3 voters of the pool serve");
        assertThat(verdict().toleratedFailures()).isZero();
        assertThat(verdict().findings().get(0).advice()).contains("h2:8487, h3:8487");
    }

    @Test
    void reportsUnresponsivePoolWhenNoNodeAnswers() {
        nodes.replaceAll(node -> NodeObservation.builder()
                .address(node.address())
                .state(NodeObservation.State.DOWN)
                .build());
        expect(HealthLevel.DOWN, "down: nn1 is active, but clients wait: no pool node answers");
    }

    @Test
    void reportsTakeoverInProgress() {
        replaceMember(1, MemberObservation.silent("nn1", "does not answer"));
        replaceMember(
                2,
                memberObservation(2)
                        .state(Optional.of(MemberState.STANDBY))
                        .changing(true)
                        .build());
        expect(HealthLevel.DOWN, "down: no NameNode is active, nn2 is changing its role");
    }

    @Test
    void reportsNoActiveBeforeElection() {
        replaceMember(1, MemberObservation.silent("nn1", "does not answer"));
        expect(HealthLevel.DOWN, "down: no NameNode is active");
    }

    @Test
    void electionIsImpossibleWithoutStandby() {
        members.replaceAll(member -> MemberObservation.silent(member.name(), "does not answer"));
        replaceMember(
                3,
                memberObservation(3)
                        .state(Optional.of(MemberState.JUNIOR))
                        .reason("no image")
                        .build());
        expect(HealthLevel.DOWN, "down: no NameNode is active, and there is no standby");
        assertThat(verdict().findings()).extracting(Finding::problem).contains("nn3 is junior: no image");
    }

    @Test
    void electionIsImpossibleWithoutZooKeeper() {
        members.remove(0);
        members.replaceAll(member -> MemberObservation.builder()
                .name(member.name())
                .state(member.state())
                .build());
        expect(
                HealthLevel.DOWN,
                "down: no NameNode is active, and none can be elected: no NameNode that answers reaches ZooKeeper");
    }

    @Test
    void activationIsImpossibleWithoutMajority() {
        members.remove(0);
        changeNode(1, node -> node.state(NodeObservation.State.DOWN));
        changeNode(2, node -> node.state(NodeObservation.State.FAILED));
        expect(HealthLevel.DOWN, "down: no NameNode is active, and none can be: only 1 of 3 voters of the pool serve");
    }
}
