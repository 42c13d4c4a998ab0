/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;

/** Counts what a move has done. Thread-safe; never waits. */
public final class MoveCounts {

    private final Clock clock;
    private final AtomicReference<MoveProgress> now;

    /** @param move the id of the move */
    public MoveCounts(String move, Clock clock) {
        this.clock = clock;
        this.now = new AtomicReference<>(MoveProgress.began(move, clock.instant()));
    }

    /**
     * Begins a step, when all counting in the one before has ended.
     *
     * @param total as far as it is known
     */
    public void begin(String round, MoveStep step, Amount total) {
        now.updateAndGet(before -> before.in(round, step, total, clock.instant()));
    }

    /** Adds to the amount that is done in this step. */
    public void add(Amount done) {
        now.updateAndGet(before -> before.plus(done));
    }

    public MoveProgress now() {
        return now.get().at(clock.instant());
    }
}
