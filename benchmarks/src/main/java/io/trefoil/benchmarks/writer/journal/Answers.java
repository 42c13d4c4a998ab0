/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

/** Which answers a batch waits for, in addition to the writer's own file. */
public enum Answers {
    /** None: if the writer loses its disk, it may lose the batch for good. */
    NONE,
    /** Enough replicas to form a majority together with the local file. */
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
