/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.cluster;

import io.trefoil.federation.table.MovedSubtree;
import io.trefoil.federation.table.TableStore;
import io.trefoil.tools.checkpoint.MoveHistory;
import io.trefoil.tools.checkpoint.text.Move;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The moves of subtrees, according to the versions of the table. */
public final class TableMoveHistory implements MoveHistory {

    private final Federation federation;

    public TableMoveHistory(Federation federation) {
        this.federation = federation;
    }

    @Override
    public boolean exists(Optional<String> directory) {
        try (TableStore ignored = federation.openTable(directory)) {
            return true;
        } catch (IllegalArgumentException | IOException e) {
            return false;
        }
    }

    @Override
    public List<Move> movesSince(Instant time, Optional<String> directory) throws IOException {
        try (TableStore table = federation.openTable(directory)) {
            return MovedSubtree.movedSince(time, table.history()).stream()
                    .map(move -> Move.of(move.path().text(), move.from(), move.to(), move.movedAt()))
                    .collect(Collectors.toList());
        }
    }
}
