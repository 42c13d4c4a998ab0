/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;

/**
 * Asks what a node knows of the journal.
 */
@AutoValue
public abstract class StatusRequest implements PoolRequest {

    public static StatusRequest create() {
        return new AutoValue_StatusRequest();
    }

    @Override
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}
