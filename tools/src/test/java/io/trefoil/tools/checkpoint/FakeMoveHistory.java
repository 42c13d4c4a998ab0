/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import io.trefoil.tools.checkpoint.text.Move;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Moves that a test has made up. */
public final class FakeMoveHistory implements MoveHistory {
    public final List<Move> moves = new ArrayList<>();

    @Override
    public boolean exists(Optional<String> directory) {
        return true;
    }

    @Override
    public List<Move> movesSince(Instant time, Optional<String> directory) {
        return moves.stream().filter(one -> one.movedAt().isAfter(time)).toList();
    }
}
