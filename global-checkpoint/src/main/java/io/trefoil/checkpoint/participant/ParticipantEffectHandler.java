/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.participant;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.messages.Messages;

/** The effects that a participant requests. */
@Messages
public interface ParticipantEffectHandler<X extends Exception> {
    /** Chooses and keeps an image, then takes the lock; answered by {@code locked} or {@code lockFailed}. */
    void lock(FreezeOrder order) throws X;

    /** Stops waiting for the lock; {@code locked} or {@code lockFailed} still follows. */
    void abandonLock() throws X;

    /**
     * Makes everything so far durable, ends the segment and releases the lock; answered by {@code segmentCut} or {@code cutFailed} when the
     * lock is free.
     */
    void cutSegment(FreezeOrder order) throws X;

    /** Releases the lock. */
    void unlock(FreezeOrder order) throws X;

    /** Commits a barrier; answered by {@code marked} or {@code markFailed}. */
    void mark(Manifest manifest) throws X;

    /**
     * Removes whatever exists of a checkpoint: its barrier, its snapshot, its image; answered by {@code unmarked} or {@code unmarkFailed}.
     * Only a NameNode that could still write to the journal after it looked may answer {@code unmarked}.
     */
    void removeMark(CheckpointId id) throws X;

    void answerFrozen(long request, Grant grant) throws X;

    void answerCut(long request, Cut cut) throws X;

    void answerAbandoned(long request, CheckpointId id) throws X;

    void refuse(long request, String reason) throws X;
}
