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
    public final <R> R dispatch(Handler<R> handler) {
        return handler.on(this);
    }
}
