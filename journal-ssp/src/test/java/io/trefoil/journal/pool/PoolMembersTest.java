/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which incarnation a process goes by that meets one formatted alone, and one of a majority with data (rule R11). */
class PoolMembersTest {
    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeAddress B = NodeAddress.of("b", 1);
    private static final NodeAddress C = NodeAddress.of("c", 1);
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 1);
    private static final JournalId JOURNAL = JournalId.of("ns1");

    private final LogSummary inForce = log(Incarnation.ofFormat(1, 1), 100, A, B, C);
    private final LogSummary lone = log(Incarnation.ofFormat(2, 2), 5, C);
    private final PoolMembers members = new PoolMembers(
            PoolSettings.builder().journal(JOURNAL).addresses(List.of(A, B, C)).build(),
            new LocalNode(Optional.empty(), JOURNAL, Duration.ofSeconds(1)),
            Optional::empty);

    private static LogSummary log(Incarnation incarnation, long lastTxId, NodeAddress... voters) {
        Members list = Members.NONE;
        for (NodeAddress voter : voters) {
            list = list.with(Member.voter(id(incarnation, voter), voter));
        }
        return LogSummary.of(LogPosition.of(Epoch.of(3), lastTxId), list, lastTxId, Optional.of(1L), Optional.empty())
                .with(incarnation);
    }

    private static NodeId id(Incarnation incarnation, NodeAddress node) {
        return NodeId.of(node.host() + "-" + incarnation.number());
    }

    private static PoolReply status(NodeAddress node, LogSummary end) {
        return StatusReply.of(
                id(end.incarnation(), node), NAMESPACE, Promise.NONE, end, end, 1, LogCompleteness.COMPLETE, 0);
    }

    @Test
    void forgetsLoneJournalWhenMajorityAnswersWithoutItsNode() {
        members.learn(Map.of(C, status(C, lone)));
        assertThat(members.newestLog()).isEqualTo(lone);

        members.learn(Map.of(A, status(A, inForce), B, status(B, inForce)));

        assertThat(members.newestLog()).isEqualTo(inForce);
    }

    @Test
    void majorityJournalStaysWhenNodeShowsOlderIncarnation() {
        LogSummary newer = log(Incarnation.ofFormat(2, 2), 5, A, B);
        members.learn(Map.of(A, status(A, newer), B, status(B, newer)));

        members.learn(Map.of(C, status(C, inForce)));

        assertThat(members.newestLog()).isEqualTo(newer);
    }
}
