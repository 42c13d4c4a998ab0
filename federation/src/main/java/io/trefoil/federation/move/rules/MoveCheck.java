/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

/** A check whose findings all stand in the way of the move: a list of sentences or paths, empty if nothing was found. */
public enum MoveCheck {
    /** The blockers, because of which the move cannot begin. */
    BLOCKERS,
    /** Files that have fewer replicas at the target than HDFS should have. */
    REPLICAS,
    /** Upgrades that may be rolled back. */
    UPGRADES,
    /** Files that clients continued to write for as long as the move waited for them. */
    OPEN_FILES,
    /** Changes by a superuser at the source although it was closed. */
    CHANGES,
    /** Differences between the moved tree and the source's. */
    CONTRADICTIONS,
    /** Routers that do not follow the table. */
    ROUTERS
}
