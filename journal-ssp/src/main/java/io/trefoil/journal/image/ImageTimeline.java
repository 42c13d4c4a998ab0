/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.SegmentInfo;
import java.util.List;

/**
 * Whether the transactions of an image are still part of the journal's current timeline. A rollback makes transactions void,
 * and new ones get their ids; an image saved before the rollback would bring the void ones back.
 */
public enum ImageTimeline {
    /** The journal has the image's transactions, or had them before they were purged. */
    SAME,
    /** The image's transactions have become void since it was published. */
    VOID,
    /** The replica's committed entries do not reach the point at which the image was published. */
    UNKNOWN;

    /**
     * @param publishedSn an entry that was committed when the image was published, at or after that of the image's last transaction
     * @param committedSn the last entry that is now known to be committed
     * @param segments the committed segments, in order, at least those with transactions at or above the image's last one
     */
    public static ImageTimeline of(ImageId image, long publishedSn, long committedSn, List<SegmentInfo> segments) {
        if (committedSn < publishedSn) {
            return UNKNOWN;
        }
        if (image.txId() == 0) {
            return SAME;
        }
        for (SegmentInfo segment : segments) {
            if (segment.txIds().last() >= image.txId()) {
                boolean isPurged = segment.txIds().first() > image.txId();
                // After a rollback a new segment begins, and its entries come after all earlier ones.
                return isPurged || segment.readFromSn() <= publishedSn ? SAME : VOID;
            }
        }
        return VOID;
    }
}
