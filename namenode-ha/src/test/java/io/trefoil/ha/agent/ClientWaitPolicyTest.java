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
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClientWaitPolicyTest {
    private static final MemberAddresses ADDRESSES = MemberAddresses.of("h:1", "h:2", "h:3");
    private static final LockRecord DEAD_ONES =
            LockRecord.ofHolder("nn1", Ballot.of(4), ZkSession.of(1)).withEpoch(Epoch.of(4));
    private static final LockRecord RIVALS = LockRecord.ofHolder("nn3", Ballot.of(5), ZkSession.of(3));

    private final AgentState standby =
            AgentState.begin(
                            AgentSettings.builder()
                                    .name("nn2")
                                    .addresses(ADDRESSES)
                                    .build(),
                            0)
                    .toBuilder()
                    .connected(true)
                    .view(view(DEAD_ONES))
                    .publishedRecord(Optional.of(record(MemberState.STANDBY, true)))
                    .build();

    /** For a member whose pool node expects no other writer before that time. */
    private static Optional<Duration> expectedDelay(AgentState state, Duration writerMayEnd) {
        return ClientWaitPolicy.timeUntilMayBecomeActive(state, () -> Optional.of(writerMayEnd));
    }

    @Test
    void standbyMayBecomeActiveImmediatelyWhenPoolHasNoWriter() {
        assertThat(expectedDelay(standby, Duration.ZERO)).contains(Duration.ZERO);
        assertThat(ClientWaitPolicy.timeUntilMayBecomeActive(standby, Optional::empty))
                .as("its pool node does not know")
                .isEmpty();
    }

    @Test
    void standbyMayBecomeActiveOnceWriterLeaseExpires() {
        assertThat(expectedDelay(standby, Duration.ofMillis(300))).contains(Duration.ofMillis(300));
    }

    @Test
    void clientDoesNotWaitAtIneligibleMember() {
        assertThat(expectedDelay(standby.toBuilder().connected(false).build(), Duration.ZERO))
                .isEmpty();
        assertThat(expectedDelay(memberIn(MemberState.JUNIOR, false), Duration.ZERO))
                .isEmpty();
        assertThat(expectedDelay(memberIn(MemberState.STANDBY, false), Duration.ZERO))
                .isEmpty();
    }

    @Test
    void clientDoesNotWaitAtSlowerCandidate() {
        assertThat(expectedDelay(standby.toBuilder().view(view(RIVALS)).build(), Duration.ZERO))
                .isEmpty();
    }

    @Test
    void takingOverMemberExpectsActiveRoleUntilActivatedOrWithdrawn() {
        EnumSet<AgentStage> soon =
                EnumSet.of(AgentStage.BIDDING, AgentStage.ELECTED, AgentStage.ACQUIRING_EPOCH, AgentStage.ACTIVATING);
        for (AgentStage stage : EnumSet.complementOf(EnumSet.of(AgentStage.FOLLOWING))) {
            assertThat(expectedDelay(standby.toBuilder().stage(stage).build(), Duration.ofMillis(300)))
                    .as("%s", stage)
                    .isEqualTo(soon.contains(stage) ? Optional.of(Duration.ZERO) : Optional.empty());
        }
    }

    private AgentState memberIn(MemberState state, boolean eligible) {
        return standby.toBuilder()
                .publishedRecord(Optional.of(record(state, eligible)))
                .build();
    }

    private static MemberRecord record(MemberState state, boolean eligible) {
        return MemberRecord.builder()
                .name("nn2")
                .addresses(ADDRESSES)
                .version("1")
                .state(state)
                .eligible(eligible)
                .build();
    }

    private static View view(LockRecord lock) {
        return View.of(ZkSession.of(2), lock.ballot(), Optional.of(lock), Collections.emptyList());
    }
}
