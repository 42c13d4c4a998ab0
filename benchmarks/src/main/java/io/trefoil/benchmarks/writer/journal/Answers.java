/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

/** Whose answers a batch waits for, beside the writer's own file. */
public enum Answers {
    /** Nobody's: a batch that the writer loses with its disk may be lost for good. */
    NONE,
    /** As many as make a majority with the local file. */
    MAJORITY,
    ALL;

    int of(int nodes) {
        return switch (this) {
            case NONE -> 0;
            case MAJORITY -> (nodes + 1) / 2;
            case ALL -> nodes;
        };
    }
}
