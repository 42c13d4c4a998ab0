/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;

/** Allows a node to delete whole log files that contain only segments ending below a transaction. */
@AutoValue
public abstract class PurgeRequest implements ReplicaRequest {

    public static PurgeRequest of(Epoch epoch, long minTxId) {
        return new AutoValue_PurgeRequest(Incarnation.NONE, epoch, minTxId);
    }

    /** A copy from a writer of an incarnation. */
    public final PurgeRequest withIncarnation(Incarnation incarnation) {
        return new AutoValue_PurgeRequest(incarnation, epoch(), minTxId());
    }

    /** The incarnation of the writer's log: in another one the same epoch belongs to another writer (rule R11). */
    public abstract Incarnation incarnation();

    public abstract Epoch epoch();

    /** The lowest transaction that must stay readable. */
    public abstract long minTxId();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
