/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool.survey;

/** The outcome of asking one node for its status. */
public enum NodeState {
    /** The node serves the journal. */
    SERVES("serves"),
    /** The node serves, but found damage before the end of its log and is fetching the rest again. */
    REFETCHING("refetching"),
    /** The node answers, but has no storage of this journal. */
    NOT_FORMATTED("not formatted"),
    /** The node reports that it has failed. */
    FAILED("failed"),
    /** The node does not answer. */
    DOWN("down");

    private final String word;

    NodeState(String word) {
        this.word = word;
    }

    /** The form in which the state is printed. */
    @Override
    public String toString() {
        return word;
    }
}
