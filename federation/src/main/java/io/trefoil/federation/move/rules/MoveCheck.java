/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.rules;

/** A question of which every answer is in the way: nothing was found, or a list of what was, a sentence or path each. */
public enum MoveCheck {
    /** Why the move cannot begin. */
    BLOCKERS,
    /** Files of which the target has fewer replicas than HDFS is to have. */
    REPLICAS,
    /** Upgrades that may be rolled back. */
    UPGRADES,
    /** Files that clients went on writing as long as they were waited for. */
    OPEN_FILES,
    /** Changes by a superuser at the source although it was closed. */
    CHANGES,
    /** Differences between the moved tree and that of the source. */
    CONTRADICTIONS,
    /** Routers that do not follow the table. */
    ROUTERS
}
