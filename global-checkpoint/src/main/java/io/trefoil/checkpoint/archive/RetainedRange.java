/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;

/** Describes which objects of an incarnation stay in an archive. Immutable. */
@AutoValue
public abstract class RetainedRange {

    /** An empty range. */
    public static final RetainedRange NOTHING = new AutoValue_RetainedRange(Long.MAX_VALUE, Long.MAX_VALUE);

    static RetainedRange from(long sn, long imageTxId) {
        return new AutoValue_RetainedRange(sn, imageTxId);
    }

    /** The entries behind this one stay. */
    abstract long sn();

    /** The images of this transaction and later ones stay. */
    abstract long imageTxId();

    /** Whether a chunk has entries that stay. */
    public final boolean containsChunk(ChunkName chunk) {
        return chunk.lastSn() > sn();
    }

    /** Whether the images of a transaction stay. */
    public final boolean containsImage(long txId) {
        return txId >= imageTxId();
    }

    /** Whether the oldest image is the same as that of another decision. */
    public final boolean hasSameImages(RetainedRange other) {
        return imageTxId() == other.imageTxId();
    }
}
