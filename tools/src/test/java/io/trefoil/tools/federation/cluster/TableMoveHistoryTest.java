/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.table.MovedSubtree;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.checkpoint.text.Move;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TableMoveHistoryTest {
    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");
    private static final Optional<String> CONFIGURED = Optional.empty();

    private final FakeFederation federation = new FakeFederation();
    private final TableMoveHistory history = new TableMoveHistory(federation);

    @Test
    void historyListsLaterMoves() throws IOException {
        SubtreePath logs = SubtreePath.parse("/logs");
        SubtreeTable before = SubtreeTable.first("cluster", "ns1");
        federation.subtrees.append(TableRecord.of(before, "create cluster", "alice", NOW));
        federation.subtrees.append(TableRecord.of(
                tableWithOwner(before, logs), MovedSubtree.changeText(logs, "ns2", "id"), "alice", NOW.plusSeconds(1)));

        assertThat(history.exists(CONFIGURED)).isTrue();
        assertThat(history.movesSince(NOW, CONFIGURED))
                .containsExactly(Move.of("/logs", "ns1", "ns2", NOW.plusSeconds(1)));
        assertThat(history.movesSince(NOW.plusSeconds(1), CONFIGURED)).isEmpty();
    }

    private SubtreeTable tableWithOwner(SubtreeTable before, SubtreePath path) throws TableRefusedException {
        return TableChange.assignOwner(before, path, "ns2")
                .applyTo(before, federation.subtrees.nameservices(), federation.subtrees.tableDirectory());
    }

    @Test
    void historyIsEmptyWhenConfigurationNamesNoTable() {
        TableMoveHistory without = new TableMoveHistory(new FakeFederation() {
            @Override
            public TableStore openTable(Optional<String> directory) {
                throw new IllegalArgumentException("Nothing says where the table is kept");
            }
        });
        assertThat(without.exists(CONFIGURED)).isFalse();
    }
}
