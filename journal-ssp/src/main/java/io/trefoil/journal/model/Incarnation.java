/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * Identifies the format that a log began with (rule R11). Each format begins a new incarnation, with a higher number
 * than any that it heard of; cluster and namespace stay the same when a journal is initialized again, and serial
 * numbers and epochs begin anew, so nothing else tells the old log from the new one. Immutable.
 *
 * <p>Ordered by number: of two, the higher one is what an operator wanted last.
 */
@AutoValue
public abstract class Incarnation implements Comparable<Incarnation> {

    /** That of nothing that a format made; below all others. */
    public static final Incarnation NONE = new AutoValue_Incarnation(0, 0);

    private static final long PROMOTED = 1;

    /**
     * @param number above those of all earlier ones that are known
     * @param random so that two formats that did not know of each other are never taken for one
     */
    public static Incarnation of(long number, long random) {
        if (number < 0) {
            throw new IllegalArgumentException("An incarnation is never negative, got " + number);
        }
        return new AutoValue_Incarnation(number, random);
    }

    /** That of a format: continues no other one. */
    public static Incarnation formatted(long number, long random) {
        return of(number, random & ~PROMOTED);
    }

    /** That of a log which a promotion continues, because the majority of the one before is lost. */
    public static Incarnation promoted(long number, long random) {
        return of(number, random | PROMOTED);
    }

    /**
     * Reads what {@link #toString} gives.
     *
     * @throws IllegalArgumentException if the text is nothing of the kind
     */
    public static Incarnation parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("Wanted number-random of an incarnation, found '" + text + "'");
        }
        return of(Long.parseLong(text.substring(0, dash)), Long.parseUnsignedLong(text.substring(dash + 1), 16));
    }

    public abstract long number();

    /** Its lowest bit says which of both began it. */
    public abstract long random();

    /**
     * Whether a promotion began it, so that transactions of the one before may be missing in its log. Formats of versions that
     * knew no promotions chose the bit at random: true may also mean one of those.
     */
    public final boolean isPromoted() {
        return (random() & PROMOTED) != 0;
    }

    public final boolean isKnown() {
        return !equals(NONE);
    }

    public final boolean isAbove(Incarnation other) {
        return compareTo(other) > 0;
    }

    @Override
    public final int compareTo(Incarnation other) {
        int byNumber = Long.compare(number(), other.number());
        return byNumber != 0 ? byNumber : Long.compareUnsigned(random(), other.random());
    }

    @Override
    public final String toString() {
        return number() + "-" + String.format("%016x", random());
    }
}
