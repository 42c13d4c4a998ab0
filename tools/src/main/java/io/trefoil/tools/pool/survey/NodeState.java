/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool.survey;

/** The outcome of asking one node for its status. */
public enum NodeState {
    /** It serves the journal. */
    SERVES("serves"),
    /** It serves, but found damage before the end of its log and is getting the rest again. */
    REFETCHING("refetching"),
    /** It answers and has no storage of this journal. */
    NOT_FORMATTED("not formatted"),
    /** It answers that it cannot do anything. */
    FAILED("failed"),
    /** It does not answer. */
    DOWN("down");

    private final String word;

    NodeState(String word) {
        this.word = word;
    }

    /** The form in which it is printed. */
    @Override
    public String toString() {
        return word;
    }
}
