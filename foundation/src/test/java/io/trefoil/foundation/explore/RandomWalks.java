/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Walks through a small world from its beginning again and again, each step drawn from all that can happen, to depths that no
 * {@link Explorer} reaches where a world is too large. Each walk is drawn by its number: the same one finds the same again.
 */
public final class RandomWalks {

    private final SmallWorld world;
    private final int maxSteps;
    private final Fingerprints visited = new Fingerprints();
    private long steps;
    private int longest;

    /** @param maxSteps of a walk, which ends sooner if nothing can happen any more */
    public RandomWalks(SmallWorld world, int maxSteps) {
        this.world = world;
        this.maxSteps = maxSteps;
    }

    /** Takes the walks with these numbers, until a state breaks a rule: then its story is that of the walk, not the shortest one. */
    public Exploration take(long first, long last) {
        Optional<String> broken = Optional.empty();
        List<Integer> path = new ArrayList<>();
        for (long walk = first; walk <= last && !broken.isPresent(); walk++) {
            path.clear();
            broken = take(new Random(walk), path);
            longest = Math.max(longest, path.size());
        }
        List<String> story = broken.isPresent() ? Explorer.traceAlong(world, path) : List.of();
        return new Exploration(visited.size(), steps, longest, false, broken, story);
    }

    private Optional<String> take(Random random, List<Integer> path) {
        int[] state = world.begin();
        Optional<String> broken = check(state);
        List<int[]> next = successors(state);
        while (!broken.isPresent() && !next.isEmpty() && path.size() < maxSteps) {
            int way = random.nextInt(next.size());
            path.add(way);
            steps++;
            state = next.get(way);
            broken = check(state);
            next = successors(state);
        }
        return broken;
    }

    private List<int[]> successors(int[] state) {
        List<int[]> next = new ArrayList<>();
        world.successors(state, (after, what) -> next.add(after));
        return next;
    }

    /** What is wrong with a state that no walk has met before. */
    private Optional<String> check(int[] state) {
        return visited.add(world.fingerprint(state)) ? world.violation(state) : Optional.empty();
    }
}
