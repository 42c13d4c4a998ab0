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

    private AgentFixture agent = AgentFixture.serving(Ballot.of(5));

    @Test
    void handsOverToMemberDownDuringElection() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.handle(AgentEvent.surveyed(LeaseReport.of(false, true, 0, Set.of("g:3"))));
        agent.advanceMillis(60_000);
        agent.wanted.clear();

        agent.setProblem("unhealthy");
        agent.advanceMillis(1_000);

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void unhealthyActiveHandsOverOnceSettled() {
        agent.advanceMillis(4_000);
        agent.wanted.clear();

        agent.setProblem(STUCK);
        agent.advanceMillis(100);

        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void problemDetectedDuringActivationDoesNotDeposeActive() {
        agent = AgentFixture.activating(Ballot.of(5));
        agent.setProblem(STUCK);
        agent.activate();
        agent.wanted.clear();
        agent.advanceMillis(100);
        agent.setProblem("");
        agent.advanceMillis(20_000);

        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void successorOfUnhealthyActiveKeepsRoleForOneMinute() {
        agent = takenOverAfterHandovers(1);
        agent.setProblem(STUCK);
        agent.advanceMillis(59_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(2_000);
        assertThat(agent.wanted).containsExactly("standby");
    }

    @Test
    void minimumTenureGrowsWithConsecutiveHandovers() {
        agent = takenOverAfterHandovers(3);
        agent.setProblem(STUCK);
        agent.advanceMillis(239_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(2_000);
        assertThat(agent.wanted).containsExactly("standby");
        assertThat(agent.state().publishedRecord().get().handovers()).isEqualTo(4);
    }

    @Test
    void longHealthyTenureResetsHandoverCount() {
        agent = takenOverAfterHandovers(3);
        agent.advanceMillis(601_000);
        assertThat(agent.state().publishedRecord().get().handovers()).isZero();

        agent.setProblem(STUCK);
        agent.advanceMillis(100);
        assertThat(agent.wanted).containsExactly("standby");
        assertThat(agent.state().publishedRecord().get().handovers()).isEqualTo(1);
    }

    @Test
    void handsOverOnlyAfterReasonIsPublished() {
        agent.advanceMillis(4_000);
        agent.wanted.clear();

        agent.rejectZooKeeperWrites();
        agent.setProblem(STUCK);
        agent.advanceMillis(5_000);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void stepDownTimeoutExcludesLongOperation() {
        agent.advanceMillis(1_000);
        agent.handle(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
        agent.wanted.clear();
        agent.setBusy();
        agent.advanceMillis(40_000);
        agent.setIdle();
        agent.advanceMillis(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(2_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become standby within 10000 ms");
    }

    @Test
    void activationDoesNotTimeOutWhileProgressing() {
        agent = AgentFixture.activating(Ballot.of(5));
        agent.wanted.clear();
        agent.setBusy();
        agent.advanceMillis(120_000);
        assertThat(agent.wanted).isEmpty();

        agent.activate();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void stuckActivationHaltsAfterTimeout() {
        agent = AgentFixture.activating(Ballot.of(5));
        agent.wanted.clear();
        agent.setProblem(STUCK);
        agent.advanceMillis(11_000);

        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become active within 10000 ms");
    }

    @Test
    void stuckActivationHaltsAfterTimeoutDespiteEarlierHandovers() {
        agent = activatingAfterHandovers(3);
        agent.setProblem(STUCK);
        agent.advanceMillis(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(2_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become active within 10000 ms");
        assertThat(agent.state().publishedRecord().get().handovers()).isEqualTo(4);
    }

    @Test
    void stuckActivationContinuesWhenNoOtherCandidateExists() {
        agent = activatingAfterHandovers(0);
        agent.setOtherMembers();
        agent.setProblem(STUCK);
        agent.advanceMillis(60_000);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void roleChangeDoesNotTimeOutDuringLongOperation() {
        agent = AgentFixture.changingRole();
        agent.wanted.clear();
        agent.setBusy();
        agent.advanceMillis(60_000);
        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.CHANGING);
    }

    @Test
    void processPauseDoesNotCountTowardsRoleChangeTimeout() {
        agent = AgentFixture.changingRole();
        agent.wanted.clear();
        agent.advanceMillis(1_000);
        agent.pauseProcess(60_000);
        agent.advanceMillis(8_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(1_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not change its role within 10000 ms");
    }

    @Test
    void processPauseDoesNotCountTowardsStepDownTimeout() {
        agent.advanceMillis(1_000);
        agent.handle(AgentEvent.stepDownRequested(AgentRequest.of(2), 1_000));
        agent.wanted.clear();
        agent.pauseProcess(60_000);
        agent.advanceMillis(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(1_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become standby within 10000 ms");
    }

    @Test
    void processPauseDoesNotCountTowardsActivationTimeout() {
        agent = AgentFixture.activating(Ballot.of(5));
        agent.wanted.clear();
        agent.setProblem(STUCK);
        agent.pauseProcess(60_000);
        agent.advanceMillis(9_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(1_000);
        assertThat(agent.wanted).singleElement().asString().contains("HDFS did not become active within 10000 ms");
    }

    /** nn2 was active, said that it hands on for so many times, and is a standby again. */
    private static AgentFixture takenOverAfterHandovers(int passes) {
        AgentFixture agent = activatingAfterHandovers(passes).activate();
        agent.wanted.clear();
        return agent;
    }

    /** The same, and HDFS is not active yet. */
    private static AgentFixture activatingAfterHandovers(int passes) {
        AgentFixture agent = new AgentFixture();
        LockRecord theirs =
                LockRecord.ofHolder("nn2", Ballot.of(4), ZkSession.of(2)).withEpoch(AgentFixture.EPOCH);
        agent.setView(Ballot.of(4), Optional.of(theirs));
        agent.setOtherMembers(AgentFixture.standby("nn2", passes).toBuilder()
                .state(MemberState.ACTIVE)
                .reason(STUCK)
                .build());
        agent.setView(Ballot.of(4), Optional.empty());
        agent.setOtherMembers(AgentFixture.standby("nn2", passes));
        agent.startActivation();
        agent.wanted.clear();
        return agent;
    }
}
