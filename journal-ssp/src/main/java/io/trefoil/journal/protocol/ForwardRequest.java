/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;

/**
 * Forwards a client's call from one NameNode to the active one. Only these two interpret it: to a pool node it is bytes.
 */
@AutoValue
public abstract class ForwardRequest implements PoolRequest {

    public static ForwardRequest of(Bytes call) {
        return new AutoValue_ForwardRequest(call);
    }

    public abstract Bytes call();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
