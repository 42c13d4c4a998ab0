/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.SegmentInfo;
import java.util.List;

/**
 * Whether the transactions of an image are still part of the journal's current line. A rollback makes transactions
 * void, and others get their numbers; an image saved before that would bring the void ones back.
 */
public enum Lineage {
    /** The journal has, or had before they were purged, the transactions that are in it. */
    SAME,
    /** They became void since it was published. */
    VOID,
    /** The replica of the journal is not as far as it was when the image was published. */
    UNKNOWN;

    /**
     * @param publishedSn an entry at or behind that of the image's last transaction; committed when it was published
     * @param committedSn the last entry that is known to be committed now
     * @param segments the committed segments, in order, at least those with transactions at or above the image's last one
     */
    public static Lineage of(ImageId image, long publishedSn, long committedSn, List<SegmentInfo> segments) {
        if (committedSn < publishedSn) {
            return UNKNOWN;
        }
        if (image.txId() == 0) {
            return SAME;
        }
        for (SegmentInfo segment : segments) {
            if (segment.txIds().last() >= image.txId()) {
                boolean isPurged = segment.txIds().first() > image.txId();
                // What follows a rollback is a new segment, with entries behind all that was before.
                return isPurged || segment.foundSn() <= publishedSn ? SAME : VOID;
            }
        }
        return VOID;
    }
}
