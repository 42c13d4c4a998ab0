/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.agent.events.LeaseReport;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the history says of nn2, which was active until nn1 took over. */
class ActiveDepartureTest {
    private static final LeaseReport FREE =
            LeaseReport.of(true, true, 0, Set.of()).withPromise(AgentFixture.EPOCH);
    private static final LeaseReport REFUSED =
            LeaseReport.of(true, true, 0, Set.of("g:3")).withPromise(AgentFixture.EPOCH);
    private static final MemberRecord ACTIVE =
            AgentFixture.rival(0).toBuilder().state(MemberState.ACTIVE).build();

    private final AgentFixture agent = new AgentFixture().followingRival();

    private String causeWhenTakenOver(LeaseReport survey) {
        return takeOver(survey).cause();
    }

    private Failover takeOver(LeaseReport survey) {
        loseActive(survey);
        return activate();
    }

    private void loseActive(LeaseReport survey) {
        agent.setPoolReport(survey);
        agent.publishNoActive();
        agent.advanceMillis(2_000);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.ACQUIRING_EPOCH);
    }

    private Failover activate() {
        agent.handle(AgentEvent.epochPromised(AgentFixture.EPOCH));
        agent.activate();
        return agent.recorded.get(agent.recorded.size() - 1);
    }

    @Test
    void historyRecordsExitWhenPoolNodeRefusesConnections() {
        assertThat(causeWhenTakenOver(REFUSED)).isEqualTo("nn2 has ended: its pool node refuses connections");
    }

    @Test
    void historyRecordsUnresponsiveActiveWhenLeaseExpires() {
        assertThat(causeWhenTakenOver(FREE)).isEqualTo("nn2 was silent until its lease ran out");
    }

    @Test
    void historyRecordsExpiryWhenActiveLosesZooKeeperSession() {
        agent.setOtherMembers();

        assertThat(causeWhenTakenOver(FREE))
                .isEqualTo("nn2 was silent until its lease ran out, and its session with ZooKeeper has ended");
    }

    @Test
    void historyRecordsStepDownReasonWhenDiskHangs() {
        agent.setOtherMembers(ACTIVE.toBuilder()
                .state(MemberState.JUNIOR)
                .eligible(false)
                .reason("its disk hangs")
                .build());

        assertThat(causeWhenTakenOver(FREE)).isEqualTo("nn2 stepped down; nn2: its disk hangs");
    }

    @Test
    void historyRecordsStepDownWhenViewShowsStandbyAfterBid() {
        loseActive(FREE);
        agent.setOtherMembers(AgentFixture.standby("nn2", 0));

        assertThat(activate().cause()).isEqualTo("nn2 stepped down");
    }

    @Test
    void historyRecordsExitWhenPoolNodeRefusesAfterBid() {
        loseActive(FREE);
        agent.handle(AgentEvent.surveyed(REFUSED));

        assertThat(activate().cause()).isEqualTo("nn2 has ended: its pool node refuses connections");
    }

    @Test
    void historyNamesFormerActiveWhenLockWasReleased() {
        agent.setOtherMembers(AgentFixture.standby("nn2", 0));
        agent.setView(Ballot.of(3), Optional.empty());

        Failover failover = takeOver(FREE);

        assertThat(failover.from()).contains("nn2");
        assertThat(failover.cause()).isEqualTo("nn2 stepped down");
    }

    @Test
    void historyOmitsFormerActiveWhenElectionWasHeldSince() {
        agent.setView(Ballot.of(4), Optional.empty());

        Failover failover = takeOver(FREE);

        assertThat(failover.from()).isEmpty();
        assertThat(failover.cause()).isEqualTo("no NameNode was active");
    }

    @Test
    void historyRecordsRestartWhenFormerActiveStarts() {
        agent.setOtherMembers(ACTIVE.toBuilder()
                .state(MemberState.JUNIOR)
                .eligible(false)
                .role(HaRole.NONE)
                .build());

        assertThat(causeWhenTakenOver(FREE)).isEqualTo("nn2 was restarted");
    }

    @Test
    void historyMentionsOnlyLeaseWhenFormerActiveLacksPoolNode() {
        agent.setOtherMembers(ACTIVE.toBuilder()
                .addresses(MemberAddresses.of("g:1", "g:2", ""))
                .build());

        assertThat(causeWhenTakenOver(FREE)).isEqualTo("the lease of nn2 has ended");
    }
}
