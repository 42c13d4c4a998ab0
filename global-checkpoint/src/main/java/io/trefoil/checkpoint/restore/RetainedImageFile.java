/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** An image that this host keeps for the checkpoint. Immutable. */
@AutoValue
public abstract class RetainedImageFile {

    /** @param damage what is wrong with it; empty if it was read and has its checksum */
    public static RetainedImageFile of(String path, long txId, String storage, Optional<String> damage) {
        return new AutoValue_RetainedImageFile(path, txId, storage, damage);
    }

    public abstract String path();

    /** The last transaction in the image. */
    public abstract long txId();

    /** The namespace and the layout of the image, from the {@code VERSION} next to it. */
    public abstract String storage();

    public abstract Optional<String> damage();
}
