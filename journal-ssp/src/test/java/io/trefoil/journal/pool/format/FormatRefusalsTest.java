/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.format;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One node holds a journal of three voters, which has transactions. */
class FormatRefusalsTest {
    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 1);
    private static final FormatOrder ORDER =
            FormatOrder.of(NAMESPACE, StorageRecord.Version.of(-67, 1000)).withForce();

    private final Map<NodeAddress, PoolReply> statuses = new LinkedHashMap<>();

    FormatRefusalsTest() {
        statuses.put(addressOf(1), holding());
    }

    @Test
    void refusesFormatWhileOtherVotersAreSilent() {
        assertThatThrownBy(this::throwIfAny).hasMessageContaining("start the pool nodes at [h2:1, h3:1]");
    }

    /** Their disks may be mended, and then they have the journal, a majority of them. */
    @Test
    void refusesFormatWhileOtherVotersFail() {
        statuses.put(addressOf(2), FailedReply.of(id(2), "its disk is full"));
        statuses.put(addressOf(3), FailedReply.of(id(3), "its disk is full"));

        assertThatThrownBy(this::throwIfAny).hasMessageContaining("start the pool nodes at [h2:1, h3:1]");
    }

    @Test
    void allowsFormatWhenMajorityStatesWhatItHolds() {
        statuses.put(addressOf(2), NotFormattedReply.of(id(2)));
        statuses.put(addressOf(3), FailedReply.of(id(3), "its disk is full"));

        assertThatCode(this::throwIfAny).doesNotThrowAnyException();
    }

    private void throwIfAny() throws Exception {
        new FormatRefusals(ORDER, List.of(addressOf(1), addressOf(2), addressOf(3)), statuses).throwIfAny();
    }

    private static StatusReply holding() {
        Members three = Members.of(List.of(
                Member.voter(id(1), addressOf(1)),
                Member.voter(id(2), addressOf(2)),
                Member.voter(id(3), addressOf(3))));
        LogSummary end = LogSummary.of(LogPosition.of(Epoch.of(3), 10), three, 100, Optional.empty(), Optional.empty())
                .with(Incarnation.of(1, 8));
        return StatusReply.of(
                id(1),
                NAMESPACE,
                Promise.of(Epoch.of(3), WriterId.of("w"), 500),
                end,
                end,
                1,
                LogCompleteness.COMPLETE,
                0);
    }

    private static NodeId id(int number) {
        return NodeId.of("n" + number);
    }

    private static NodeAddress addressOf(int number) {
        return NodeAddress.of("h" + number, 1);
    }
}
