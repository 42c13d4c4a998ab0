/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;

/** Asks which committed segments hold transactions from {@code fromTxId} on. */
@AutoValue
public abstract class SegmentsRequest implements ReplicaRequest {

    public static SegmentsRequest of(long fromTxId) {
        return new AutoValue_SegmentsRequest(fromTxId);
    }

    public abstract long fromTxId();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
