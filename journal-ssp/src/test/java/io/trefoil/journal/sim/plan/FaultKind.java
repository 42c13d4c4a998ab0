/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.plan;

/** What the nemesis may do. */
public enum FaultKind {
    /** One direction between two hosts carries nothing for a while. */
    CUT_ONE_WAY,
    /** A host hears and says nothing for a while. */
    ISOLATE,
    /** One direction between two hosts carries nothing for a while, then everything. */
    CLOG,
    /** Connections are reset. */
    RESET_SESSION,
    /** A node loses its power; what was not synced is torn or gone. */
    POWER_LOSS,
    /** A node loses its power in the middle of an operation of its disk. */
    POWER_LOSS_IN_OPERATION,
    /** A node's process is killed. */
    KILL,
    /** A durable entry rots, and its node starts again, or goes on and finds it when somebody wants it. */
    ROT,
    /** One operation of a disk fails. */
    DISK_ERROR,
    /** Every operation of a disk fails for a while. */
    DISK_FULL,
    /** A node's process has no memory for one thing that it does, and goes on. */
    NO_MEMORY,
    /** A disk takes long to sync for a while. */
    DISK_SLOW,
    /** A node, and a writer in its process, stand still for a while. */
    PAUSE_NODE,
    /** A writer stands still for a while. */
    PAUSE_WRITER,
    /** A writer's process dies. */
    KILL_WRITER,
    /** A firewall refuses, so that to some nodes a living writer looks like a dead one. */
    SEEM_GONE,
    /** A writer ends its term by itself. */
    STEP_DOWN,
    /** One more writer begins. */
    START_WRITER,
    /** A node's disk is lost; it comes back with an empty one. */
    LOSE_DISK,
    /** A node's disk is exchanged for an empty one, or for one that was there before. */
    EXCHANGE_DISK,
    /** An operator has a node fetch its whole log again. */
    START_OVER,
    /** Somebody wants a node to become a member, or one to be one no longer, or both. */
    CHANGE_MEMBERS,
    /** Old entries are no longer needed, or a barrier that needs them is added or released. */
    PURGE
}
