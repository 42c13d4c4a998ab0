/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.peer;

/** How a writer serves one node. */
public enum ProgressState {
    /** Nothing is known of its log in this session; it is asked. */
    PROBING,
    /** It lacks entries and gets them one request after the other. */
    CATCHING_UP,
    /** It gets every batch as it is written. */
    IN_SYNC
}
