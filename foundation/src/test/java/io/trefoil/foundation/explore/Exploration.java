/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.List;
import java.util.Optional;

/**
 * What an exploration found.
 *
 * @param states how many different ones were visited
 * @param steps how many ways from one to another
 * @param depth the longest shortest way from the beginning
 * @param closed whether nothing is left to visit
 * @param violation which rule the first wrong state breaks
 * @param story the shortest way to it, a line for each step
 */
public record Exploration(
        long states, long steps, int depth, boolean closed, Optional<String> violation, List<String> story) {

    @Override
    public String toString() {
        return String.format(
                "%,d states, %,d steps, depth %d, %s%s",
                states,
                steps,
                depth,
                closed ? "closed" : "not closed",
                violation
                        .map(broken -> "\n  " + broken + "\n    " + String.join("\n    ", story))
                        .orElse(""));
    }
}
