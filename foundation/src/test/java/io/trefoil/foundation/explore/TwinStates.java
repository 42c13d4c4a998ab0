/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;

/**
 * Looks for two states with one fingerprint that do not lead to the same ones. An explorer steps the one that it meets first only: where that
 * differs, it misses what follows the other one.
 */
final class TwinStates {

    private final SmallWorld world;
    private final Map<Long, int[]> known = new HashMap<>();
    private final Queue<int[]> left = new ArrayDeque<>();
    private Optional<String> unequal = Optional.empty();

    private TwinStates(SmallWorld world) {
        this.world = world;
    }

    /** What follows only one of the first two unequal twins among so many states; empty if there are none. */
    static Optional<String> findUnequal(SmallWorld world, int maxStates) {
        TwinStates twins = new TwinStates(world);
        twins.compare(world.begin());
        while (!twins.left.isEmpty() && twins.known.size() < maxStates && !twins.unequal.isPresent()) {
            world.successors(twins.left.remove(), (next, what) -> twins.compare(next));
        }
        return twins.unequal;
    }

    private void compare(int[] state) {
        int[] twin = known.putIfAbsent(world.fingerprint(state), state);
        if (twin == null) {
            left.add(state);
        } else if (!Arrays.equals(twin, state) && !unequal.isPresent()) {
            Map<Long, String> first = stepsOf(twin);
            Map<Long, String> second = stepsOf(state);
            if (!first.keySet().equals(second.keySet())) {
                unequal = Optional.of(
                        "only one: " + without(first, second) + "\nonly the other: " + without(second, first));
            }
        }
    }

    /** What can happen, by the fingerprint of what follows. */
    private Map<Long, String> stepsOf(int[] state) {
        Map<Long, String> steps = new TreeMap<>();
        world.successors(state, (next, what) -> steps.put(world.fingerprint(next), what.get()));
        return steps;
    }

    private static Map<Long, String> without(Map<Long, String> steps, Map<Long, String> otherStates) {
        Map<Long, String> rest = new TreeMap<>(steps);
        rest.keySet().removeAll(otherStates.keySet());
        return rest;
    }
}
