/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * The number of a writer's term; a higher epoch fences every lower one (paper §4.1.2, rule R1).
 *
 * <p>Epoch 0 means that no writer has been promised one yet. Immutable.
 */
@AutoValue
public abstract class Epoch implements Comparable<Epoch> {

    /** The epoch before the first writer. */
    public static final Epoch NONE = of(0);

    /** The epoch in which the first entries of a freshly formatted journal are written. */
    public static final Epoch FORMAT = of(1);

    public static Epoch of(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("An epoch is never negative, got " + number);
        }
        return new AutoValue_Epoch(number);
    }

    public abstract long number();

    public final Epoch next() {
        return of(number() + 1);
    }

    public final boolean isAbove(Epoch other) {
        return number() > other.number();
    }

    public final boolean isBelow(Epoch other) {
        return number() < other.number();
    }

    @Override
    public final int compareTo(Epoch other) {
        return Long.compare(number(), other.number());
    }

    @Override
    public final String toString() {
        return Long.toString(number());
    }
}
