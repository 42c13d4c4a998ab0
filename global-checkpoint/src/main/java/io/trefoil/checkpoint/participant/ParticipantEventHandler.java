/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.messages.Messages;

/** The events that a participant receives. */
@Messages
public interface ParticipantEventHandler<X extends Exception> {
    /** A coordinator orders this NameNode to hold the namesystem's lock. */
    void freezeRequested(long request, FreezeOrder order) throws X;

    /** A coordinator orders a cut at the state held under the grant. */
    void cutRequested(long request, Grant grant, Agreement agreement) throws X;

    /** A coordinator orders the removal of everything that belongs to a checkpoint. */
    void abandonRequested(long request, CheckpointId id) throws X;

    /** The lock has been taken. */
    void locked() throws X;

    /** The lock was not taken and will not be. */
    void lockFailed(String reason) throws X;

    /** The segment has ended under the lock, and the lock is free. */
    void segmentCut(Cut cut) throws X;

    /** The cut failed, and the lock is free. */
    void cutFailed(String reason) throws X;

    /** The barrier is committed. */
    void marked() throws X;

    /** The write of the barrier failed: whether it is committed is unknown. */
    void markFailed(String reason) throws X;

    /** The journal has no barrier of the checkpoint, and no earlier writer can still commit one. */
    void markRemoved(CheckpointId id) throws X;

    /** The removal of the barrier failed: whether the journal has one of the checkpoint is unknown. */
    void unmarkFailed(CheckpointId id, String reason) throws X;

    /** Time has passed; arrives every few milliseconds. */
    void ticked() throws X;
}
