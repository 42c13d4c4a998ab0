/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.members;

/** A problem of a DataNode, for human readers, with whether waiting may help. Immutable. */
final class DataNodeProblem {
    private final String text;
    private final boolean lasting;

    private DataNodeProblem(String text, boolean isPermanent) {
        this.text = text;
        this.lasting = isPermanent;
    }

    /** Creates a problem that may go away on its own. */
    static DataNodeProblem transientProblem(String text) {
        return new DataNodeProblem(text, false);
    }

    /**
     * Creates a problem that remains after the DataNode has been told to reread its configuration, because of its
     * content. A DataNode changes the NameNodes it reports to before it answers, so nothing comes later.
     */
    static DataNodeProblem permanentProblem(String text) {
        return new DataNodeProblem(text, true);
    }

    String text() {
        return text;
    }

    boolean isPermanent() {
        return lasting;
    }
}
