/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

/** The remedies for a node. */
enum Remedy {
    /** The node is sound. */
    NONE("none"),
    /** The node repairs itself, or the writer repairs it: that only takes time. */
    WAIT("wait"),
    /** Move aside what it holds, and have it fetch everything again. */
    REFETCH("refetch"),
    /** The operator has to act: this command can do nothing. */
    OPERATOR("operator");

    private final String word;

    Remedy(String word) {
        this.word = word;
    }

    /** The form in which it is printed. */
    @Override
    public String toString() {
        return word;
    }
}
