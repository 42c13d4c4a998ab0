/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;

/**
 * Announces committed entries if no batch follows that would carry this information (protocol page, "Writing", step 4). Gets no
 * reply: if it is lost, the next append says the same.
 */
@AutoValue
public abstract class CommitRequest implements ReplicaRequest {

    public static CommitRequest of(Epoch epoch, long committedSn) {
        return new AutoValue_CommitRequest(Incarnation.NONE, epoch, committedSn);
    }

    /** A copy from a writer of an incarnation. */
    public final CommitRequest withIncarnation(Incarnation incarnation) {
        return new AutoValue_CommitRequest(incarnation, epoch(), committedSn());
    }

    /** The incarnation of the writer's log: in another one the same epoch belongs to another writer (rule R11). */
    public abstract Incarnation incarnation();

    public abstract Epoch epoch();

    /** The serial number of an entry of this epoch. */
    public abstract long committedSn();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
