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
 * @param losses of the disk of one node, which is empty then, with another id
 * @param returns of the disk that was lost
 * @param changes how often a writer looks whether the members have to change, while no other timer is due
 * @param duplicates of messages
 * @param reorders whether messages of a connection may overtake each other, which TCP does not let them
 * @param clocks by how many milliseconds the clock that all share advances at a time; 0 if no lease ever runs
 * @param serving whether the first writer serves from the beginning, with all nodes in sync
 * @param joined whether a disk was lost then, too, and the empty node was given storage and caught up: it is to be a member
 */
public record Bounds(
        int epochs,
        int appends,
        int ticks,
        int breaks,
        int crashes,
        int losses,
        int returns,
        int changes,
        int duplicates,
        boolean reorders,
        int clocks,
        boolean serving,
        boolean joined) {

    /** Nothing fails. */
    public static final Bounds CALM = new Bounds(2, 1, 0, 0, 0, 0, 0, 0, 0, false, 0, false, false);

    public Bounds epochs(int most) {
        return new Bounds(
                most,
                appends,
                ticks,
                breaks,
                crashes,
                losses,
                returns,
                changes,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds appends(int most) {
        return new Bounds(
                epochs,
                most,
                ticks,
                breaks,
                crashes,
                losses,
                returns,
                changes,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds ticks(int most) {
        return new Bounds(
                epochs,
                appends,
                most,
                breaks,
                crashes,
                losses,
                returns,
                changes,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds breaks(int most) {
        return new Bounds(
                epochs,
                appends,
                ticks,
                most,
                crashes,
                losses,
                returns,
                changes,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds crashes(int most) {
        return new Bounds(
                epochs,
                appends,
                ticks,
                breaks,
                most,
                losses,
                returns,
                changes,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds losses(int most) {
        return new Bounds(
                epochs,
                appends,
                ticks,
                breaks,
                crashes,
                most,
                returns,
                changes,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds returns(int most) {
        return new Bounds(
                epochs,
                appends,
                ticks,
                breaks,
                crashes,
                losses,
                most,
                changes,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds changes(int most) {
        return new Bounds(
                epochs,
                appends,
                ticks,
                breaks,
                crashes,
                losses,
                returns,
                most,
                duplicates,
                reorders,
                clocks,
                serving,
                joined);
    }

    public Bounds duplicates(int most) {
        return new Bounds(
                epochs, appends, ticks, breaks, crashes, losses, returns, changes, most, reorders, clocks, serving,
                joined);
    }

    public Bounds reordering() {
        return new Bounds(
                epochs,
                appends,
                ticks,
                breaks,
                crashes,
                losses,
                returns,
                changes,
                duplicates,
                true,
                clocks,
                serving,
                joined);
    }

    public Bounds clocks(int millis) {
        return new Bounds(
                epochs,
                appends,
                ticks,
                breaks,
                crashes,
                losses,
                returns,
                changes,
                duplicates,
                reorders,
                millis,
                serving,
                joined);
    }

    public Bounds whileServing() {
        return new Bounds(
                epochs,
                appends,
                ticks,
                breaks,
                crashes,
                losses,
                returns,
                changes,
                duplicates,
                reorders,
                clocks,
                true,
                joined);
    }

    /** While serving, with one disk lost and one change begun. */
    public Bounds whileJoining() {
        return new Bounds(
                epochs, appends, ticks, breaks, crashes, 1, returns, changes, duplicates, reorders, clocks, true, true);
    }

    /** What differs from {@link #CALM}, in the words of {@code bin/explore}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("epochs=" + epochs + " appends=" + appends);
        text.append(ticks > 0 ? " ticks=" + ticks : "");
        text.append(breaks > 0 ? " breaks=" + breaks : "");
        text.append(crashes > 0 ? " crashes=" + crashes : "");
        text.append(losses > 0 ? " losses=" + losses : "");
        text.append(returns > 0 ? " returns=" + returns : "");
        text.append(changes > 0 ? " changes=" + changes : "");
        text.append(duplicates > 0 ? " duplicates=" + duplicates : "");
        text.append(clocks > 0 ? " clocks=" + clocks : "");
        text.append(reorders ? " reorders" : "").append(serving ? " serving" : "");
        text.append(joined ? " joined" : "");
        return text.toString();
    }
}
