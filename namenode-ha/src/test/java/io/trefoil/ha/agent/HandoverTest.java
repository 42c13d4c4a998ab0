/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.ZkSession;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** No operation takes down one NameNode after the other. */
class HandoverTest {
    private static final String STUCK = "the lock was not to be had";

    private OneAgent agent = OneAgent.serving(Ballot.of(5));

    @Test
    void handsOverToMemberDeadDuringElection() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.hear(AgentEvent.surveyed(LeaseReport.of(false, true, 0, Set.of("g:3"))));
        agent.pass(60_000);
        agent.wanted.clear();

        agent.trouble("unhealthy");
        agent.pass(1_000);

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void unhealthyActiveHandsOverOnceSettled() {
        agent.pass(4_000);
        agent.wanted.clear();

        agent.trouble(STUCK);
        agent.pass(100);

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void troubleSeenDuringActivationDoesNotDeposeActive() {
        agent = OneAgent.activating(Ballot.of(5));
        agent.trouble(STUCK);
        agent.activated();
        agent.wanted.clear();
        agent.pass(100);
        agent.trouble("");
        agent.pass(20_000);

        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void successorOfUnhealthyActiveKeepsRoleForOneMinute() {
        agent = tookOverFromOneThatCounts(1);
        agent.trouble(STUCK);
        agent.pass(59_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(2_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void minimumTenureGrowsWithConsecutiveHandovers() {
        agent = tookOverFromOneThatCounts(3);
        agent.trouble(STUCK);
        agent.pass(239_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(2_000);
        assertThat(agent.wanted).containsExactly("standby");
        assertThat(agent.state().published().get().handovers()).isEqualTo(4);
    }

    @Test
    void longHealthyTenureResetsHandoverCount() {
        agent = tookOverFromOneThatCounts(3);
        agent.pass(601_000);
        assertThat(agent.state().published().get().handovers()).isZero();

        agent.trouble(STUCK);
        agent.pass(100);
        assertThat(agent.wanted).containsExactly("standby");
        assertThat(agent.state().published().get().handovers()).isEqualTo(1);
    }

    @Test
    void handsOverOnlyAfterReasonIsPublished() {
        agent.pass(4_000);
        agent.wanted.clear();

        agent.takeNoChanges();
        agent.trouble(STUCK);
        agent.pass(5_000);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void stepDownTimeoutExcludesLongOperation() {
        agent.pass(1_000);
        agent.hear(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
        agent.wanted.clear();
        agent.busy();
        agent.pass(40_000);
        agent.idle();
        agent.pass(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(2_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become standby within 10000 ms");
    }

    @Test
    void activationHasNoTimeoutWhileWorkProgresses() {
        agent = OneAgent.activating(Ballot.of(5));
        agent.wanted.clear();
        agent.busy();
        agent.pass(120_000);
        assertThat(agent.wanted).isEmpty();

        agent.activated();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void stuckActivationHaltsAfterTimeout() {
        agent = OneAgent.activating(Ballot.of(5));
        agent.wanted.clear();
        agent.trouble(STUCK);
        agent.pass(11_000);

        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become active within 10000 ms");
    }

    @Test
    void stuckActivationHaltsAfterTimeoutDespiteEarlierHandovers() {
        agent = activatesAfterOneThatCounts(3);
        agent.trouble(STUCK);
        agent.pass(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(2_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become active within 10000 ms");
        assertThat(agent.state().published().get().handovers()).isEqualTo(4);
    }

    @Test
    void stuckActivationContinuesWhenNoOtherCandidateExists() {
        agent = activatesAfterOneThatCounts(0);
        agent.others();
        agent.trouble(STUCK);
        agent.pass(60_000);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void roleChangeHasNoTimeoutDuringLongOperation() {
        agent = OneAgent.changing();
        agent.wanted.clear();
        agent.busy();
        agent.pass(60_000);
        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.CHANGING);
    }

    @Test
    void processPauseDoesNotCountTowardsRoleChangeTimeout() {
        agent = OneAgent.changing();
        agent.wanted.clear();
        agent.pass(1_000);
        agent.standStill(60_000);
        agent.pass(8_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(1_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not change its role within 10000 ms");
    }

    @Test
    void processPauseDoesNotCountTowardsStepDownTimeout() {
        agent.pass(1_000);
        agent.hear(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
        agent.wanted.clear();
        agent.standStill(60_000);
        agent.pass(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(1_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become standby within 10000 ms");
    }

    @Test
    void processPauseDoesNotCountTowardsActivationTimeout() {
        agent = OneAgent.activating(Ballot.of(5));
        agent.wanted.clear();
        agent.trouble(STUCK);
        agent.standStill(60_000);
        agent.pass(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(1_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become active within 10000 ms");
    }

    /** nn2 was active, said that it hands on for so many times, and is a standby again. */
    private static OneAgent tookOverFromOneThatCounts(int passes) {
        OneAgent agent = activatesAfterOneThatCounts(passes).activated();
        agent.wanted.clear();
        return agent;
    }

    /** The same, and HDFS is not active yet. */
    private static OneAgent activatesAfterOneThatCounts(int passes) {
        OneAgent agent = new OneAgent();
        LockRecord theirs =
                LockRecord.taken("nn2", Ballot.of(4), ZkSession.of(2)).in(OneAgent.EPOCH);
        agent.view(Ballot.of(4), Optional.of(theirs));
        agent.others(OneAgent.standby("nn2", passes).toBuilder()
                .state(MemberState.ACTIVE)
                .reason(STUCK)
                .build());
        agent.view(Ballot.of(4), Optional.empty());
        agent.others(OneAgent.standby("nn2", passes));
        agent.activatingNow();
        agent.wanted.clear();
        return agent;
    }
}
