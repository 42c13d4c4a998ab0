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

/** The moves of subtrees, as the versions of the table have them. */
public final class TableMoveHistory implements MoveHistory {

    private final Federation federation;

    public TableMoveHistory(Federation federation) {
        this.federation = federation;
    }

    @Override
    public boolean isKept(Optional<String> folder) {
        try (TableStore ignored = federation.subtrees(folder)) {
            return true;
        } catch (IllegalArgumentException | IOException e) {
            return false;
        }
    }

    @Override
    public List<Move> since(Instant time, Optional<String> folder) throws IOException {
        try (TableStore table = federation.subtrees(folder)) {
            return MovedSubtree.since(time, table.history()).stream()
                    .map(one -> Move.of(one.path().text(), one.from(), one.to(), one.at()))
                    .collect(Collectors.toList());
        }
    }
}
