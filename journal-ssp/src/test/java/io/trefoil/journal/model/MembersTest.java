/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class MembersTest {

    private static final NodeAddress HOST = NodeAddress.of("h", 1);
    private static final NodeId OLD = NodeId.of("old");
    private static final NodeId NEW = NodeId.of("new");

    @Test
    void payloadRemembersRetiredMembers() {
        Members members = Members.NONE
                .with(Member.voter(OLD, HOST))
                .without(OLD, RetiredStorage.Cause.REPLACED)
                .with(Member.learner(NEW, HOST));

        assertThat(members.toPayload().utf8()).isEqualTo("new h:1 LEARNER\nold h:1 REPLACED\n");
        assertThat(Members.fromPayload(members.toPayload())).isEqualTo(members);
        assertThat(members.isRetired(OLD)).isTrue();
        assertThat(members.isRemovedByOperator(HOST)).isFalse();
    }

    @Test
    void permanentLearnerRoundTripsWithoutCountingForMajority() {
        Members members =
                Members.NONE.with(Member.voter(OLD, HOST)).with(Member.permanentLearner(NEW, NodeAddress.of("h", 2)));

        assertThat(members.toPayload().utf8()).isEqualTo("old h:1 VOTER\nnew h:2 PERMANENT_LEARNER\n");
        assertThat(Members.fromPayload(members.toPayload())).isEqualTo(members);
        assertThat(members.majority()).isEqualTo(1);
        assertThat(members.isVoter(NEW)).isFalse();
    }

    @Test
    void lostRangesOfPromotionsSurviveMembershipChanges() {
        VoidRange first = VoidRange.of(100, Long.MAX_VALUE, 0, 5_000);
        VoidRange second = VoidRange.of(200, Long.MAX_VALUE, 0, 9_000);
        Members members = Members.NONE
                .withLostRanges(List.of(first))
                .with(Member.voter(OLD, HOST))
                .withLostRanges(List.of(second))
                .without(OLD, RetiredStorage.Cause.REMOVED)
                .withReadmittedAddress(HOST)
                .with(Member.voter(NEW, HOST));

        assertThat(members.lostRanges()).containsExactly(first, second);
        assertThat(members.toPayload().utf8().lines())
                .containsExactly(
                        "new h:1 VOTER",
                        "old h:1 REPLACED",
                        "LOST 100 9223372036854775807 0 5000",
                        "LOST 200 9223372036854775807 0 9000");
        assertThat(Members.fromPayload(members.toPayload())).isEqualTo(members);
    }

    @Test
    void retiredMemberNeverReturns() {
        Members members = Members.NONE.with(Member.voter(OLD, HOST)).without(OLD, RetiredStorage.Cause.REMOVED);

        assertThatIllegalArgumentException().isThrownBy(() -> members.with(Member.learner(OLD, HOST)));
        assertThat(members.isRemovedByOperator(HOST)).isTrue();
        assertThat(members.withReadmittedAddress(HOST).isRemovedByOperator(HOST))
                .isFalse();
        assertThat(members.withReadmittedAddress(HOST).isRetired(OLD)).isTrue();
    }

    @Test
    void forgetsOldestRemovedMemberWhenFull() {
        Members members = Members.NONE;
        for (int i = 0; i <= Members.MAX_RETIRED; i++) {
            NodeAddress address = NodeAddress.of("host" + i, 1);
            members = members.with(Member.voter(NodeId.of("n" + i), address))
                    .without(NodeId.of("n" + i), RetiredStorage.Cause.REMOVED);
        }

        assertThat(members.retiredStorages()).hasSize(Members.MAX_RETIRED);
        assertThat(members.isRetired(NodeId.of("n0"))).isFalse();
        assertThat(members.isRetired(NodeId.of("n1"))).isTrue();
    }

    @Test
    void rejectsMoreMembersThanLimit() {
        Members members = Members.NONE;
        for (int i = 0; i < Members.MAX_COUNT; i++) {
            assertThat(members.canAddMember()).isTrue();
            members = members.with(Member.voter(NodeId.of("n" + i), NodeAddress.of("host" + i, 1)));
        }

        Members full = members;
        assertThat(full.canAddMember()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> full.with(Member.learner(OLD, HOST)))
                .withMessageContaining("at most 64 members");
    }

    @Test
    void rejectsOverlongIdAndAddress() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NodeId.of("n".repeat(513)))
                .withMessageContaining("513 bytes, the limit is 512");
        assertThatIllegalArgumentException().isThrownBy(() -> NodeAddress.of("ä".repeat(257), 1));
    }

    @Test
    void forgetsOldestReplacedMembersButKeepsRemovedOnes() {
        Members members = Members.NONE.with(Member.voter(OLD, HOST)).without(OLD, RetiredStorage.Cause.REMOVED);
        for (int i = 0; i < 2 * Members.MAX_RETIRED; i++) {
            NodeId id = NodeId.of("n" + i);
            members = members.with(Member.voter(id, HOST)).without(id, RetiredStorage.Cause.REPLACED);
        }

        assertThat(members.retiredStorages()).hasSize(Members.MAX_RETIRED);
        assertThat(members.isRetired(OLD)).isTrue();
        assertThat(members.isRetired(NodeId.of("n1"))).isFalse();
        assertThat(members.isRetired(NodeId.of("n" + (2 * Members.MAX_RETIRED - 1))))
                .isTrue();
    }

    @Test
    void payloadKeepsReplacedIncarnations() {
        Members members = Members.NONE
                .with(Member.voter(NodeId.of("n1"), NodeAddress.of("a", 1)))
                .withReplacedIncarnations(List.of(Incarnation.ofFormat(7, 2), Incarnation.ofFormat(3, 8)));

        assertThat(members.toPayload().utf8()).endsWith("REPLACED 3-0000000000000008\nREPLACED 7-0000000000000002\n");
        assertThat(Members.fromPayload(members.toPayload())).isEqualTo(members);
    }
}
