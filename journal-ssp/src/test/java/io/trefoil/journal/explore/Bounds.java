/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** How much may happen in a world of the journal: what makes it small. Immutable. */
public final class Bounds {

    /** What is bounded; what happens is counted in the order of the first ones. */
    public enum Bound {
        /** Epochs that writers may take. */
        EPOCHS,
        /** Edits, by any writer. */
        APPENDS,
        /** Of writers, on which every timer is due; with clocks, how often time passes. */
        TICKS,
        /** Of connections. */
        BREAKS,
        /** Of nodes. */
        CRASHES,
        /** Of the disk of one node, which is empty then, with another id. */
        LOSSES,
        /** Of the disk that was lost. */
        RETURNS,
        /** How often a writer looks whether the members have to change, while no other timer is due. */
        CHANGES,
        /** How often it does so while an operator wants one node removed. */
        REMOVALS,
        /** How often it does so while an operator wants a node where one was removed. */
        ADDITIONS,
        /** Of the end of a node's log, which its process notices when it starts. */
        DAMAGES,
        /** Of the disk of one node to another one, whose own is lost. */
        COPIES,
        BARRIERS,
        RELEASES,
        /** Asked for by a writer's user, of all that is written. */
        PURGES,
        /** All edits so far become void. */
        DISCARDS,
        /** Of one node to the only voter of a new incarnation. */
        PROMOTIONS,
        /** Leases to read beside one node that its observer asks a writer for. */
        READS,
        /** Of the clock of one node or one writer alone, by a quarter of what {@link #CLOCKS} says, each once at most. */
        JUMPS,
        /** Messages that arrive twice. */
        DUPLICATES,
        /** By how many milliseconds the clock that all share advances at a time; 0 if no lease ever runs. */
        CLOCKS,
        /** Beside how many nodes there is an observer that asks for leases; 0 is one. */
        OBSERVERS,
        /** Messages of a connection may overtake each other, which TCP does not let them. */
        REORDERS,
        /** The first writer serves from the beginning, with all nodes in sync. */
        SERVING,
        /** Two edits are committed by then, too. */
        WRITTEN,
        /** The first writer has just written a barrier then, and its release. */
        BARRED,
        /** A disk was lost then, too, and the empty node was given storage and caught up: it is to be a member. */
        JOINED,
        /** Two writers before these have each written the first entry of a term to one node. */
        DIVERGED;

        private boolean isFlag() {
            return compareTo(REORDERS) >= 0;
        }

        String argumentName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Codes<Bound> CODES = new Codes<>(Bound.class);

    /** Nothing fails. */
    public static final Bounds CALM = new Bounds(Map.of()).with(Bound.EPOCHS, 2).with(Bound.APPENDS, 1);

    private final Map<Bound, Integer> maxima;
    /** The same by the codes of the bounds: each step asks for most of them. */
    private final int[] counts = new int[Bound.values().length];

    private Bounds(Map<Bound, Integer> maxima) {
        this.maxima = maxima;
        maxima.forEach((bound, count) -> counts[CODES.codeOf(bound)] = count);
    }

    public Bounds with(Bound bound, int count) {
        Map<Bound, Integer> next = new EnumMap<>(Bound.class);
        next.putAll(maxima);
        next.put(bound, count);
        return new Bounds(Collections.unmodifiableMap(next));
    }

    public Bounds with(Bound flag) {
        return with(flag, 1);
    }

    /** While serving, with one disk lost and one change begun. */
    public Bounds withJoiningMember() {
        return with(Bound.LOSSES, 1).with(Bound.SERVING).with(Bound.JOINED);
    }

    /** While serving, with two edits committed, and a barrier and its release on their way. */
    public Bounds withPendingBarrier() {
        return with(Bound.APPENDS, 2)
                .with(Bound.BARRIERS, 1)
                .with(Bound.RELEASES, 1)
                .with(Bound.SERVING)
                .with(Bound.WRITTEN)
                .with(Bound.BARRED);
    }

    /** @param words as {@link #toString} gives them */
    static Bounds of(Iterable<String> words) {
        Bounds bounds = CALM;
        for (String word : words) {
            String[] parts = word.split("=", 2);
            Bound bound = Bound.valueOf(parts[0].toUpperCase(Locale.ROOT));
            bounds = bounds.with(bound, parts.length == 2 ? Integer.parseInt(parts[1]) : 1);
        }
        return bounds;
    }

    int limitOf(Bound bound) {
        return counts[CODES.codeOf(bound)];
    }

    boolean has(Bound bound) {
        return limitOf(bound) > 0;
    }

    /** In the words of {@code bin/explore}; what may not happen is left out. */
    @Override
    public String toString() {
        return maxima.entrySet().stream()
                .filter(each -> each.getValue() > 0 || each.getKey().compareTo(Bound.APPENDS) <= 0)
                .map(each -> each.getKey().argumentName() + (each.getKey().isFlag() ? "" : "=" + each.getValue()))
                .collect(Collectors.joining(" "));
    }
}
