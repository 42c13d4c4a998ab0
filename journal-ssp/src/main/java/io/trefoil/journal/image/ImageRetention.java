/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.ImageId;
import java.util.Collection;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Decides which images a node keeps: the newest ones, those that a barrier needs, and those that are being fetched. */
public final class ImageRetention {

    private final int count;

    /** @param count how many of the newest images are always kept */
    public ImageRetention(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("At least one image is kept, wanted " + count);
        }
        this.count = count;
    }

    /**
     * The images of {@code heldImages} that are no longer needed.
     *
     * @param barriers for each, the newest image is kept that a restore to it can start from
     * @param beingFetched images of which a part was requested a short while ago
     */
    public SortedSet<ImageId> findUnneeded(
            Collection<ImageId> heldImages, Barriers barriers, Collection<ImageId> beingFetched) {
        NavigableSet<ImageId> needless = new TreeSet<>(heldImages);
        needless.removeAll(newestImages(heldImages));
        needless.removeAll(beingFetched);
        for (Barrier barrier : barriers.list()) {
            imageFor(heldImages, barrier).ifPresent(needless::remove);
        }
        return needless;
    }

    private SortedSet<ImageId> newestImages(Collection<ImageId> heldImages) {
        SortedSet<ImageId> newest = new TreeSet<>();
        for (ImageId image : new TreeSet<>(heldImages).descendingSet()) {
            if (newest.size() < count) {
                newest.add(image);
            }
        }
        return newest;
    }

    /** An older image would not suffice: transactions between it and the first that the barrier keeps would be missing. */
    private static Optional<ImageId> imageFor(Collection<ImageId> heldImages, Barrier barrier) {
        return heldImages.stream()
                .filter(image -> image.txId() >= barrier.keepFrom() - 1 && image.txId() <= barrier.txId())
                .max(Comparator.<ImageId>naturalOrder());
    }
}
