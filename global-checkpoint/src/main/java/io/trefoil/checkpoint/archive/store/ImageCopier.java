/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Copies the newest image of the pool to the archive. Used by one thread, beside that of the writer.
 *
 * <p>A node drops an image whose transactions have become void, within a second or two of knowing that. So one counts that a node which
 * had committed some entry still holds some seconds later: its transactions were in force at that entry. It is copied when the archive
 * has that entry too, for a restore before it makes others out of the same numbers.
 */
public final class ImageCopier {

    /** Longer than a node takes to drop an image. */
    private static final long DROPPED_MILLIS = 5_000;

    /** How often it is looked whether the archive has got somewhere. */
    private static final long LOOK_MILLIS = 200;

    private final ImageHolders holders;
    private final ArchiveStore store;
    private final ArchiveWriter writer;
    private final ImageRecords.Pace pace;
    private final LongSupplier clock;

    /** Waits until the archive has an entry. */
    public interface CatchUp {
        /** Returns true once the archive has the entry, false if it never will. */
        boolean awaitArchived(long sn) throws IOException;
    }

    /**
     * @param pace limits how fast an image is read
     * @param clock milliseconds since 1970
     */
    public ImageCopier(
            ImageHolders holders,
            ArchiveStore store,
            ArchiveWriter writer,
            ImageRecords.Pace pace,
            LongSupplier clock) {
        this.holders = holders;
        this.store = store;
        this.writer = writer;
        this.pace = pace;
        this.clock = clock;
    }

    /** Copies the newest image unless the archive has it, while the writer gets on in another thread; returns whether it did. */
    public boolean copyNewest() throws IOException {
        return writer.archivedUpTo().isPresent() && copyNewest(this::waitUntilArchived);
    }

    /** Waits until the archive has an entry; returns false if the writer continues with another incarnation before. */
    private boolean waitUntilArchived(long sn) throws IOException {
        Optional<Incarnation> incarnation = writer.incarnation();
        while (writer.incarnation().equals(incarnation)) {
            if (writer.archivedUpTo().get().sn() >= sn) {
                return true;
            }
            Pause.sleepMillis(LOOK_MILLIS, "Interrupted");
        }
        return false;
    }

    /** Copies the newest image unless the archive has it; returns whether it did. */
    public boolean copyNewest(CatchUp archive) throws IOException {
        Incarnation incarnation = writer.incarnation().get();
        Map<NodeAddress, LogSummary> committed = holders.committedByNode(incarnation);
        Optional<ImageHolders.ImageReplica> newest = holders.availableImages().stream()
                .filter(held -> committed.containsKey(held.node())
                        && committed.get(held.node()).lastTxId()
                                >= held.image().id().txId())
                .findFirst();
        if (!newest.isPresent()) {
            return false;
        }
        HeldImage image = newest.get().image();
        long confirmedSn = committed.get(newest.get().node()).position().sn();
        if (ImageRecords.has(store, incarnation, image.id()) || !archive.awaitArchived(confirmedSn)) {
            return false;
        }
        return holders.useFile(image, file -> {
            Pause.sleepMillis(DROPPED_MILLIS, "Interrupted");
            boolean counts = isHeld(newest.get()) && writer.incarnation().equals(Optional.of(incarnation));
            if (counts) {
                ImageRecords.put(
                        store,
                        ArchivedImage.of(incarnation, image.id(), confirmedSn, clock.getAsLong(), image.versionFile()),
                        file,
                        pace);
            }
            return counts;
        });
    }

    private boolean isHeld(ImageHolders.ImageReplica held) throws IOException {
        return holders.availableImages().stream()
                .anyMatch(one -> one.node().equals(held.node())
                        && one.image().id().equals(held.image().id()));
    }
}
