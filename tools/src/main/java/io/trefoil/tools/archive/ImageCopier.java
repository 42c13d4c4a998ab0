/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.LinePoint;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.image.FetchedImage;
import io.trefoil.tools.image.PoolImages;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Copies the newest image of the pool to the archive.
 *
 * <p>A node drops an image whose transactions have become void, within a second or two of knowing that. So one counts that a node
 * holds which had committed as much as the archive has, and still holds some seconds later: its transactions were in force at the
 * end of the archive when that was looked at.
 */
final class ImageCopier {

    /** Longer than a node takes to drop an image. */
    private static final long DROPPED_MILLIS = 5_000;

    private static final long PERIOD_MILLIS = 15_000;

    private final JournalOptions options;
    private final JournalLocation place;
    private final ArchiveStore store;
    private final ArchiveWriter writer;
    private final Path work;

    ImageCopier(JournalOptions options, JournalLocation place, ArchiveStore store, ArchiveWriter writer, Path work) {
        this.options = options;
        this.place = place;
        this.store = store;
        this.writer = writer;
        // What is in it is deleted; never anything that is not ours.
        this.work = work.resolve("trefoil-archive-" + place.journal().text());
    }

    /** Copies each new image from now on, in a thread of its own. */
    void start(Troubles troubles) {
        Thread thread = new Thread(() -> run(troubles), "archive-images");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Troubles troubles) {
        while (true) {
            try {
                if (writer.end().isPresent()) {
                    copyNewest();
                    troubles.over();
                }
                pause(PERIOD_MILLIS);
            } catch (InterruptedIOException e) {
                return;
            } catch (IOException e) {
                troubles.met(e);
                try {
                    pause(PERIOD_MILLIS);
                } catch (InterruptedIOException interrupted) {
                    return;
                }
            }
        }
    }

    /** Copies the newest image unless the archive has it; returns whether it did. */
    boolean copyNewest() throws IOException {
        Incarnation incarnation = writer.incarnation().get();
        LinePoint end = writer.end().get();
        Optional<Held> newest = newest(end.sn());
        boolean isNew = newest.isPresent()
                && new ArchiveReader(store)
                        .contents().images().stream()
                                .noneMatch(one -> one.incarnation().equals(incarnation)
                                        && one.id().equals(newest.get().image.id()));
        if (!isNew || newest.get().image.id().txId() > end.lastTxId()) {
            return false;
        }
        HeldImage image = newest.get().image;
        clear();
        try (PoolAdminClient patient = options.askForParts(place)) {
            FetchedImage.fetch(patient, newest.get().images, image.id(), work, Progress.SILENT);
        }
        pause(DROPPED_MILLIS);
        if (!isHeldBy(newest.get().node, image.id()) || !writer.incarnation().equals(Optional.of(incarnation))) {
            clear();
            return false;
        }
        ImageRecords.put(
                store,
                ArchivedImage.of(incarnation, image.id(), end.sn(), System.currentTimeMillis(), image.versionFile()),
                work.resolve("current").resolve(image.fileName()));
        clear();
        return true;
    }

    /** An image, and a node that holds it. */
    private static final class Held {
        private final HeldImage image;
        private final NodeAddress node;
        private final PoolImages images;

        Held(HeldImage image, NodeAddress node, PoolImages images) {
            this.image = image;
            this.node = node;
            this.images = images;
        }
    }

    /** The newest image that a node holds that has committed an entry. */
    private Optional<Held> newest(long committedSn) throws IOException {
        try (PoolAdminClient inquiry = options.ask(place)) {
            PoolStatus status = PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
            PoolImages images = PoolImages.of(status, inquiry);
            for (ImageId id : images.ids()) {
                for (NodeAddress node : images.nodes(id)) {
                    boolean isAbreast = status.node(node)
                            .flatMap(NodeStatus::reply)
                            .map(StatusReply::committed)
                            .filter(committed -> committed.position().sn() >= committedSn
                                    && committed
                                            .incarnation()
                                            .equals(writer.incarnation().get()))
                            .isPresent();
                    if (isAbreast) {
                        return Optional.of(new Held(images.image(id), node, images));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private boolean isHeldBy(NodeAddress node, ImageId id) throws IOException {
        try (PoolAdminClient inquiry = options.ask(place)) {
            PoolImages images = PoolImages.of(PoolSurvey.of(place, inquiry, Long.MAX_VALUE), inquiry);
            return images.ids().contains(id) && images.nodes(id).contains(node);
        }
    }

    /** Deletes what an image left, but not the lock of another process. */
    private void clear() throws IOException {
        new WorkDirectory(work, "current").clear();
    }

    private static void pause(long millis) throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted");
        }
    }
}
