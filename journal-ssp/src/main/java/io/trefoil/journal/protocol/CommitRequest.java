/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;

/**
 * Tells that entries are committed, when no batch follows that would tell it (protocol page, "Writing", step 4).
 * Never answered: if it is lost, the next append says the same.
 */
@AutoValue
public abstract class CommitRequest implements PoolRequest {

    public static CommitRequest of(Epoch epoch, long committedSn) {
        return new AutoValue_CommitRequest(epoch, committedSn);
    }

    public abstract Epoch epoch();

    public abstract long committedSn();

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}
