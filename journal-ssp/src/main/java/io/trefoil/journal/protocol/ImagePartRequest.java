/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.protocol;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.ImageId;

/** Asks for one part of an image; parts are counted from 0. */
@AutoValue
public abstract class ImagePartRequest implements PoolRequest {

    public static ImagePartRequest of(ImageId image, int part) {
        return new AutoValue_ImagePartRequest(image, part);
    }

    public abstract ImageId image();

    public abstract int part();

    @Override
    public final <R, X extends Exception> R dispatch(Handler<R, X> handler) throws X {
        return handler.on(this);
    }
}
