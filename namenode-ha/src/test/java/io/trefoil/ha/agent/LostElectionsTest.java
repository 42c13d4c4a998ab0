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
import io.trefoil.journal.model.Epoch;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** ZooKeeper is emptied, restored, takes nothing, or has another process by the same name. */
class LostElectionsTest {

    @Test
    void activeRetakesLockWithHigherBallotWhenElectionIsForgotten() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.advanceMillis(1_000);
        agent.wanted.clear();

        agent.setView(Ballot.NONE, Optional.empty());
        agent.advanceMillis(1_000);

        assertThat(agent.wanted).containsExactly("lock 6");
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
        assertThat(agent.asked.get().session()).isEqualTo(AgentFixture.SESSION);
    }

    @Test
    void restoredLockOfEarlierElectionDoesNotDeposeActive() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.advanceMillis(1_000);
        agent.wanted.clear();

        LockRecord old =
                LockRecord.ofHolder("nn2", Ballot.of(3), ZkSession.of(9)).withEpoch(Epoch.of(2));
        agent.setView(Ballot.of(3), Optional.of(old));
        agent.advanceMillis(1_000);

        assertThat(agent.wanted).containsExactly("lock 6");
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    /** The lock that it has got went with the session in which it was asked for; it has another one since. */
    @Test
    void activeRetakesLockWhenAnswerArrivesInLaterSession() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.advanceMillis(1_000);
        agent.wanted.clear();

        agent.handle(AgentEvent.lockTaken(LockRecord.ofHolder("nn1", Ballot.of(6), ZkSession.of(3))));
        agent.setView(Ballot.of(6), Optional.empty());
        agent.advanceMillis(1_000);

        assertThat(agent.wanted).containsExactly("lock 7");
    }

    @Test
    void activeStepsDownWhenLaterElectionHasHigherBallot() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.advanceMillis(1_000);
        agent.wanted.clear();

        // Whoever bids has seen the ballots of before.
        agent.setView(Ballot.of(6), Optional.of(LockRecord.ofHolder("nn2", Ballot.of(6), ZkSession.of(9))));
        agent.advanceMillis(100);

        assertThat(agent.wanted).containsExactly("standby");
    }

    /** As where the journal was initialized on this host alone, while it was cut off from the others' pool nodes. */
    @Test
    void keepsLockWhenItsEpochExceedsPoolPromises() {
        LeaseReport free = LeaseReport.of(true, true, 0, Set.of());
        AgentFixture agent = new AgentFixture().followingRival();
        agent.setPoolReport(free.withPromise(Epoch.of(AgentFixture.EPOCH.number() - 1)));
        agent.publishNoActive();
        agent.advanceMillis(60_000);
        // Nor does it bid when the active has lost its session, and goes on serving by its lease.
        agent.setView(Ballot.of(4), Optional.empty());
        agent.advanceMillis(60_000);
        assertThat(agent.wanted).isEmpty();

        agent.setPoolReport(free.withPromise(AgentFixture.EPOCH));
        agent.advanceMillis(1_000);
        assertThat(agent.wanted).contains("lock 5");
    }

    /** The order waits for a survey of its own: the one before may be older than the active. */
    @Test
    void refusesOrderWhenPoolNeverPromisedEpochOfActive() {
        LeaseReport held = LeaseReport.of(false, true, 0, Set.of());
        AgentFixture agent = new AgentFixture();
        agent.setPoolReport(held.withPromise(Epoch.of(AgentFixture.EPOCH.number() - 1)));
        agent.followingRival().advanceMillis(60_000);

        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(3)));
        agent.advanceMillis(3_000);
        assertThat(agent.wanted).singleElement().asString().contains("have promised no epoch above");

        agent.wanted.clear();
        agent.setPoolReport(held.withPromise(AgentFixture.EPOCH));
        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(4)));
        agent.advanceMillis(3_000);
        assertThat(agent.wanted).contains("lock 4");
    }

    @Test
    void bidsAboveHighestSeenBallotWhenZooKeeperIsEmptied() {
        AgentFixture agent = new AgentFixture();
        agent.setOtherMembers();
        agent.setView(
                Ballot.of(41),
                Optional.of(LockRecord.ofHolder("nn2", Ballot.of(41), ZkSession.of(9))
                        .withEpoch(Epoch.of(2))));
        agent.setView(Ballot.NONE, Optional.empty());

        agent.publishNoActive();
        agent.advanceMillis(1_000);

        assertThat(agent.wanted).contains("lock 42");
    }

    @Test
    void bidsBackOffWhenZooKeeperRejectsWrites() {
        AgentFixture agent = new AgentFixture();
        agent.setOtherMembers();
        agent.setView(Ballot.of(4), Optional.empty());
        agent.rejectZooKeeperWrites();

        agent.publishNoActive();
        agent.advanceMillis(20_000);

        assertThat(agent.wanted).as("bids in 20 s").hasSizeBetween(10, 20);
    }

    @Test
    void activeBacksOffWhenLockCannotBeRetaken() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.advanceMillis(1_000);
        agent.wanted.clear();

        agent.rejectZooKeeperWrites();
        agent.setView(Ballot.of(4), Optional.empty());
        agent.advanceMillis(20_000);

        assertThat(agent.wanted).as("bids in 20 s").hasSizeBetween(10, 20).allMatch("lock 6"::equals);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void memberWithDuplicateNameStaysOutOfElections() {
        AgentFixture agent = new AgentFixture();
        agent.rejectZooKeeperWrites();
        agent.setView(Ballot.of(4), Optional.empty());
        agent.setOtherMembers(
                AgentFixture.standby("nn1", 0).toBuilder().instance("other").build());

        agent.publishNoActive();
        agent.advanceMillis(30_000);
        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(3)));

        assertThat(agent.wanted).singleElement().asString().contains("under the name of this one");
        assertThat(agent.state().publishedRecord().get().state()).isEqualTo(MemberState.JUNIOR);

        // The other has gone.
        agent.setOtherMembers();
        agent.advanceMillis(2_000);
        assertThat(agent.wanted).contains("lock 5");
    }

    @Test
    void rejoinRequestDoesNotDeposeActive() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.advanceMillis(1_000);
        agent.wanted.clear();

        agent.handle(AgentEvent.rejoinRequested(AgentRequest.of(4)));
        agent.advanceMillis(1_000);

        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void cededMemberBecomesEligibleUponRejoinRequest() {
        AgentFixture agent = new AgentFixture();
        agent.setView(Ballot.of(4), Optional.empty());
        agent.handle(AgentEvent.stepDownRequested(AgentRequest.of(4), 600_000));
        agent.advanceMillis(100);
        assertThat(agent.state().publishedRecord().get().eligible()).isFalse();

        agent.handle(AgentEvent.rejoinRequested(AgentRequest.of(5)));
        agent.advanceMillis(100);
        assertThat(agent.state().publishedRecord().get().eligible()).isTrue();
    }
}
