/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

/** The remedies for a node. */
enum Remedy {
    /** The node is sound. */
    NONE("none"),
    /** The node repairs itself, or the writer repairs it, which only takes time. */
    WAIT("wait"),
    /** Move the node's storage aside, and make it fetch everything again. */
    REFETCH("refetch"),
    /** The operator must act, as this command cannot help. */
    OPERATOR("operator");

    private final String word;

    Remedy(String word) {
        this.word = word;
    }

    /** The form in which the remedy is printed. */
    @Override
    public String toString() {
        return word;
    }
}
