/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A world whose steps come in the reverse order, so that another one of the states that are one is met first. */
final class ReversedWorld implements SmallWorld {

    private final SmallWorld world;

    ReversedWorld(SmallWorld world) {
        this.world = world;
    }

    @Override
    public int[] begin() {
        return world.begin();
    }

    @Override
    public void successors(int[] state, Sink sink) {
        List<int[]> states = new ArrayList<>();
        List<Supplier<String>> told = new ArrayList<>();
        world.successors(state, (next, what) -> {
            states.add(next);
            told.add(what);
        });
        for (int i = states.size() - 1; i >= 0; i--) {
            sink.accept(states.get(i), told.get(i));
        }
    }

    @Override
    public long fingerprint(int[] state) {
        return world.fingerprint(state);
    }

    @Override
    public Optional<String> violation(int[] state) {
        return world.violation(state);
    }
}
