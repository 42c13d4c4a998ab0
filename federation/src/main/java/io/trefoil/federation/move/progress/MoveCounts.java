/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicReference;

/** Counts the work that a move has done. Thread-safe; never waits. */
public final class MoveCounts {

    private final Clock clock;
    private final AtomicReference<MoveProgress> now;

    /** @param move the id of the move */
    public MoveCounts(String move, Clock clock) {
        this.clock = clock;
        this.now = new AtomicReference<>(MoveProgress.starting(move, clock.instant()));
    }

    /**
     * Begins a step, once all counting in the previous one has ended.
     *
     * @param total as far as it is known
     */
    public void beginStep(String round, MoveStep step, Amount total) {
        now.updateAndGet(before -> before.withStep(round, step, total, clock.instant()));
    }

    /** Adds to the amount done in this step. */
    public void add(Amount amount) {
        now.updateAndGet(before -> before.plus(amount));
    }

    public MoveProgress currentProgress() {
        return now.get().withTime(clock.instant());
    }
}
