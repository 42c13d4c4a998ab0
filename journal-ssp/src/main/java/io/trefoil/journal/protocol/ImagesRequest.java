/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;

/** Asks which images of the namespace a node holds. */
@AutoValue
public abstract class ImagesRequest implements PoolRequest {

    public static ImagesRequest create() {
        return new AutoValue_ImagesRequest();
    }

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
