/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Which stage may follow which; rules that take any other transition have a bug. Immutable. */
public final class StageEdges<S extends Enum<S>> {
    private final Map<S, Set<S>> next;

    private StageEdges(Map<S, Set<S>> next) {
        this.next = next;
    }

    /** A builder without edges. */
    public static <S extends Enum<S>> Builder<S> of(Class<S> stages) {
        return new Builder<>(stages);
    }

    /** Whether there is such an edge. */
    public boolean has(S from, S to) {
        return next.get(from).contains(to);
    }

    /**
     * The stage that is entered.
     *
     * @throws IllegalStateException if no edge leads there
     */
    public S enter(S from, S to) {
        if (!has(from, to)) {
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
        public Builder<S> edge(S from, S to) {
            next.get(from).add(to);
            return this;
        }

        /** The edges added so far. */
        public StageEdges<S> build() {
            Map<S, Set<S>> copy = new EnumMap<>(next);
            copy.replaceAll((stage, following) -> EnumSet.copyOf(following));
            return new StageEdges<>(copy);
        }
    }
}
