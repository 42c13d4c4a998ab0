/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.checkpoint.archive.store.ImageRecords;
import io.trefoil.foundation.Pause;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
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

/**
 * Copies the newest image of the pool to the archive.
 *
 * <p>A node drops an image whose transactions have become void, within a second or two of knowing that. So one counts that a node which
 * had committed some entry still holds some seconds later: its transactions were in force at that entry. It is copied when the archive
 * has that entry too, for a restore before it makes others out of the same numbers.
 */
final class ImageCopier {

    /** Longer than a node takes to drop an image. */
    private static final long DROPPED_MILLIS = 5_000;

    private static final long PERIOD_MILLIS = 15_000;

    /** How often it is looked whether the archive has got somewhere. */
    private static final long LOOK_MILLIS = 200;

    private final JournalOptions options;
    private final JournalLocation place;
    private final ArchiveStore store;
    private final ArchiveWriter writer;
    private final Path work;
    private volatile Optional<Throwable> end = Optional.empty();

    /** Waits until the archive has an entry. */
    interface CatchUp {
        /** Returns false if it will not. */
        boolean reaches(long sn) throws IOException;
    }

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

    /**
     * Fails if the thread that copies has ended.
     *
     * @throws IllegalStateException if it has, as nothing would copy images any more
     */
    void check() {
        end.ifPresent(failure -> {
            throw new IllegalStateException("Images are no longer copied: " + failure, failure);
        });
    }

    private void run(Troubles troubles) {
        try {
            while (true) {
                try {
                    if (writer.end().isPresent()) {
                        copyNewest(this::waitUntilArchived);
                        troubles.recovered();
                    }
                } catch (InterruptedIOException e) {
                    throw e;
                } catch (IOException e) {
                    troubles.add(e);
                }
                Pause.millis(PERIOD_MILLIS, "Interrupted");
            }
        } catch (IOException | RuntimeException | Error e) {
            end = Optional.of(e);
        }
    }

    /** Waits while the writer, in another thread, gets on with the same incarnation. */
    private boolean waitUntilArchived(long sn) throws IOException {
        Optional<Incarnation> incarnation = writer.incarnation();
        while (writer.incarnation().equals(incarnation)) {
            if (writer.end().get().sn() >= sn) {
                return true;
            }
            Pause.millis(LOOK_MILLIS, "Interrupted");
        }
        return false;
    }

    /** Copies the newest image unless the archive has it; returns whether it did. */
    boolean copyNewest(CatchUp archive) throws IOException {
        Incarnation incarnation = writer.incarnation().get();
        Optional<Held> newest = newest(incarnation);
        if (!newest.isPresent()
                || ImageRecords.has(store, incarnation, newest.get().image.id())
                || !archive.reaches(newest.get().committedSn)) {
            return false;
        }
        HeldImage image = newest.get().image;
        clear();
        try (PoolAdminClient patient = options.partClient(place)) {
            FetchedImage.fetch(patient, newest.get().images, image.id(), work, Progress.SILENT);
        }
        Pause.millis(DROPPED_MILLIS, "Interrupted");
        boolean counts =
                isHeldBy(newest.get().node, image.id()) && writer.incarnation().equals(Optional.of(incarnation));
        if (counts) {
            ImageRecords.put(
                    store,
                    ArchivedImage.of(
                            incarnation,
                            image.id(),
                            newest.get().committedSn,
                            System.currentTimeMillis(),
                            image.versionFile()),
                    work.resolve("current").resolve(image.fileName()));
        }
        clear();
        return counts;
    }

    /** An image, a node that holds it, and what that node has committed. */
    private static final class Held {
        private final HeldImage image;
        private final NodeAddress node;
        private final PoolImages images;
        private final long committedSn;

        Held(HeldImage image, NodeAddress node, PoolImages images, long committedSn) {
            this.image = image;
            this.node = node;
            this.images = images;
            this.committedSn = committedSn;
        }
    }

    /** The newest image that a node holds which has committed all of it, in a journal's incarnation. */
    private Optional<Held> newest(Incarnation incarnation) throws IOException {
        try (PoolAdminClient inquiry = options.ask(place)) {
            PoolStatus status = PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
            PoolImages images = PoolImages.of(status, inquiry);
            for (ImageId id : images.ids()) {
                for (NodeAddress node : images.nodes(id)) {
                    Optional<LogSummary> committed =
                            committed(status, node, incarnation).filter(summary -> summary.lastTxId() >= id.txId());
                    if (committed.isPresent()) {
                        return Optional.of(new Held(
                                images.image(id),
                                node,
                                images,
                                committed.get().position().sn()));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** What a node has committed, if its replica is of an incarnation. */
    private static Optional<LogSummary> committed(PoolStatus status, NodeAddress node, Incarnation incarnation) {
        return status.node(node)
                .flatMap(NodeStatus::reply)
                .map(StatusReply::committed)
                .filter(committed -> committed.incarnation().equals(incarnation));
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
}
