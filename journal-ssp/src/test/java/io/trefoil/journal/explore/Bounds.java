/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

/**
 * How much may happen in a world of the journal: what makes it small.
 *
 * @param epochs how many writers may take
 * @param appends of edits, by any writer
 * @param ticks of writers on which every timer is due; with clocks, how often time passes
 * @param breaks of connections
 * @param crashes of nodes
 * @param duplicates of messages
 * @param reorders whether messages of a connection may overtake each other, which TCP does not let them
 * @param clocks by how many milliseconds the clock that all share advances at a time; 0 if no lease ever runs
 * @param serving whether the first writer serves from the beginning, with all nodes in sync
 */
public record Bounds(
        int epochs,
        int appends,
        int ticks,
        int breaks,
        int crashes,
        int duplicates,
        boolean reorders,
        int clocks,
        boolean serving) {

    /** Nothing fails. */
    public static final Bounds CALM = new Bounds(2, 1, 0, 0, 0, 0, false, 0, false);

    public Bounds epochs(int most) {
        return new Bounds(most, appends, ticks, breaks, crashes, duplicates, reorders, clocks, serving);
    }

    public Bounds appends(int most) {
        return new Bounds(epochs, most, ticks, breaks, crashes, duplicates, reorders, clocks, serving);
    }

    public Bounds ticks(int most) {
        return new Bounds(epochs, appends, most, breaks, crashes, duplicates, reorders, clocks, serving);
    }

    public Bounds breaks(int most) {
        return new Bounds(epochs, appends, ticks, most, crashes, duplicates, reorders, clocks, serving);
    }

    public Bounds crashes(int most) {
        return new Bounds(epochs, appends, ticks, breaks, most, duplicates, reorders, clocks, serving);
    }

    public Bounds duplicates(int most) {
        return new Bounds(epochs, appends, ticks, breaks, crashes, most, reorders, clocks, serving);
    }

    public Bounds reordering() {
        return new Bounds(epochs, appends, ticks, breaks, crashes, duplicates, true, clocks, serving);
    }

    public Bounds clocks(int millis) {
        return new Bounds(epochs, appends, ticks, breaks, crashes, duplicates, reorders, millis, serving);
    }

    public Bounds whileServing() {
        return new Bounds(epochs, appends, ticks, breaks, crashes, duplicates, reorders, clocks, true);
    }

    /** What differs from {@link #CALM}, in the words of {@code bin/explore}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("epochs=" + epochs + " appends=" + appends);
        text.append(ticks > 0 ? " ticks=" + ticks : "");
        text.append(breaks > 0 ? " breaks=" + breaks : "");
        text.append(crashes > 0 ? " crashes=" + crashes : "");
        text.append(duplicates > 0 ? " duplicates=" + duplicates : "");
        text.append(clocks > 0 ? " clocks=" + clocks : "");
        text.append(reorders ? " reorders" : "").append(serving ? " serving" : "");
        return text.toString();
    }
}
