/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.agent.events.AgentRequest;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.ZkSession;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Who operators would rather have as the active, and who may not be it at all. */
class PreferenceTest {
    @Test
    void higherPriorityBidsImmediatelyDespiteWorseBidNumber() {
        AgentFixture agent = AgentFixture.withPriority(1);
        agent.setOtherMembers(AgentFixture.rival(0));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void lowerPriorityWaitsDespiteBetterBidNumberUntilTimeout() {
        AgentFixture agent = AgentFixture.withPriority(1);
        agent.setOtherMembers(AgentFixture.rival(2).toBuilder().bid(0).build());

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void standbyYieldsToObserverWithHigherPriority() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers(
                AgentFixture.rival(1).toBuilder().role(HaRole.OBSERVER).build());

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void juniorWithHigherPriorityYieldsToStandby() {
        AgentFixture agent = AgentFixture.withPriority(9);
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.setProblem("unhealthy");
        agent.publishNoActive();

        agent.advanceMillis(10 * AgentFixture.TIMEOUT_MILLIS);

        assertThat(agent.wanted).isEmpty();
    }

    private static MemberRecord preparingRival(int priority) {
        return AgentFixture.rival(priority).toBuilder().preparing(true).build();
    }

    @Test
    void preparingMemberYieldsDespiteHigherPriority() {
        AgentFixture agent = AgentFixture.withPriority(9);
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.setPreparing();

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void bidsWithoutYieldingToPreparingRival() {
        AgentFixture agent = AgentFixture.withPriority(0);
        agent.setOtherMembers(preparingRival(9));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void higherPriorityBidsImmediatelyWhenBothArePreparing() {
        AgentFixture agent = AgentFixture.withPriority(9);
        agent.setOtherMembers(preparingRival(0));
        agent.setPreparing();

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void publishesPreparingImmediately() {
        AgentFixture agent = AgentFixture.withPriority(0).followingRival();
        agent.advanceMillis(10_000);

        agent.setPreparing();
        agent.advanceMillis(100);

        assertThat(agent.state().publishedRecord().get().preparing()).isTrue();
    }

    @Test
    void leadRequestWaitsUntilMemberIsPrepared() {
        AgentFixture agent = AgentFixture.withPriority(0).followingRival();
        agent.setPreparing();

        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        agent.advanceMillis(10_000);
        assertThat(agent.wanted).isEmpty();

        agent.setPrepared();
        assertThat(agent.wanted).contains("lock 4");
    }

    /** The operator who gave it waits no longer. */
    @Test
    void leadRequestProceedsWhenPreparingTakesTooLong() {
        AgentFixture agent = AgentFixture.withPriority(0).followingRival();
        agent.setPreparing();

        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        agent.advanceMillis(19_000);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(1_000);
        assertThat(agent.wanted).contains("lock 4");
    }

    @Test
    void pendingLeadRequestIsIgnoredWhenActiveIsLost() {
        AgentFixture agent = AgentFixture.withPriority(9).followingRival();
        agent.setOtherMembers(AgentFixture.rival(0));
        agent.setPreparing();
        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        agent.publishNoActive();
        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.advanceMillis(AgentFixture.TIMEOUT_MILLIS);
        assertThat(agent.wanted).contains("lock 4");
    }

    /** It may have been given up, and another one have been given to another member. */
    @Test
    void pendingLeadRequestFailsWhenAnotherElectionIsHeld() {
        AgentFixture agent = AgentFixture.withPriority(0).followingRival();
        agent.setPreparing();
        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        agent.setView(
                Ballot.of(4),
                Optional.of(LockRecord.ofHolder("nn0", Ballot.of(4), ZkSession.of(8))
                        .withEpoch(AgentFixture.EPOCH)));

        assertThat(agent.wanted).singleElement().asString().contains("Another election was held");
        agent.setPrepared();
        agent.advanceMillis(1_000);
        assertThat(agent.wanted).hasSize(1);
    }

    @Test
    void higherPriorityDoesNotReplaceRunningActive() {
        AgentFixture agent = AgentFixture.withPriority(9);
        agent.followingRival();

        agent.advanceMillis(60_000);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void nonElectableMemberNeverBidsEvenAlone() {
        AgentFixture agent = AgentFixture.notElectable();
        agent.setOtherMembers();

        agent.publishNoActive();
        agent.advanceMillis(120_000);

        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().publishedRecord().get().eligible()).isFalse();
        assertThat(agent.state().publishedRecord().get().state()).isEqualTo(MemberState.STANDBY);
    }

    @Test
    void nonElectableMemberRefusesLeadRequestWithReason() {
        AgentFixture agent = AgentFixture.notElectable();

        agent.handle(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        assertThat(agent.wanted).singleElement().asString().contains("nn1 cannot be active", "trefoil.ha.electable");
    }

    @Test
    void nonElectableMemberBecomesObserverPermanently() {
        AgentFixture agent = AgentFixture.notElectable();
        agent.followingRival();

        agent.advanceMillis(10_000);
        assertThat(agent.wanted).containsExactly("OBSERVER");
        agent.setRole(HaRole.OBSERVER);
        agent.handle(AgentEvent.roleChanged(HaRole.OBSERVER));
        agent.advanceMillis(10_000);
        agent.publishNoActive();
        agent.advanceMillis(60_000);

        assertThat(agent.wanted).containsExactly("OBSERVER");
    }

    @Test
    void activeDoesNotHandOverToNonElectableStandby() {
        AgentFixture agent = AgentFixture.serving(Ballot.of(5));
        agent.setOtherMembers(AgentFixture.rival(0).toBuilder()
                .eligible(false)
                .electable(false)
                .build());
        agent.advanceMillis(5_000);
        agent.wanted.clear();

        agent.setProblem("unhealthy");
        agent.advanceMillis(120_000);

        assertThat(agent.wanted).isEmpty();
    }
}
