/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MovedSubtreeTest {

    private static final Instant FIRST = Instant.parse("2026-11-26T08:00:00Z");
    private static final SubtreePath LOGS = SubtreePath.parse("/logs");
    private static final SubtreePath SALES = SubtreePath.parse("/sales");

    private final List<TableRecord> history = new ArrayList<>();

    private void appendVersion(SubtreePath path, String owner, String change) throws TableRefusedException {
        SubtreeTable newest = history.get(history.size() - 1).table();
        SubtreeTable next = TableChange.assignOwner(newest, path, owner)
                .applyTo(newest, Set.of("ns1", "ns2"), SubtreePath.parse("/.trefoil/subtrees"));
        history.add(TableRecord.of(next, change, "alice", FIRST.plusSeconds(history.size())));
    }

    @Test
    void listsOnlyMovesAfterGivenTime() throws TableRefusedException {
        history.add(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create cluster", "alice", FIRST));
        appendVersion(LOGS, "ns2", MovedSubtree.changeText(LOGS, "ns2", "one"));
        appendVersion(SALES, "ns2", "add /sales ns2");
        appendVersion(LOGS, "ns1", MovedSubtree.changeText(LOGS, "ns1", "two"));

        assertThat(MovedSubtree.movedSince(FIRST, history))
                .extracting(one -> one.path() + " " + one.from() + " " + one.to() + " " + one.movedAt())
                .containsExactly("/logs ns1 ns2 2026-11-26T08:00:01Z", "/logs ns2 ns1 2026-11-26T08:00:03Z");
        assertThat(MovedSubtree.movedSince(FIRST.plusSeconds(1), history)).hasSize(1);
        assertThat(MovedSubtree.movedSince(FIRST.plusSeconds(3), history)).isEmpty();
    }
}
