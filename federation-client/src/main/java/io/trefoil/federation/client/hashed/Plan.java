/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/**
 * A change of several calls in several nameservices, as a list of steps with names. The constants of an enumeration are the steps of one
 * kind of change, in their order, and say what is durable after each and how a client that comes later continues.
 *
 * @param <S> the names
 */
final class Plan<S extends Enum<S>> {

    /** A part of a change. */
    interface Step {

        /** Performs this part; returns false if the change cannot continue. */
        boolean tryPerform() throws IOException;
    }

    private final Map<S, Step> steps;
    private S last;

    private Plan(Class<S> names) {
        this.steps = new EnumMap<>(names);
    }

    /** Creates a plan without steps. */
    static <S extends Enum<S>> Plan<S> of(Class<S> names) {
        return new Plan<>(names);
    }

    /** Appends a step, which must follow the existing ones in the enumeration as well. */
    Plan<S> withStep(S name, Step step) {
        if (last != null && last.compareTo(name) >= 0) {
            throw new IllegalStateException(name + " comes before " + last);
        }
        steps.put(name, step);
        last = name;
        return this;
    }

    /** Performs the steps in order; returns false if one of them ended the change. */
    boolean tryPerform() throws IOException {
        for (Step step : steps.values()) {
            if (!step.tryPerform()) {
                return false;
            }
        }
        return true;
    }
}
