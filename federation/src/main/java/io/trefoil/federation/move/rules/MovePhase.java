/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

/**
 * The phase that a move may have reached, as its record tells a process that carries it on. Whether the owner has
 * changed is in the table alone.
 */
public enum MovePhase {
    /** Clients work at the source; the target may have a part of the tree. */
    COPYING,
    /** The source's folder may be frozen or closed to clients. */
    PAUSED,
    /** The owner has changed, and clients work at the target; the source's folder is still closed. */
    OPENED,
    /** The owner has changed, and what was at the source is being deleted. */
    EMPTYING
}
