/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.journal.model.Epoch;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForwardingTest {
    private static final LockRecord SERVING =
            LockRecord.ofHolder("nn1", Ballot.of(4), ZkSession.of(1)).withEpoch(Epoch.of(4));
    private static final MemberRecord ACTIVE = record("nn1", MemberState.ACTIVE);

    private final AgentState standby =
            AgentState.begin(
                            AgentSettings.builder()
                                    .name("nn2")
                                    .addresses(addresses("nn2"))
                                    .build(),
                            0)
                    .toBuilder()
                    .connected(true)
                    .view(view(SERVING, ACTIVE))
                    .publishedRecord(Optional.of(record("nn2", MemberState.STANDBY)))
                    .build();

    @Test
    void standbyForwardsToLockHolderWithEpoch() {
        assertThat(ForwardTarget.active(standby)).contains(ACTIVE);
    }

    @Test
    void standbyForwardsPerLastViewWhenZooKeeperIsLost() {
        assertThat(ForwardTarget.active(standby.toBuilder().connected(false).build()))
                .contains(ACTIVE);
    }

    @Test
    void standbyForwardsNothingWhenActiveIsMissingOrTakingOver() {
        assertThat(ForwardTarget.active(
                        withView(view(LockRecord.ofHolder("nn1", Ballot.of(5), ZkSession.of(1)), ACTIVE))))
                .isEmpty();
        assertThat(ForwardTarget.active(withView(view(SERVING)))).isEmpty();
        assertThat(ForwardTarget.active(withView(View.NOTHING))).isEmpty();
    }

    @Test
    void memberDoesNotForwardToItself() {
        LockRecord own =
                LockRecord.ofHolder("nn2", Ballot.of(4), ZkSession.of(2)).withEpoch(Epoch.of(4));
        assertThat(ForwardTarget.active(withView(view(own, record("nn2", MemberState.STANDBY)))))
                .isEmpty();
    }

    @Test
    void juniorDoesNotForward() {
        assertThat(ForwardTarget.active(standby.toBuilder()
                        .publishedRecord(Optional.of(record("nn2", MemberState.JUNIOR)))
                        .build()))
                .isEmpty();
    }

    @Test
    void forwardsOnlyWhileFollowing() {
        for (AgentStage stage : AgentStage.values()) {
            assertThat(ForwardTarget.active(standby.toBuilder().stage(stage).build())
                            .isPresent())
                    .as("%s", stage)
                    .isEqualTo(stage == AgentStage.FOLLOWING);
        }
    }

    @Test
    void standbyAndActiveExpectNextActive() {
        AgentState nobody = withView(View.NOTHING);
        assertThat(ForwardTarget.isTargetExpected(nobody)).isTrue();
        assertThat(ForwardTarget.isTargetExpected(
                        nobody.toBuilder().connected(false).build()))
                .as("it would not hear of an election")
                .isFalse();
        assertThat(ForwardTarget.isTargetExpected(publishedAs(nobody, MemberState.ACTIVE)))
                .as("it steps down")
                .isTrue();
        assertThat(ForwardTarget.isTargetExpected(publishedAs(nobody, MemberState.JUNIOR)))
                .isFalse();
        for (AgentStage stage : AgentStage.values()) {
            assertThat(ForwardTarget.isTargetExpected(
                            nobody.toBuilder().stage(stage).build()))
                    .as("%s", stage)
                    .isEqualTo(stage != AgentStage.HALTED && stage != AgentStage.CHANGING);
        }
    }

    private static AgentState publishedAs(AgentState of, MemberState state) {
        return of.toBuilder().publishedRecord(Optional.of(record("nn2", state))).build();
    }

    private AgentState withView(View view) {
        return standby.toBuilder().view(view).build();
    }

    private static View view(LockRecord lock, MemberRecord... members) {
        return View.of(ZkSession.of(2), lock.ballot(), Optional.of(lock), List.of(members));
    }

    private static MemberAddresses addresses(String name) {
        return MemberAddresses.of(name + ":1", name + ":2", name + ":3");
    }

    private static MemberRecord record(String name, MemberState state) {
        return MemberRecord.builder()
                .name(name)
                .addresses(addresses(name))
                .version("1")
                .state(state)
                .build();
    }
}
