/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.run;

import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageCopier;
import java.io.IOException;

/** A run of a writer, with the helpers that copy images and prune beside it. Immutable. */
public final class ArchiveRun {

    private final ArchiveWriter writer;
    private final ImageCopier images;
    private final Pruning pruning;

    /** Deletes the objects that are no longer wanted. */
    public interface Pruning {

        /** The pruning that keeps everything. */
        Pruning NONE = () -> 0;

        /** Returns the number of objects that were deleted. */
        int prune() throws IOException;
    }

    public ArchiveRun(ArchiveWriter writer, ImageCopier images, Pruning pruning) {
        this.writer = writer;
        this.images = images;
        this.pruning = pruning;
    }

    public ArchiveWriter writer() {
        return writer;
    }

    public ImageCopier images() {
        return images;
    }

    Pruning pruning() {
        return pruning;
    }
}
