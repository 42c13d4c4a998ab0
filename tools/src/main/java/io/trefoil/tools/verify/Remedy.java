/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

/** What to do for a node. */
enum Remedy {
    /** Nothing is wrong with it. */
    NONE("none"),
    /** It mends itself, or the writer does: it only takes time. */
    WAIT("wait"),
    /** What it holds is moved aside, and it fetches everything again. */
    REFETCH("refetch"),
    /** Nothing that this command could do. */
    OPERATOR("operator");

    private final String word;

    Remedy(String word) {
        this.word = word;
    }

    /** As it is printed. */
    @Override
    public String toString() {
        return word;
    }
}
