/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

/** How a writer serves one node. */
public enum ProgressState {
    /** The writer does not know yet, in this session, how far the node's log matches its own, and asks. */
    PROBING,
    /** The node lacks entries and gets them one request after the other. */
    CATCHING_UP,
    /** The node gets every batch as it is written. */
    IN_SYNC
}
