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
    public boolean isKept(Optional<String> folder) {
        return true;
    }

    @Override
    public List<Move> since(Instant time, Optional<String> folder) {
        return moves.stream().filter(one -> one.at().isAfter(time)).toList();
    }
}
