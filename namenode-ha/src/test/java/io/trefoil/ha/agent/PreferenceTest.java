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
        OneAgent agent = OneAgent.withPriority(1);
        agent.others(OneAgent.rival(0));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void lowerPriorityWaitsDespiteBetterBidNumberUntilPatienceExpires() {
        OneAgent agent = OneAgent.withPriority(1);
        agent.others(OneAgent.rival(2).toBuilder().bid(0).build());

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.pass(OneAgent.PATIENCE_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void standbyYieldsToObserverWithHigherPriority() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others(OneAgent.rival(1).toBuilder().role(HaRole.OBSERVER).build());

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void juniorWithHigherPriorityYieldsToStandby() {
        OneAgent agent = OneAgent.withPriority(9);
        agent.others(OneAgent.rival(0));
        agent.trouble("unhealthy");
        agent.nobodyIsActive();

        agent.pass(10 * OneAgent.PATIENCE_MILLIS);

        assertThat(agent.wanted).isEmpty();
    }

    private static MemberRecord preparingRival(int priority) {
        return OneAgent.rival(priority).toBuilder().preparing(true).build();
    }

    @Test
    void preparingMemberYieldsDespiteHigherPriority() {
        OneAgent agent = OneAgent.withPriority(9);
        agent.others(OneAgent.rival(0));
        agent.preparing();

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.pass(OneAgent.PATIENCE_MILLIS);
        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void bidsWithoutYieldingToPreparingRival() {
        OneAgent agent = OneAgent.withPriority(0);
        agent.others(preparingRival(9));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void higherPriorityBidsImmediatelyWhenBothArePreparing() {
        OneAgent agent = OneAgent.withPriority(9);
        agent.others(preparingRival(0));
        agent.preparing();

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);

        assertThat(agent.wanted).contains("lock 1");
    }

    @Test
    void publishesPreparingImmediately() {
        OneAgent agent = OneAgent.withPriority(0).followingRival();
        agent.pass(10_000);

        agent.preparing();
        agent.pass(100);

        assertThat(agent.state().published().get().preparing()).isTrue();
    }

    @Test
    void leadRequestWaitsUntilMemberIsPrepared() {
        OneAgent agent = OneAgent.withPriority(0).followingRival();
        agent.preparing();

        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        agent.pass(10_000);
        assertThat(agent.wanted).isEmpty();

        agent.prepared();
        assertThat(agent.wanted).contains("lock 4");
    }

    /** Whoever gave it waits no longer. */
    @Test
    void leadRequestProceedsWhenPreparingTakesTooLong() {
        OneAgent agent = OneAgent.withPriority(0).followingRival();
        agent.preparing();

        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));
        agent.pass(19_000);
        assertThat(agent.wanted).isEmpty();

        agent.pass(1_000);
        assertThat(agent.wanted).contains("lock 4");
    }

    @Test
    void pendingLeadRequestGivesNoPrecedenceWhenActiveIsLost() {
        OneAgent agent = OneAgent.withPriority(9).followingRival();
        agent.others(OneAgent.rival(0));
        agent.preparing();
        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        agent.nobodyIsActive();
        agent.pass(OneAgent.PATIENCE_MILLIS / 2);
        assertThat(agent.wanted).isEmpty();

        agent.pass(OneAgent.PATIENCE_MILLIS);
        assertThat(agent.wanted).contains("lock 4");
    }

    /** It may have been given up, and another one have been given to another member. */
    @Test
    void pendingLeadRequestFailsWhenAnotherElectionIsHeld() {
        OneAgent agent = OneAgent.withPriority(0).followingRival();
        agent.preparing();
        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        agent.view(
                Ballot.of(4),
                Optional.of(
                        LockRecord.taken("nn0", Ballot.of(4), ZkSession.of(8)).in(OneAgent.EPOCH)));

        assertThat(agent.wanted).singleElement().asString().contains("Another election was held");
        agent.prepared();
        agent.pass(1_000);
        assertThat(agent.wanted).hasSize(1);
    }

    @Test
    void higherPriorityDoesNotReplaceRunningActive() {
        OneAgent agent = OneAgent.withPriority(9);
        agent.followingRival();

        agent.pass(60_000);

        assertThat(agent.wanted).isEmpty();
    }

    @Test
    void nonElectableMemberNeverBidsEvenAlone() {
        OneAgent agent = OneAgent.notElectable();
        agent.others();

        agent.nobodyIsActive();
        agent.pass(120_000);

        assertThat(agent.wanted).isEmpty();
        assertThat(agent.state().published().get().eligible()).isFalse();
        assertThat(agent.state().published().get().state()).isEqualTo(MemberState.STANDBY);
    }

    @Test
    void nonElectableMemberRefusesLeadRequestWithReason() {
        OneAgent agent = OneAgent.notElectable();

        agent.hear(AgentEvent.takeoverRequested(AgentRequest.of(1)));

        assertThat(agent.wanted).singleElement().asString().contains("nn1 cannot be active", "trefoil.ha.electable");
    }

    @Test
    void nonElectableMemberBecomesObserverPermanently() {
        OneAgent agent = OneAgent.notElectable();
        agent.followingRival();

        agent.pass(10_000);
        assertThat(agent.wanted).containsExactly("OBSERVER");
        agent.role(HaRole.OBSERVER);
        agent.hear(AgentEvent.roleChanged(HaRole.OBSERVER));
        agent.pass(10_000);
        agent.nobodyIsActive();
        agent.pass(60_000);

        assertThat(agent.wanted).containsExactly("OBSERVER");
    }

    @Test
    void activeDoesNotHandOverToNonElectableStandby() {
        OneAgent agent = OneAgent.serving(Ballot.of(5));
        agent.others(
                OneAgent.rival(0).toBuilder().eligible(false).electable(false).build());
        agent.pass(5_000);
        agent.wanted.clear();

        agent.trouble("unhealthy");
        agent.pass(120_000);

        assertThat(agent.wanted).isEmpty();
    }
}
