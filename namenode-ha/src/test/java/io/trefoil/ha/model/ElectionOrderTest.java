/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which orders about elections are taken, and what stands then. */
class ElectionOrderTest {
    private static final List<String> CONFIGURED = List.of("nn1", "nn2", "nn3");
    private static final long NOW = 1_000;

    private final List<MemberRecord> members =
            new ArrayList<>(List.of(member("nn1", MemberState.ACTIVE), member("nn2", MemberState.STANDBY)));
    private StandingOrders standing = StandingOrders.NONE;

    private static MemberRecord member(String name, MemberState state) {
        return MemberRecord.builder()
                .name(name)
                .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                .version("1")
                .state(state)
                .eligible(state != MemberState.ACTIVE)
                .build();
    }

    private ElectionOrder.Outcome apply(ElectionOrder order) {
        View view = View.of(ZkSession.of(1), Ballot.NONE, Optional.empty(), members, standing);
        ElectionOrder.Outcome outcome = order.carryOut(view, CONFIGURED);
        if (outcome.refused()) {
            assertThat(outcome.orders()).isEqualTo(standing);
        }
        standing = outcome.orders();
        return outcome;
    }

    private void assertRefused(ElectionOrder order, String reason) {
        ElectionOrder.Outcome outcome = apply(order);
        assertThat(outcome.text()).contains(reason);
        assertThat(outcome.refused()).isTrue();
    }

    private void assertDone(ElectionOrder order, String operation) {
        ElectionOrder.Outcome outcome = apply(order);
        assertThat(outcome.text()).isEqualTo(operation);
        assertThat(outcome.refused()).isFalse();
    }

    private static ElectionOrder drain(String name) {
        return ElectionOrder.drain(name, "alice", NOW);
    }

    private static ElectionOrder prefer(String name) {
        return ElectionOrder.prefer(name, "alice", NOW, Optional.empty());
    }

    @Test
    void drainLastsUntilUndrained() {
        assertDone(drain("nn1"), "nn1 is drained");
        assertThat(standing.drain("nn1")).contains(StandingOrders.Drain.of("nn1", "alice", NOW));
        assertDone(drain("nn1"), "nn1 is already drained");
        assertThat(standing.revision()).isEqualTo(1);

        assertDone(ElectionOrder.undrain("nn1", "bob", NOW), "nn1 is no longer drained");
        assertThat(standing.isDrained("nn1")).isFalse();
        assertDone(ElectionOrder.undrain("nn1", "bob", NOW), "nn1 is not drained");
        assertThat(standing.revision()).isEqualTo(2);
    }

    @Test
    void downMemberMayBeDrainedWhenConfigured() {
        assertDone(drain("nn3"), "nn3 is drained");
        assertRefused(drain("nn4"), "There is no NameNode nn4 here, but nn1, nn2, nn3");
    }

    @Test
    void removedMemberMayBeUndrained() {
        standing = standing.withDrain(StandingOrders.Drain.of("nn9", "alice", NOW));

        assertDone(ElectionOrder.undrain("nn9", "alice", NOW), "nn9 is no longer drained");
        assertRefused(ElectionOrder.undrain("nn9", "alice", NOW), "There is no NameNode nn9");
    }

    @Test
    void rejectsDrainOfLastCandidate() {
        assertDone(drain("nn2"), "nn2 is drained");
        assertRefused(drain("nn1"), "Without nn1 no NameNode could be active: nn2 is drained");

        members.add(member("nn3", MemberState.JUNIOR).toBuilder()
                .reason("in safe mode")
                .build());
        assertRefused(drain("nn1"), "nn2 is drained, nn3 is junior (in safe mode)");
        members.set(
                2,
                member("nn3", MemberState.STANDBY).toBuilder()
                        .electable(false)
                        .eligible(false)
                        .build());
        assertRefused(drain("nn1"), "nn2 is drained, nn3 is not electable");
        members.set(
                2,
                member("nn3", MemberState.STANDBY).toBuilder().eligible(false).build());
        assertRefused(drain("nn1"), "nn3 is leaving the role to others");
        members.set(2, member("nn3", MemberState.STANDBY));
        assertDone(drain("nn1"), "nn1 is drained");
        members.subList(1, 3).clear();
        standing = StandingOrders.NONE;
        assertRefused(drain("nn1"), "no other NameNode runs");
    }

    @Test
    void drainAloneIsRefusedWhileAnotherIsDrained() {
        members.add(member("nn3", MemberState.STANDBY));

        assertDone(ElectionOrder.drainAlone("nn3", "alice", NOW), "nn3 is drained");
        assertRefused(ElectionOrder.drainAlone("nn2", "bob", NOW), "nn3 is drained, wanted one at a time");
        assertDone(ElectionOrder.drainAlone("nn3", "alice", NOW), "nn3 is already drained");

        assertDone(drain("nn2"), "nn2 is drained");
        assertRefused(ElectionOrder.drainAlone("nn3", "alice", NOW), "nn2 is drained, wanted one at a time");
        assertRefused(ElectionOrder.drainAlone("nn1", "alice", NOW), "nn2, nn3 are drained, wanted one at a time");
    }

    @Test
    void preferenceReplacesPreviousAndExpires() {
        assertDone(prefer("nn2"), "nn2 is preferred in elections until that is cleared");
        assertDone(
                ElectionOrder.prefer("nn1", "alice", NOW, Optional.of(61_000L)),
                "nn1 is preferred in elections until 1970-01-01T00:01:01Z");

        assertThat(standing.isPreferred("nn2", NOW)).isFalse();
        assertThat(standing.isPreferred("nn1", 60_999)).isTrue();
        assertThat(standing.isPreferred("nn1", 61_000)).isFalse();
        assertRefused(ElectionOrder.prefer("nn1", "alice", NOW, Optional.of(NOW)), "expire at once");
    }

    @Test
    void clearingPreferenceNamesFormerMember() {
        assertDone(ElectionOrder.clearPreference("alice", NOW), "No NameNode is preferred");
        assertDone(prefer("nn2"), "nn2 is preferred in elections until that is cleared");
        assertDone(ElectionOrder.clearPreference("alice", NOW), "nn2 is no longer preferred");
        assertThat(standing.preference()).isEmpty();
    }

    @Test
    void rejectsPreferenceForNonElectableDrainedOrUnknownMember() {
        members.add(
                member("nn3", MemberState.STANDBY).toBuilder().electable(false).build());
        assertRefused(prefer("nn3"), "nn3 is not electable");
        assertDone(drain("nn2"), "nn2 is drained");
        assertRefused(prefer("nn2"), "nn2 is drained; end that first");
        assertRefused(prefer("nn9"), "There is no NameNode nn9");
    }
}
