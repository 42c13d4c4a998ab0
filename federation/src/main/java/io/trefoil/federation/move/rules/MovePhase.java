/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

/**
 * The phase that a move may have reached, according to its record, for a process that continues it. Whether the owner has
 * changed is in the table alone.
 */
public enum MovePhase {
    /** Clients work at the source; the target may have a part of the tree. */
    COPYING,
    /** The source's directory may be frozen, or closed to clients. */
    PAUSED,
    /** The owner has changed, and clients work at the target; the source's directory is still closed. */
    OPENED,
    /** The owner has changed, and the source's content is being deleted. */
    EMPTYING
}
