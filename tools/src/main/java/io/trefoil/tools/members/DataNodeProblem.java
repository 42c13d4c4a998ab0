/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

/** The lack of a DataNode, for people, and whether waiting may mend it. Immutable. */
final class DataNodeProblem {
    private final String text;
    private final boolean lasting;

    private DataNodeProblem(String text, boolean lasting) {
        this.text = text;
        this.lasting = lasting;
    }

    /** A lack that may end by itself. */
    static DataNodeProblem passing(String text) {
        return new DataNodeProblem(text, false);
    }

    /**
     * A lack that stays after the DataNode was told to read its configuration, because of what is in that. A
     * DataNode changes the NameNodes it reports to before it answers, so nothing comes later.
     */
    static DataNodeProblem lasting(String text) {
        return new DataNodeProblem(text, true);
    }

    String text() {
        return text;
    }

    boolean isLasting() {
        return lasting;
    }
}
