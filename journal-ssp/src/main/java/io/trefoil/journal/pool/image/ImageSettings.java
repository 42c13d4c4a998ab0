/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Describes which images a pool node publishes, and how much bandwidth it grants them. Immutable. */
@AutoValue
public abstract class ImageSettings {

    /** The default: publishes no images of its own, keeps two, and serves 50 MiB per second. */
    public static final ImageSettings DEFAULT = of(2, 50L << 20);

    /**
     * The least bandwidth, in bytes per second: a part takes a second then; a node that is sent less gives up on the image before it is
     * complete.
     */
    public static final long MIN_BYTES_PER_SECOND = 1L << 20;

    /**
     * @param retained how many of the newest images are kept in any case
     * @param bytesPerSecond limit for reading images to publish, and the same for serving them
     */
    public static ImageSettings of(int retained, long bytesPerSecond) {
        if (retained < 1 || bytesPerSecond < 1) {
            throw new IllegalArgumentException("At least one image is kept, and served at one byte a second, wanted "
                    + retained + " and " + bytesPerSecond);
        }
        return new AutoValue_ImageSettings(Collections.<JournalId, List<Path>>emptyMap(), retained, bytesPerSecond);
    }

    /** The name directories of the NameNode in this process, whose images are published. */
    public abstract Map<JournalId, List<Path>> sourceDirectories();

    public abstract int retainedCount();

    public abstract long bytesPerSecond();

    /** A copy for a node in a NameNode, whose images it publishes. */
    public final ImageSettings withSourceDirectories(Map<JournalId, List<Path>> nameDirectories) {
        return new AutoValue_ImageSettings(nameDirectories, retainedCount(), bytesPerSecond());
    }
}
