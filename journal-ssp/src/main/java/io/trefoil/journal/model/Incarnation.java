/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * Identifies the format, or the promotion, that a log began with (rule R11). Each format begins a new incarnation, with a
 * higher number than any that it has learned of. When a journal is initialized again, cluster and namespace stay the same,
 * and serial numbers and epochs start over, so nothing else tells the old log from the new one. Immutable.
 *
 * <p>Ordered by number: of two incarnations, the higher one is what an operator wanted last.
 */
@AutoValue
public abstract class Incarnation implements Comparable<Incarnation> {

    /** The incarnation of a log that did not begin with a format; below all others. */
    public static final Incarnation NONE = new AutoValue_Incarnation(0, 0);

    private static final long PROMOTED = 1;

    /**
     * @param number above those of all known earlier incarnations
     * @param random tells apart two formats that did not know of each other
     */
    public static Incarnation of(long number, long random) {
        if (number < 0) {
            throw new IllegalArgumentException("An incarnation is never negative, got " + number);
        }
        return new AutoValue_Incarnation(number, random);
    }

    /** Creates the incarnation of a format, which does not continue another one. */
    public static Incarnation ofFormat(long number, long random) {
        return of(number, random & ~PROMOTED);
    }

    /** Creates the incarnation of a promotion, which continues an earlier log whose majority is lost. */
    public static Incarnation ofPromotion(long number, long random) {
        return of(number, random | PROMOTED);
    }

    /**
     * Parses the result of {@link #toString}.
     *
     * @throws IllegalArgumentException if the text is not an incarnation
     */
    public static Incarnation parse(String text) {
        int dash = text.indexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("Wanted number-random of an incarnation, found '" + text + "'");
        }
        return of(Long.parseLong(text.substring(0, dash)), Long.parseUnsignedLong(text.substring(dash + 1), 16));
    }

    public abstract long number();

    /** The lowest bit says whether a format or a promotion began the incarnation. */
    public abstract long random();

    /**
     * Whether a promotion began it, so that transactions of the previous incarnation may be missing in its log. Formats of
     * versions without promotions chose the bit at random, so true may also mean such a format.
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
