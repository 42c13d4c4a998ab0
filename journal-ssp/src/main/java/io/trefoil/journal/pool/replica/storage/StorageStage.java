/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.foundation.StageTransitions;

/** Whether a replica's storage can be used; {@link #EDGES} lists the transitions. */
public enum StorageStage {
    /** Storage is absent, and may be formatted. */
    EMPTY,
    /** The storage is being opened for the first time; nothing is known of it, not even that it is empty. */
    OPENING,
    /** Storage is in use. */
    OPEN,
    /** Storage cannot be relied on, and will be reopened later. */
    FAILED,
    /** An operator must intervene before it is reopened. */
    HALTED,
    /** The storage is closed for good. */
    CLOSED;

    /** The transitions between stages; the table in {@code docs/design/code-shape.md} says when. */
    public static final StageTransitions<StorageStage> EDGES = StageTransitions.builder(StorageStage.class)
            .allow(EMPTY, OPENING)
            .allow(EMPTY, OPEN)
            .allow(EMPTY, FAILED)
            .allow(EMPTY, CLOSED)
            .allow(OPENING, OPEN)
            .allow(OPENING, EMPTY)
            .allow(OPENING, FAILED)
            .allow(OPENING, CLOSED)
            .allow(OPEN, EMPTY)
            .allow(OPEN, FAILED)
            .allow(OPEN, HALTED)
            .allow(OPEN, CLOSED)
            .allow(FAILED, OPEN)
            .allow(FAILED, EMPTY)
            .allow(FAILED, CLOSED)
            .allow(HALTED, FAILED)
            .allow(HALTED, EMPTY)
            .allow(HALTED, CLOSED)
            .build();
}
