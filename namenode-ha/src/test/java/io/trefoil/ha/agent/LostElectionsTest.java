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
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.pass(1_000);
        agent.wanted.clear();

        agent.view(Ballot.NONE, Optional.empty());
        agent.pass(1_000);

        assertThat(agent.wanted).containsExactly("lock 6");
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
        assertThat(agent.asked.get().session()).isEqualTo(OneAgent.SESSION);
    }

    @Test
    void restoredLockOfEarlierElectionDoesNotDeposeActive() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.pass(1_000);
        agent.wanted.clear();

        LockRecord old = LockRecord.taken("nn2", Ballot.of(3), ZkSession.of(9)).in(Epoch.of(2));
        agent.view(Ballot.of(3), Optional.of(old));
        agent.pass(1_000);

        assertThat(agent.wanted).containsExactly("lock 6");
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    /** The lock that it has got went with the session in which it was asked for; it has another one since. */
    @Test
    void activeRetakesLockWhenAnswerArrivesInLaterSession() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.pass(1_000);
        agent.wanted.clear();

        agent.hear(AgentEvent.lockTaken(LockRecord.taken("nn1", Ballot.of(6), ZkSession.of(3))));
        agent.view(Ballot.of(6), Optional.empty());
        agent.pass(1_000);

        assertThat(agent.wanted).containsExactly("lock 7");
    }

    @Test
    void activeStepsDownWhenLaterElectionHasHigherBallot() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.pass(1_000);
        agent.wanted.clear();

        // Whoever bids has seen the ballots of before.
        agent.view(Ballot.of(6), Optional.of(LockRecord.taken("nn2", Ballot.of(6), ZkSession.of(9))));
        agent.pass(100);

        assertThat(agent.wanted).containsExactly("standby");
    }

    /** As where the journal was initialized on this host alone, while it was cut off from the others' pool nodes. */
    @Test
    void lockStaysWhenItsEpochExceedsPoolPromises() {
        LeaseReport free = LeaseReport.of(true, true, 0, Set.of());
        OneAgent agent = new OneAgent().followingRival();
        agent.poolSays(free.withPromise(Epoch.of(OneAgent.EPOCH.number() - 1)));
        agent.nobodyIsActive();
        agent.pass(60_000);
        // Nor does it bid when the active has lost its session, and goes on serving by its lease.
        agent.view(Ballot.of(4), Optional.empty());
        agent.pass(60_000);
        assertThat(agent.wanted).isEmpty();

        agent.poolSays(free.withPromise(OneAgent.EPOCH));
        agent.pass(1_000);
        assertThat(agent.wanted).contains("lock 5");
    }

    /** The order waits for a survey of its own: the one before may be older than the active. */
    @Test
    void refusesOrderWhenPoolNeverPromisedEpochOfActive() {
        LeaseReport held = LeaseReport.of(false, true, 0, Set.of());
        OneAgent agent = new OneAgent();
        agent.poolSays(held.withPromise(Epoch.of(OneAgent.EPOCH.number() - 1)));
        agent.followingRival().pass(60_000);

        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(3)));
        agent.pass(3_000);
        assertThat(agent.wanted).singleElement().asString().contains("have promised no epoch above");

        agent.wanted.clear();
        agent.poolSays(held.withPromise(OneAgent.EPOCH));
        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(4)));
        agent.pass(3_000);
        assertThat(agent.wanted).contains("lock 4");
    }

    @Test
    void bidsAboveHighestSeenBallotWhenZooKeeperIsEmptied() {
        OneAgent agent = new OneAgent();
        agent.others();
        agent.view(
                Ballot.of(41),
                Optional.of(
                        LockRecord.taken("nn2", Ballot.of(41), ZkSession.of(9)).in(Epoch.of(2))));
        agent.view(Ballot.NONE, Optional.empty());

        agent.nobodyIsActive();
        agent.pass(1_000);

        assertThat(agent.wanted).contains("lock 42");
    }

    @Test
    void bidsBackOffWhenZooKeeperRejectsWrites() {
        OneAgent agent = new OneAgent();
        agent.others();
        agent.view(Ballot.of(4), Optional.empty());
        agent.takeNoChanges();

        agent.nobodyIsActive();
        agent.pass(20_000);

        assertThat(agent.wanted).as("bids in 20 s").hasSizeBetween(10, 20);
    }

    @Test
    void activeBacksOffWhenLockCannotBeRetaken() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.pass(1_000);
        agent.wanted.clear();

        agent.takeNoChanges();
        agent.view(Ballot.of(4), Optional.empty());
        agent.pass(20_000);

        assertThat(agent.wanted).as("bids in 20 s").hasSizeBetween(10, 20).allMatch("lock 6"::equals);
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void memberWithDuplicateNameStaysOutOfElections() {
        OneAgent agent = new OneAgent();
        agent.takeNoChanges();
        agent.view(Ballot.of(4), Optional.empty());
        agent.others(OneAgent.standby("nn1", 0).toBuilder().instance("other").build());

        agent.nobodyIsActive();
        agent.pass(30_000);
        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(3)));

        assertThat(agent.wanted).singleElement().asString().contains("under the name of this one");
        assertThat(agent.state().published().get().state()).isEqualTo(MemberState.JUNIOR);

        // The other has gone.
        agent.others();
        agent.pass(2_000);
        assertThat(agent.wanted).contains("lock 5");
    }

    @Test
    void rejoinRequestDoesNotDeposeActive() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.pass(1_000);
        agent.wanted.clear();

        agent.hear(AgentEvent.rejoinRequested(AgentRequest.of(4)));
        agent.pass(1_000);

        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().stage()).isEqualTo(AgentStage.SERVING);
    }

    @Test
    void cededMemberBecomesEligibleUponRejoinRequest() {
        OneAgent agent = new OneAgent();
        agent.view(Ballot.of(4), Optional.empty());
        agent.hear(AgentEvent.stepDownRequested(AgentRequest.of(4), 600_000));
        agent.pass(100);
        assertThat(agent.state().published().get().eligible()).isFalse();

        agent.hear(AgentEvent.rejoinRequested(AgentRequest.of(5)));
        agent.pass(100);
        assertThat(agent.state().published().get().eligible()).isTrue();
    }
}
