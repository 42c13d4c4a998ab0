/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.image;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.ImageId;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Decides whether a NameNode that is not running can start from its own image and catch up from the journal, or first
 * needs another image (paper §4.2.3). Immutable.
 */
@AutoValue
public abstract class RenewalDecision {

    /**
     * @param ownImage the transaction of the newest image in the name directories; empty if there is none
     * @param oldestKept the oldest transaction that every node still has; empty if the journal has none at all
     * @param barriers the journal's barriers, as a majority knows them
     */
    public static RenewalDecision of(Optional<Long> ownImage, Optional<Long> oldestKept, Barriers barriers) {
        return new AutoValue_RenewalDecision(ownImage, oldestKept, barriers);
    }

    public abstract Optional<Long> localImage();

    public abstract Optional<Long> oldestKept();

    abstract Barriers barriers();

    /** Whether the NameNode needs another image, because it has none or the journal does not continue from it. */
    public final boolean isNeeded() {
        return !localImage().isPresent() || !canContinueFrom(localImage().get());
    }

    private boolean canContinueFrom(long image) {
        return !oldestKept().isPresent() || image + 1 >= oldestKept().get();
    }

    /**
     * The image to start from: the newest one that the journal continues from, and that cannot contain void transactions; a
     * node that has not learned of a restore may offer such images. Empty if there is none.
     */
    public final Optional<ImageId> chooseImage(Collection<ImageId> pool) {
        return pool.stream()
                .filter(image -> canContinueFrom(image.txId()))
                .filter(image -> !barriers().findVoiding(image.txId()).isPresent())
                .max(Comparator.<ImageId>naturalOrder());
    }

    /** Returns why images that may contain void transactions were passed over; empty if none was. */
    public final Optional<String> describeSkipped(Collection<ImageId> pool) {
        for (ImageId image : pool) {
            Optional<Barrier> barrier = barriers().findVoiding(image.txId());
            if (barrier.isPresent()) {
                return Optional.of("transactions " + (barrier.get().txId() + 1) + " to "
                        + barrier.get().voidedUpTo() + " became void in the restore to "
                        + barrier.get().name()
                        + ", and an image of one of these may be from before it");
            }
        }
        return Optional.empty();
    }

    @Override
    public final String toString() {
        return localImage()
                        .map(image -> "the newest image of this NameNode is of transaction " + image)
                        .orElse("this NameNode has no image")
                + oldestKept()
                        .map(oldest -> ", the journal goes back to transaction " + oldest)
                        .orElse(", the journal is empty");
    }
}
