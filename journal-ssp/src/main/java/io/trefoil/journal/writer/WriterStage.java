/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

/** How far a writer has come in its term. */
public enum WriterStage {
    /** It asks the nodes for their promises and does not know the log yet. */
    PROMISING,
    /** A majority has promised; its first entries are on their way to a majority. */
    RECOVERING,
    /** Everything before is committed; batches may come. */
    WRITING,
    /** A majority has promised a higher epoch, or was formatted again. Final. */
    FENCED,
    /** It ended its term by itself. Final. */
    STEPPED_DOWN
}
