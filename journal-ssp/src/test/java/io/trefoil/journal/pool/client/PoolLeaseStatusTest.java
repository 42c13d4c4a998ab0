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
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoolLeaseStatusTest {
    private static final Members THREE = Members.of(List.of(
            Member.voter(id(1), addressOf(1)), Member.voter(id(2), addressOf(2)), Member.voter(id(3), addressOf(3))));
    private static final Members ONE = Members.of(List.of(Member.voter(id(1), addressOf(1))));

    private final Map<NodeAddress, PoolReply> replies = new HashMap<>();
    private final Set<NodeAddress> dead = new HashSet<>();
    private final Set<NodeAddress> listening = new HashSet<>();
    private Optional<Epoch> term = Optional.empty();

    @Test
    void termIsFreeWhenMajorityPromisesNoLease() {
        addAnswer(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().leaseFree()).isFalse();

        addAnswer(2, 10, THREE, LogCompleteness.COMPLETE, 300);
        assertThat(survey().leaseFree()).isFalse();

        addAnswer(3, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().leaseFree()).isTrue();
    }

    @Test
    void ignoresRefetchingNode() {
        addAnswer(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        addAnswer(2, 10, THREE, LogCompleteness.REFETCHING, 0);

        assertThat(survey().leaseFree()).isFalse();
    }

    @Test
    void takesMembersFromHighestLog() {
        addAnswer(1, 4, ONE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().leaseFree()).isTrue();

        addAnswer(2, 10, THREE, LogCompleteness.COMPLETE, 300);
        assertThat(survey().leaseFree()).isFalse();
        assertThat(survey().lastTxId()).isEqualTo(100);
    }

    @Test
    void ignoresOlderIncarnationHoweverLongItsLog() {
        addAnswer(1, 10, ONE, LogCompleteness.COMPLETE, 300, Incarnation.of(2, 7));
        addAnswer(2, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));
        addAnswer(3, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));

        assertThat(survey().leaseFree()).isFalse();
        assertThat(survey().lastTxId()).isEqualTo(100);
        assertThat(survey().incarnation()).isEqualTo(Incarnation.of(2, 7));
    }

    @Test
    void excludesRivalsWhenNoMajorityIsPossibleWithoutThisProcess() {
        addAnswer(1, 10, THREE, LogCompleteness.COMPLETE, 300);
        assertThat(survey().rivalTermPossible())
                .as("the others are only silent")
                .isTrue();

        dead.add(addressOf(2));
        assertThat(survey().rivalTermPossible()).isFalse();
    }

    /** All of them promised epoch 3. */
    @Test
    void nodesExcludeRivalsWhenHigherPromiseIsAbsent() {
        addAnswer(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        addAnswer(2, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().rivalTermPossible())
                .as("this process writes nothing")
                .isTrue();

        term = Optional.of(Epoch.of(3));
        assertThat(survey().rivalTermPossible()).isFalse();

        term = Optional.of(Epoch.of(2));
        assertThat(survey().rivalTermPossible()).as("node 2 has promised more").isTrue();

        dead.add(addressOf(3));
        assertThat(survey().rivalTermPossible()).as("node 2 is not a majority").isFalse();
    }

    @Test
    void answersDecidePromptlyWhenUnresponsiveNodesTakeConnections() {
        term = Optional.of(Epoch.of(3));
        addAnswer(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().decisionPending())
                .as("the others cannot be reached")
                .isFalse();

        listening.add(addressOf(2));
        assertThat(survey().rivalTermPossible()).isTrue();
        assertThat(survey().decisionPending()).isTrue();

        term = Optional.empty();
        assertThat(survey().decisionPending()).as("it writes nothing").isFalse();

        term = Optional.of(Epoch.of(2));
        addAnswer(2, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().decisionPending())
                .as("it has answered that it promised more")
                .isFalse();
    }

    @Test
    void assumesNothingWhenMembersAreUnknown() {
        assertThat(survey().leaseFree()).isFalse();
        assertThat(survey().rivalTermPossible()).isTrue();
    }

    @Test
    void ignoresMemberClaimingDifferentId() {
        addAnswer(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        addAnswer(3, 10, THREE, LogCompleteness.COMPLETE, 0);
        replies.put(addressOf(2), replies.remove(addressOf(3)));
        assertThat(survey().leaseFree()).isFalse();

        addAnswer(3, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().leaseFree()).isTrue();
    }

    /** It was initialized while its host was cut off; the others' writer may have ended. */
    @Test
    void ownReplicaIsForeignWhenMajorityHoldsOtherIncarnation() {
        addAnswer(1, 10, ONE, LogCompleteness.COMPLETE, 0, Incarnation.of(2, 8));
        assertThat(survey().ownReplicaForeign()).as("nobody else has answered").isFalse();

        addAnswer(2, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));
        assertThat(survey().ownReplicaForeign()).isTrue();
        assertThat(survey().leaseFree()).as("node 3 may believe in a writer").isFalse();

        addAnswer(3, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));
        assertThat(survey().ownReplicaForeign()).isTrue();
        assertThat(survey().leaseFree()).as("of the journal in force").isTrue();
    }

    @Test
    void ownReplicaBelongsToJournalThatItsFormatReplaced() {
        Members replacing = ONE.withReplacedIncarnations(List.of(Incarnation.of(1, 8)));
        addAnswer(1, 10, replacing, LogCompleteness.COMPLETE, 0, Incarnation.of(2, 8));
        addAnswer(2, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));
        addAnswer(3, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));

        assertThat(survey().ownReplicaForeign()).isFalse();
        assertThat(survey().incarnation()).isEqualTo(Incarnation.of(2, 8));
    }

    /** Neither says whether it holds a journal that has a writer. */
    @Test
    void refusalsLeaveIncarnationUncertain() {
        addAnswer(1, 10, ONE, LogCompleteness.COMPLETE, 0, Incarnation.of(2, 8));
        assertThat(survey().incarnationUncertain()).as("two are silent").isTrue();

        replies.put(addressOf(2), FailedReply.of(id(2), "its disk is full"));
        replies.put(addressOf(3), OtherIncarnationReply.of(id(3), Incarnation.of(1, 8)));
        assertThat(survey().incarnationUncertain()).isTrue();

        replies.put(addressOf(2), NotFormattedReply.of(id(2)));
        assertThat(survey().incarnationUncertain())
                .as("one stranger is no more than hold it")
                .isFalse();
    }

    @Test
    void deadNodesHoldNoOtherIncarnation() {
        addAnswer(1, 10, ONE, LogCompleteness.COMPLETE, 0, Incarnation.of(2, 8));
        dead.add(addressOf(2));
        dead.add(addressOf(3));

        assertThat(survey().incarnationUncertain()).isFalse();
    }

    private PoolLeaseStatus survey() {
        Set<NodeAddress> asked = Set.of(addressOf(1), addressOf(2), addressOf(3));
        return PoolLeaseStatus.of(Optional.of(addressOf(1)), term, asked, replies, dead, listening);
    }

    private void addAnswer(int number, long sn, Members members, LogCompleteness completeness, long leaseHeldMillis) {
        addAnswer(number, sn, members, completeness, leaseHeldMillis, Incarnation.NONE);
    }

    private void addAnswer(
            int number,
            long sn,
            Members members,
            LogCompleteness completeness,
            long leaseHeldMillis,
            Incarnation incarnation) {
        LogSummary end = LogSummary.of(
                        LogPosition.of(Epoch.of(3), sn), members, sn * 10, Optional.empty(), Optional.empty())
                .with(incarnation);
        replies.put(
                addressOf(number),
                StatusReply.of(
                        id(number),
                        NamespaceId.of("CID-1", 1),
                        Promise.of(Epoch.of(3), WriterId.of("w"), 500),
                        end,
                        end,
                        1,
                        completeness,
                        leaseHeldMillis));
    }

    private static NodeId id(int number) {
        return NodeId.of("n" + number);
    }

    private static NodeAddress addressOf(int number) {
        return NodeAddress.of("h" + number, 1);
    }
}
