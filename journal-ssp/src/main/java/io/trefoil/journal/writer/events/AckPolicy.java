/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

/** Describes which nodes must have edits on disk before an append returns (protocol page, "Policies"). */
public enum AckPolicy {
    /** A majority of the voters: acknowledged entries survive the loss of any minority. */
    QUORUM,
    /** A majority, and also every voter in sync: a standby that takes over has everything already. */
    ALL,
    /** The node in the writer's own process, or if there is none the first voter to acknowledge: losing it may lose edits. */
    ONE
}
