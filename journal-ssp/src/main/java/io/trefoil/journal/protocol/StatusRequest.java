/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;

/** Asks a node for its status of the journal. */
@AutoValue
public abstract class StatusRequest implements ReplicaRequest {

    public static StatusRequest create() {
        return new AutoValue_StatusRequest();
    }

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
