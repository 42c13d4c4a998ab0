/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

/** Describes how a writer serves one node. */
public enum ProgressState {
    /** The writer does not know yet in this session how far the node's log matches its own, and probes it. */
    PROBING,
    /** The node lacks entries and receives them one request at a time. */
    CATCHING_UP,
    /** The node receives every batch as it is written. */
    IN_SYNC
}
