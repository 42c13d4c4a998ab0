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
    private static final Members THREE =
            Members.of(List.of(Member.voter(id(1), at(1)), Member.voter(id(2), at(2)), Member.voter(id(3), at(3))));
    private static final Members ONE = Members.of(List.of(Member.voter(id(1), at(1))));

    private final Map<NodeAddress, PoolReply> replies = new HashMap<>();
    private final Set<NodeAddress> dead = new HashSet<>();
    private final Set<NodeAddress> listening = new HashSet<>();
    private Optional<Epoch> term = Optional.empty();

    @Test
    void termIsFreeWhenMajorityPromisesNoLease() {
        answers(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().free()).isFalse();

        answers(2, 10, THREE, LogCompleteness.COMPLETE, 300);
        assertThat(survey().free()).isFalse();

        answers(3, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().free()).isTrue();
    }

    @Test
    void ignoresRefetchingNode() {
        answers(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        answers(2, 10, THREE, LogCompleteness.REFETCHING, 0);

        assertThat(survey().free()).isFalse();
    }

    @Test
    void takesMembersFromHighestLog() {
        answers(1, 4, ONE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().free()).isTrue();

        answers(2, 10, THREE, LogCompleteness.COMPLETE, 300);
        assertThat(survey().free()).isFalse();
        assertThat(survey().lastTxId()).isEqualTo(100);
    }

    @Test
    void ignoresOlderIncarnationHoweverLongItsLog() {
        answers(1, 10, ONE, LogCompleteness.COMPLETE, 300, Incarnation.of(2, 7));
        answers(2, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));
        answers(3, 900, THREE, LogCompleteness.COMPLETE, 0, Incarnation.of(1, 8));

        assertThat(survey().free()).isFalse();
        assertThat(survey().lastTxId()).isEqualTo(100);
        assertThat(survey().incarnation()).isEqualTo(Incarnation.of(2, 7));
    }

    @Test
    void excludesRivalsWhenNoMajorityIsPossibleWithoutThisProcess() {
        answers(1, 10, THREE, LogCompleteness.COMPLETE, 300);
        assertThat(survey().rivalsPossible()).as("the others are only silent").isTrue();

        dead.add(at(2));
        assertThat(survey().rivalsPossible()).isFalse();
    }

    /** All of them promised epoch 3. */
    @Test
    void nodesExcludeRivalsWhenNoneHasHigherPromise() {
        answers(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        answers(2, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().rivalsPossible()).as("this process writes nothing").isTrue();

        term = Optional.of(Epoch.of(3));
        assertThat(survey().rivalsPossible()).isFalse();

        term = Optional.of(Epoch.of(2));
        assertThat(survey().rivalsPossible()).as("node 2 has promised more").isTrue();

        dead.add(at(3));
        assertThat(survey().rivalsPossible()).as("node 2 is not a majority").isFalse();
    }

    @Test
    void answersDecidePromptlyWhenUnresponsiveNodesTakeConnections() {
        term = Optional.of(Epoch.of(3));
        answers(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().decidedSoon()).as("the others cannot be reached").isFalse();

        listening.add(at(2));
        assertThat(survey().rivalsPossible()).isTrue();
        assertThat(survey().decidedSoon()).isTrue();

        term = Optional.empty();
        assertThat(survey().decidedSoon()).as("it writes nothing").isFalse();

        term = Optional.of(Epoch.of(2));
        answers(2, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().decidedSoon())
                .as("it has answered that it promised more")
                .isFalse();
    }

    @Test
    void assumesNothingWhenMembersAreUnknown() {
        assertThat(survey().free()).isFalse();
        assertThat(survey().rivalsPossible()).isTrue();
    }

    @Test
    void ignoresMemberClaimingDifferentId() {
        answers(1, 10, THREE, LogCompleteness.COMPLETE, 0);
        answers(3, 10, THREE, LogCompleteness.COMPLETE, 0);
        replies.put(at(2), replies.remove(at(3)));
        assertThat(survey().free()).isFalse();

        answers(3, 10, THREE, LogCompleteness.COMPLETE, 0);
        assertThat(survey().free()).isTrue();
    }

    private PoolLeaseStatus survey() {
        return PoolLeaseStatus.of(Optional.of(at(1)), term, replies, dead, listening);
    }

    private void answers(int number, long sn, Members members, LogCompleteness completeness, long leaseHeldMillis) {
        answers(number, sn, members, completeness, leaseHeldMillis, Incarnation.NONE);
    }

    private void answers(
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
                at(number),
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

    private static NodeAddress at(int number) {
        return NodeAddress.of("h" + number, 1);
    }
}
