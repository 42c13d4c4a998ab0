/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadQuorumTest {

    private static final Members ONE = voters(1);
    private static final Members TWO = voters(2);
    private static final Members THREE = voters(3);

    private final Map<NodeAddress, PoolReply> statuses = new LinkedHashMap<>();
    private final Map<NodeAddress, PoolReply> segments = new LinkedHashMap<>();

    @Test
    void selectsMostAdvancedNodeOfMajority() {
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(8, THREE), LogCompleteness.COMPLETE);
        addAnswer(2, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);

        assertThat(quorum().hasMajority()).isTrue();
        assertThat(quorum().mostAdvanced()).contains(address(2));
    }

    @Test
    void rejectsOneOfThreeAndNamesMissingNodes() {
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        segments.put(address(2), FailedReply.of(id(2), "disk"));

        assertThat(quorum().hasMajority()).isFalse();
        assertThat(quorum()).asString().startsWith("2 of its voters answer, now there are 1 of ");
    }

    /** It has the entry that made the second one a voter, and does not know yet that it is committed. */
    @Test
    void rejectsLoneNodeThatMissedGroupGrowth() {
        addAnswer(1, logEndingAt(5, TWO), logEndingAt(4, ONE), LogCompleteness.COMPLETE);

        assertThat(quorum().hasMajority()).isFalse();
    }

    @Test
    void ignoresRefetchingNode() {
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        addAnswer(2, logEndingAt(4, THREE), logEndingAt(4, THREE), LogCompleteness.REFETCHING);

        assertThat(quorum().hasMajority()).isFalse();
    }

    @Test
    void ignoresNodeShowingLessThanReportedBefore() {
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        addAnswer(2, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        segments.put(address(2), SegmentsReply.of(id(2), new ArrayList<>(), 9, 0));

        assertThat(quorum().hasMajority()).isFalse();
    }

    @Test
    void selectsNoNodeWhenMembersAreUnknown() {
        segments.put(address(1), SegmentsReply.of(id(1), new ArrayList<>(), 9, 0));

        assertThat(quorum().hasMajority()).isFalse();
        assertThat(quorum().mostAdvanced()).isEmpty();
    }

    @Test
    void ignoresNodeOfOlderIncarnation() {
        Incarnation newer = Incarnation.of(2, 7);
        addAnswer(1, logEndingAt(10, THREE).with(newer), logEndingAt(10, THREE).with(newer), LogCompleteness.COMPLETE);
        addAnswer(3, logEndingAt(900, THREE), logEndingAt(900, THREE), LogCompleteness.COMPLETE);

        assertThat(quorum().hasMajority()).isFalse();
        assertThat(quorum().mostAdvanced()).contains(address(1));
        assertThat(quorum().incarnation()).isEqualTo(newer);

        addAnswer(2, logEndingAt(9, THREE).with(newer), logEndingAt(9, THREE).with(newer), LogCompleteness.COMPLETE);
        assertThat(quorum().hasMajority()).isTrue();
    }

    @Test
    void ignoresMemberClaimingDifferentId() {
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        addAnswer(2, id(3), logEndingAt(90, THREE), logEndingAt(90, THREE), LogCompleteness.COMPLETE);

        assertThat(quorum().hasMajority()).isFalse();
        assertThat(quorum().mostAdvanced()).contains(address(1));
    }

    @Test
    void countsStorageAtTwoAddressesAsOneVoter() {
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        addAnswer(9, id(1), logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);

        assertThat(quorum().hasMajority()).isFalse();
    }

    @Test
    void ignoresNodeChangingIdBetweenAnswers() {
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        addAnswer(2, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        segments.put(address(9), SegmentsReply.of(id(2), new ArrayList<>(), 90, 0));

        assertThat(quorum().mostAdvanced()).contains(address(1));
    }

    @Test
    void majorityIsPossibleOnceEnoughVotersReportedStatus() {
        assertThat(ReadQuorum.isPossible(statuses)).isFalse();
        addAnswer(1, logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        assertThat(ReadQuorum.isPossible(statuses)).isFalse();
        addAnswer(9, id(1), logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        assertThat(ReadQuorum.isPossible(statuses)).isFalse();
        addAnswer(2, logEndingAt(4, THREE), logEndingAt(4, THREE), LogCompleteness.REFETCHING);
        assertThat(ReadQuorum.isPossible(statuses)).isFalse();
        addAnswer(2, id(3), logEndingAt(10, THREE), logEndingAt(10, THREE), LogCompleteness.COMPLETE);
        assertThat(ReadQuorum.isPossible(statuses)).isFalse();
        addAnswer(2, logEndingAt(9, THREE), logEndingAt(9, THREE), LogCompleteness.COMPLETE);
        assertThat(ReadQuorum.isPossible(statuses)).isTrue();
        // The log of the third is higher, and names the members of a later time.
        addAnswer(3, logEndingAt(11, voters(5)), logEndingAt(11, voters(5)), LogCompleteness.COMPLETE);
        assertThat(ReadQuorum.isPossible(statuses)).isTrue();
        addAnswer(3, logEndingAt(11, voters(7)), logEndingAt(11, voters(7)), LogCompleteness.COMPLETE);
        assertThat(ReadQuorum.isPossible(statuses)).isFalse();
    }

    private ReadQuorum quorum() {
        ReadQuorum quorum = ReadQuorum.of(statuses, segments);
        assertThat(ReadQuorum.isPossible(statuses) || !quorum.hasMajority())
                .as("what is a majority was possible")
                .isTrue();
        return quorum;
    }

    private void addAnswer(int number, LogSummary end, LogSummary committed, LogCompleteness completeness) {
        addAnswer(number, id(number), end, committed, completeness);
    }

    private void addAnswer(int index, NodeId node, LogSummary end, LogSummary committed, LogCompleteness completeness) {
        statuses.put(
                address(index),
                StatusReply.of(node, NamespaceId.of("CID-1", 1), Promise.NONE, end, committed, 1, completeness, 0));
        segments.put(
                address(index),
                SegmentsReply.of(node, new ArrayList<>(), committed.position().sn(), 0));
    }

    private static LogSummary logEndingAt(long sn, Members members) {
        return LogSummary.of(LogPosition.of(Epoch.of(2), sn), members, 0, Optional.<Long>empty(), Optional.empty());
    }

    private static Members voters(int count) {
        Members members = Members.NONE;
        for (int i = 1; i <= count; i++) {
            members = members.with(Member.voter(id(i), address(i)));
        }
        return members;
    }

    private static NodeId id(int number) {
        return NodeId.of("storage-" + number);
    }

    private static NodeAddress address(int number) {
        return NodeAddress.of("node" + number, 8485);
    }
}
