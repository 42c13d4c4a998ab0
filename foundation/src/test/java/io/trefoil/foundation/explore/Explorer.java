/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Visits the states of a small world, nearest first, so that the first wrong one has the shortest story. */
public final class Explorer {

    private static final long REPORT_STATES = 1_000_000;

    private final SmallWorld world;
    private final long maxStates;
    private final Consumer<String> progress;
    private final Fingerprints visited = new Fingerprints();
    private int[] parents = new int[1 << 16];
    private short[] ways = new short[1 << 16];
    private long steps;

    /** @param progress is told now and then how far it is */
    public Explorer(SmallWorld world, long maxStates, Consumer<String> progress) {
        this.world = world;
        this.maxStates = maxStates;
        this.progress = progress;
    }

    /** Goes on until nothing is left, a rule is broken, or there are too many states. */
    public Exploration explore() {
        List<int[]> level = new ArrayList<>();
        int[] first = world.begin();
        level.add(first);
        addIfNew(first, -1, 0);
        Optional<String> broken = world.violation(first);
        int depth = 0;
        int levelBegins = 0;
        while (!level.isEmpty() && !broken.isPresent() && visited.size() < maxStates) {
            Level next = new Level();
            for (int i = 0; i < level.size() && !next.broken.isPresent(); i++) {
                next.from(levelBegins + i);
                world.successors(level.get(i), next);
            }
            broken = next.broken;
            levelBegins += level.size();
            level = next.states;
            depth += level.isEmpty() ? 0 : 1;
            if (!level.isEmpty() && visited.size() / REPORT_STATES > (visited.size() - level.size()) / REPORT_STATES) {
                progress.accept(String.format("depth %d: %,d states, %,d new", depth, visited.size(), level.size()));
            }
        }
        List<String> story = broken.isPresent() ? traceAlong(world, path(visited.size() - 1)) : List.of();
        return new Exploration(visited.size(), steps, depth, level.isEmpty() && !broken.isPresent(), broken, story);
    }

    private boolean addIfNew(int[] state, int parent, int way) {
        if (!visited.add(world.fingerprint(state))) {
            return false;
        }
        int number = visited.size() - 1;
        if (number == parents.length) {
            parents = Arrays.copyOf(parents, number * 2);
            ways = Arrays.copyOf(ways, number * 2);
        }
        parents[number] = parent;
        ways[number] = (short) way;
        return true;
    }

    private List<Integer> path(int last) {
        List<Integer> path = new ArrayList<>();
        for (int number = last; number > 0; number = parents[number]) {
            path.add(0, (int) ways[number]);
        }
        return path;
    }

    /** Takes the same ways from the beginning once more, and asks what happened. */
    static List<String> traceAlong(SmallWorld world, List<Integer> path) {
        List<String> story = new ArrayList<>();
        int[] state = world.begin();
        for (int way : path) {
            Chosen chosen = new Chosen(way);
            world.successors(state, chosen);
            story.add((story.size() + 1) + ". " + chosen.what);
            state = chosen.next;
        }
        return story;
    }

    private final class Level implements SmallWorld.Sink {
        private final List<int[]> states = new ArrayList<>();
        private Optional<String> broken = Optional.empty();
        private int from;
        private int way;

        void from(int number) {
            from = number;
            way = 0;
        }

        @Override
        public void accept(int[] next, Supplier<String> description) {
            int taken = way++;
            if (broken.isPresent()) {
                return;
            }
            steps++;
            if (addIfNew(next, from, taken)) {
                states.add(next);
                broken = world.violation(next);
            }
        }
    }

    private static final class Chosen implements SmallWorld.Sink {
        private int left;
        private int[] next;
        private String what;

        Chosen(int way) {
            left = way;
        }

        @Override
        public void accept(int[] state, Supplier<String> description) {
            if (left-- == 0) {
                next = state;
                what = description.get();
            }
        }
    }
}
