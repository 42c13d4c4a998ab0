/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

/** The answers for which a batch waits, in addition to the writer's own file. */
public enum AnswerPolicy {
    /** None: if the writer loses its disk, the batch may be lost for good. */
    NONE,
    /** Enough replicas to form a majority together with the local file. */
    MAJORITY,
    ALL;

    int requiredAnswers(int nodes) {
        return switch (this) {
            case NONE -> 0;
            case MAJORITY -> (nodes + 1) / 2;
            case ALL -> nodes;
        };
    }
}
