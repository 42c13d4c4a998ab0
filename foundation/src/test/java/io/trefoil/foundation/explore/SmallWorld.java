/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * A world with so few states that all of them can be visited. A state is a short array of numbers, which only the world itself
 * understands: numbers of parts that it has met so far. A world that is explored on disk is asked by several threads at once, and goes on
 * in another process: whatever it numbers behind its beginning, it numbers in a function of its {@link ComputationCache}.
 */
public interface SmallWorld {

    int[] begin();

    /** Everything that can happen in a state, always in the same order. */
    void successors(int[] state, Sink sink);

    /** The same for two states that differ only by names, and for no others. */
    long fingerprint(int[] state);

    /** Which rule a state breaks, and how; empty if none. */
    Optional<String> violation(int[] state);

    /** By what it numbers parts after {@link #begin}; a world whose numbers mean the same in each process has nothing in it. */
    default ComputationCache memory() {
        return new ComputationCache();
    }

    /** Takes what can happen. */
    interface Sink {
        /** @param description happened, told only if asked for */
        void accept(int[] next, Supplier<String> description);
    }
}
