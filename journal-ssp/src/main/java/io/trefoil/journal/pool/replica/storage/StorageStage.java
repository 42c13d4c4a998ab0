/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.foundation.StageEdges;

/** Whether a replica's storage can be used; {@link #EDGES} lists the transitions. */
public enum StorageStage {
    /** Storage is absent, and may be formatted. */
    EMPTY,
    /** The storage is being opened for the first time; nothing is known of it, least of all that it is empty. */
    OPENING,
    /** Storage is in use. */
    OPEN,
    /** Storage cannot be relied on, and will be reopened later. */
    FAILED,
    /** An operator must intervene before it is reopened. */
    HALTED,
    /** The storage is closed for good. */
    CLOSED;

    /** Which stage may follow which; the table in {@code docs/design/code-shape.md} says when. */
    public static final StageEdges<StorageStage> EDGES = StageEdges.of(StorageStage.class)
            .edge(EMPTY, OPENING)
            .edge(EMPTY, OPEN)
            .edge(EMPTY, FAILED)
            .edge(EMPTY, CLOSED)
            .edge(OPENING, OPEN)
            .edge(OPENING, EMPTY)
            .edge(OPENING, FAILED)
            .edge(OPENING, CLOSED)
            .edge(OPEN, EMPTY)
            .edge(OPEN, FAILED)
            .edge(OPEN, HALTED)
            .edge(OPEN, CLOSED)
            .edge(FAILED, OPEN)
            .edge(FAILED, EMPTY)
            .edge(FAILED, CLOSED)
            .edge(HALTED, FAILED)
            .edge(HALTED, EMPTY)
            .edge(HALTED, CLOSED)
            .build();
}
