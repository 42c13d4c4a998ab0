/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;

/**
 * The writer ends its term by itself: its lease is over, the next may come at once.
 */
@AutoValue
public abstract class StepDownRequest implements PoolRequest {

    public static StepDownRequest of(Epoch epoch) {
        return new AutoValue_StepDownRequest(epoch);
    }

    public abstract Epoch epoch();

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}
