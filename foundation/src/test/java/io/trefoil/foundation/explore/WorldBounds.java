/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How often what may happen, by names; a name that is not given is 0. Immutable. */
public final class WorldBounds {

    private final String world;
    private final List<String> names;
    private final Map<String, Integer> maxima;

    private WorldBounds(String world, List<String> names, Map<String, Integer> maxima) {
        this.world = world;
        this.names = names;
        this.maxima = maxima;
    }

    /** The bounds of a world in which nothing may happen that has a name. */
    public static WorldBounds of(String world, String... names) {
        return new WorldBounds(world, List.of(names), Map.of());
    }

    /** A copy with another bound. */
    public WorldBounds with(String name, int count) {
        if (!names.contains(name)) {
            throw new IllegalArgumentException("World " + world + " has " + names + ", found: " + name);
        }
        Map<String, Integer> all = new LinkedHashMap<>();
        for (String one : names) {
            int many = one.equals(name) ? count : get(one);
            if (many != 0) {
                all.put(one, many);
            }
        }
        return new WorldBounds(world, names, Collections.unmodifiableMap(all));
    }

    /** A copy with the bounds that a command line has, each {@code NAME=NUMBER}. */
    public WorldBounds with(List<String> arguments) {
        WorldBounds all = this;
        for (String word : arguments) {
            String[] parts = word.split("=", 2);
            all = all.with(parts[0], parts.length == 2 ? Integer.parseInt(parts[1]) : 1);
        }
        return all;
    }

    /** Whether it may happen once more. */
    public boolean has(String name) {
        return get(name) > 0;
    }

    private int get(String name) {
        return maxima.getOrDefault(name, 0);
    }

    /** A copy in which it may happen once less. */
    public WorldBounds decrement(String name) {
        return with(name, get(name) - 1);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WorldBounds bounds && world.equals(bounds.world) && maxima.equals(bounds.maxima);
    }

    @Override
    public int hashCode() {
        return maxima.hashCode();
    }

    /** As on a command line. */
    @Override
    public String toString() {
        return world
                + maxima.entrySet().stream()
                        .map(one -> " " + one.getKey() + "=" + one.getValue())
                        .collect(Collectors.joining());
    }
}
