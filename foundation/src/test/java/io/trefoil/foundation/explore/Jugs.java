/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.Optional;

/** Two jugs, of 3 and 5 litres. */
final class Jugs implements SmallWorld {

    static final int SMALL = 3;
    static final int LARGE = 5;

    private final int forbidden;

    /** @param forbidden how much must never be in the larger jug */
    Jugs(int forbidden) {
        this.forbidden = forbidden;
    }

    @Override
    public int[] begin() {
        return new int[] {0, 0};
    }

    @Override
    public void successors(int[] state, Sink sink) {
        sink.accept(new int[] {SMALL, state[1]}, () -> "fill the smaller");
        sink.accept(new int[] {state[0], LARGE}, () -> "fill the larger");
        sink.accept(new int[] {0, state[1]}, () -> "empty the smaller");
        sink.accept(new int[] {state[0], 0}, () -> "empty the larger");
        int right = Math.min(state[0], LARGE - state[1]);
        sink.accept(new int[] {state[0] - right, state[1] + right}, () -> "pour into the larger");
        int left = Math.min(state[1], SMALL - state[0]);
        sink.accept(new int[] {state[0] + left, state[1] - left}, () -> "pour into the smaller");
    }

    @Override
    public long fingerprint(int[] state) {
        return Fingerprints.combine(state[0], state[1]);
    }

    @Override
    public Optional<String> violation(int[] state) {
        return state[1] == forbidden ? Optional.of(forbidden + " litres") : Optional.empty();
    }
}
