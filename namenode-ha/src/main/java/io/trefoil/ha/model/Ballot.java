/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;

/**
 * The number of an election. Each change of the lock's holder uses the next number, in one transaction with the lock,
 * so that a member that decided on an older view of the lock cannot change it. Immutable.
 */
@AutoValue
public abstract class Ballot {

    /** The ballot before the first election. */
    public static final Ballot NONE = of(0);

    public static Ballot of(long number) {
        return new AutoValue_Ballot(number);
    }

    public abstract long number();

    public final Ballot next() {
        return of(number() + 1);
    }

    public final boolean isBelow(Ballot other) {
        return number() < other.number();
    }

    @Override
    public final String toString() {
        return Long.toString(number());
    }
}
