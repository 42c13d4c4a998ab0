/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.NodeAddress;

/** Describes how far one node has progressed, as its writer sees it. Immutable. */
@AutoValue
public abstract class NodeProgress {

    public static NodeProgress of(
            NodeAddress address,
            boolean up,
            boolean voter,
            boolean inSync,
            long matchedSn,
            long underWay,
            long timeouts,
            boolean slowReader,
            boolean newerIncarnation) {
        return new AutoValue_NodeProgress(
                address, up, voter, inSync, matchedSn, underWay, timeouts, slowReader, newerIncarnation);
    }

    public abstract NodeAddress address();

    /** Whether the writer has a session with the node. */
    public abstract boolean connected();

    public abstract boolean voter();

    /** Whether the node is sent each entry as it is written. */
    public abstract boolean inSync();

    /** The serial number up to which the node's log is durable and the same as the writer's; 0 if that is not known. */
    public abstract long matchedSn();

    /** Returns the number of entries that the node was sent as they were written, and has not acknowledged yet. */
    public abstract long inFlightCount();

    /**
     * Returns how often the node was dropped from the in-sync set since this writer began, because it did not
     * acknowledge in time.
     */
    public abstract long timeoutCount();

    /** Whether the node gets no read lease because commits waited too long for it. */
    public abstract boolean slowReader();

    /** Whether the node holds a newer incarnation of the journal: the journal was initialized again, at least on that node (rule R11). */
    public abstract boolean newerIncarnation();
}
