/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.foundation.StageEdges;

/** Whether the storage of a replica can be used; {@link #EDGES} lists the transitions. */
public enum StorageStage {
    /** There is none, and it may be formatted. */
    EMPTY,
    /** It is looked for, for the first time; nothing is known of it, least of all that it is empty. */
    OPENING,
    /** Works. */
    OPEN,
    /** Cannot be relied on; it is opened again later. */
    FAILED,
    /** An operator has to look before it is opened again. */
    HALTED,
    /** For good. */
    CLOSED;

    /** Which stage may follow which; when is in the table of {@code docs/design/code-shape.md}. */
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
