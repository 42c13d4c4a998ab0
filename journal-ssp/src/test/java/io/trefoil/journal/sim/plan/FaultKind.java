/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

/** A kind of fault that the nemesis may inject. */
public enum FaultKind {
    /** A link carries nothing in one direction for a while. */
    CUT_ONE_WAY,
    /** A host neither receives nor sends anything for a while. */
    ISOLATE,
    /** A site neither receives nor sends anything for a while. Only where there are several. */
    CUT_SITE,
    /** A link carries nothing in one direction for a while, then everything that was held up. */
    CLOG,
    /** Connections are reset. */
    RESET_SESSION,
    /** A node loses its power; what was not synced is torn or gone. */
    POWER_LOSS,
    /** A node loses its power in the middle of an operation of its disk. */
    POWER_LOSS_IN_OPERATION,
    /** A node's process is killed. */
    KILL,
    /** A durable entry rots, and its node restarts, or goes on and finds the damage when the entry is read. */
    ROT,
    /** One operation of a disk fails. */
    DISK_ERROR,
    /** Every operation of a disk fails for a while. */
    DISK_FULL,
    /** A node's process runs out of memory in one operation, and goes on. */
    NO_MEMORY,
    /** A disk is slow to sync for a while. */
    DISK_SLOW,
    /** A node, and a writer in its process, pause for a while. */
    PAUSE_NODE,
    /** A writer pauses for a while. */
    PAUSE_WRITER,
    /** A writer's process dies. */
    KILL_WRITER,
    /** A firewall rejects connections, so that to some nodes a live writer looks dead. */
    SEEM_GONE,
    /** A writer ends its term by itself. */
    STEP_DOWN,
    /** Another writer starts. */
    START_WRITER,
    /** A node's disk is lost; the node returns with an empty one. */
    LOSE_DISK,
    /** A node's disk is lost while it is cut off, and the journal is formatted there alone. Only where a test wants it. */
    FORMAT_ALONE,
    /** A node's disk is exchanged for an empty one, or for an earlier one. */
    EXCHANGE_DISK,
    /** An operator has a node fetch its whole log again. */
    START_OVER,
    /** An operator asks for a node to become a member, to be removed, or for both. */
    CHANGE_MEMBERS,
    /** Old entries are purged, or a barrier that needs them is added or released. */
    PURGE
}
