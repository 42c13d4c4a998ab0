/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The stages that may follow each stage; rules that take any other transition have a bug. Immutable. */
public final class StageTransitions<S extends Enum<S>> {
    private final Map<S, Set<S>> next;

    private StageTransitions(Map<S, Set<S>> next) {
        this.next = next;
    }

    /** A builder without edges. */
    public static <S extends Enum<S>> Builder<S> builder(Class<S> stages) {
        return new Builder<>(stages);
    }

    /** Whether this edge exists. */
    public boolean allows(S from, S to) {
        return next.get(from).contains(to);
    }

    /**
     * Returns the stage that is entered; throws if there is no such edge.
     *
     * @throws IllegalStateException if no edge leads there
     */
    public S enter(S from, S to) {
        if (!allows(from, to)) {
            throw new IllegalStateException(from + " -> " + to + " is no transition: after " + from + " only "
                    + next.get(from) + " may follow, so the rules have a bug");
        }
        return to;
    }

    /** Adds edges one by one. */
    public static final class Builder<S extends Enum<S>> {
        private final Map<S, Set<S>> next;

        private Builder(Class<S> stages) {
            next = new EnumMap<>(stages);
            for (S stage : stages.getEnumConstants()) {
                next.put(stage, EnumSet.noneOf(stages));
            }
        }

        /** Adds an edge from one stage to another. */
        public Builder<S> allow(S from, S to) {
            next.get(from).add(to);
            return this;
        }

        /** The edges added so far. */
        public StageTransitions<S> build() {
            Map<S, Set<S>> copy = new EnumMap<>(next);
            copy.replaceAll((stage, following) -> EnumSet.copyOf(following));
            return new StageTransitions<>(copy);
        }
    }
}
