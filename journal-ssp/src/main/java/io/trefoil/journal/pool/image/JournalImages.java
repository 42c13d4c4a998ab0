/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import io.trefoil.journal.image.ImageRetention;
import io.trefoil.journal.image.ImageTimeline;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.storage.image.ImageSource;
import io.trefoil.journal.storage.image.ImageStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The images that one node holds of one journal's namespace: finds images worth holding in the name directories,
 * publishes them, and releases those no longer needed. {@link #publishAndPurge} is for the publishing thread, everything else for
 * any.
 */
final class JournalImages {

    private static final Logger LOG = LoggerFactory.getLogger(JournalImages.class);

    /** The time within which a caller that fetches parts sends its next request, unless it is gone. */
    private static final long FETCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    /** The longest time between the request for the list of images and that for the first part. */
    private static final long CHOICE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final JournalId journal;
    private final JournalReplica replica;
    private final Path nodeDirectory;
    private final List<Path> nameDirectories;
    private final ImageRetention retention;
    private final ImageStore.ReadLimit publishing;
    private final BooleanSupplier isEnding;
    private final Map<ImageId, Long> askedNanos = new HashMap<>();
    private final Set<ImageId> unfit = new TreeSet<>();
    /** The status at the last check, so that requests between checks never wait for the replica's lock. */
    private volatile Optional<StatusReply> seenStatus = Optional.empty();

    /** The replica's incarnation at the last check. */
    private Optional<Incarnation> publishedIncarnation = Optional.empty();

    private volatile Optional<ImageStore> store = Optional.empty();
    private List<ImageSource> sources = Collections.emptyList();
    private String lastTrouble = "";

    /**
     * @param nodeDirectory of the pool node, where links to images are kept
     * @param publishing limits how fast an image is read to be published
     * @param isEnding whether the publishing thread was told to stop
     */
    JournalImages(
            JournalId journal,
            JournalReplica replica,
            Path nodeDirectory,
            List<Path> nameDirectories,
            ImageRetention retention,
            ImageStore.ReadLimit publishing,
            BooleanSupplier isEnding) {
        this.journal = journal;
        this.replica = replica;
        this.nodeDirectory = nodeDirectory;
        this.nameDirectories = nameDirectories;
        this.retention = retention;
        this.publishing = publishing;
        this.isEnding = isEnding;
    }

    JournalReplica replica() {
        return replica;
    }

    /** The held images of the journal's own namespace: after a format, older ones may still be there. */
    List<HeldImage> heldImages() {
        NamespaceId namespace = seenStatus.map(StatusReply::namespace).orElse(NamespaceId.UNKNOWN);
        List<HeldImage> held = new ArrayList<>();
        store.ifPresent(open -> open.heldImages().stream()
                .filter(image -> image.belongsTo(namespace))
                .forEach(held::add));
        return held;
    }

    /**
     * The held images, for a caller that will fetch the newest next: the newest is kept for {@code CHOICE_NANOS}; older ones may be
     * released.
     */
    List<HeldImage> listForFetch() {
        List<HeldImage> held = heldImages();
        if (!held.isEmpty()) {
            ImageId newest = held.get(held.size() - 1).id();
            long asIfAskedNanos = System.nanoTime() - FETCH_NANOS + CHOICE_NANOS;
            synchronized (askedNanos) {
                // A fetch in progress keeps the image for longer.
                askedNanos.merge(newest, asIfAskedNanos, (one, other) -> one - other > 0 ? one : other);
            }
        }
        return held;
    }

    Optional<HeldImage> findHeldImage(ImageId id) {
        return store.flatMap(open -> open.findHeldImage(id));
    }

    private boolean isHeld(ImageId id) {
        return findHeldImage(id).isPresent();
    }

    PoolReply readPart(ImagePartRequest request) throws IOException {
        synchronized (askedNanos) {
            askedNanos.put(request.image(), System.nanoTime());
        }
        ImageStore imageStore = store.orElseThrow(() -> new IOException("No image is held here"));
        StatusReply status = seenStatus.orElseThrow(() -> new IOException("There is no replica of the journal here"));
        return ImagePartReply.of(status.node(), imageStore.read(request.image(), request.part()));
    }

    /** Publishes and releases images once; whatever fails is retried at the next check. */
    void publishAndPurge() {
        try {
            if (!store.isPresent()) {
                openStore();
            }
            Optional<PoolReply> seen = replica.perform(StatusRequest.create());
            if (store.isPresent() && seen.isPresent()) {
                releaseLostImages(store.get(), seen.get());
            }
            seenStatus = seen.filter(StatusReply.class::isInstance).map(StatusReply.class::cast);
            if (store.isPresent() && seenStatus.isPresent()) {
                publishAndRelease(store.get(), seenStatus.get());
                holdRollbackImages(store.get(), seenStatus.get());
            }
            lastTrouble = "";
        } catch (IOException | RuntimeException e) {
            // A persistent error would fill the log.
            if (!isEnding.getAsBoolean() && !lastTrouble.equals(e.toString())) {
                lastTrouble = e.toString();
                LOG.warn("Cannot publish the images of journal={}; retrying", journal, e);
            }
        }
    }

    /**
     * Opens the store where hard links are possible: in the node's directory, or in a name directory if all of them are
     * on other file systems.
     */
    private void openStore() throws IOException {
        List<ImageSource> there = new ArrayList<>();
        List<ImageSource> beside = new ArrayList<>();
        FileStore ours = Files.getFileStore(nodeDirectory);
        for (Path directory : nameDirectories) {
            if (Files.isDirectory(directory)) {
                ImageSource source = new ImageSource(directory);
                there.add(source);
                if (Files.getFileStore(directory).equals(ours)) {
                    beside.add(source);
                }
            }
        }
        if (there.isEmpty()) {
            return;
        }
        Path place = nodeDirectory.resolve(journal + ".images");
        sources = beside;
        if (beside.isEmpty()) {
            sources = there.subList(0, 1);
            place = there.get(0)
                    .nameDirectory()
                    .resolve("trefoil")
                    .resolve("images")
                    .resolve(journal.text());
            LOG.info(
                    "Images of journal={} are kept in dir={}: the name directory is on another file system "
                            + "than nodeDir={}, and no second copy is made",
                    journal,
                    place,
                    nodeDirectory);
        }
        store = Optional.of(ImageStore.open(place, publishing));
    }

    /**
     * Releases images that may contain transactions lost in a promotion, whose txids now belong to other transactions. A node whose
     * replica moves to another incarnation releases all images, and holds none until its NameNode has been bootstrapped
     * again. A node that merely lost its storage keeps them.
     */
    private void releaseLostImages(ImageStore imageStore, PoolReply seenReply) throws IOException {
        if (seenReply instanceof StatusReply) {
            Incarnation now = ((StatusReply) seenReply).end().incarnation();
            boolean isOther = publishedIncarnation.isPresent()
                    && !publishedIncarnation.get().equals(now);
            publishedIncarnation = Optional.of(now);
            if (isOther || !belongsToAnySource(now)) {
                for (HeldImage image : imageStore.heldImages()) {
                    imageStore.release(image.id());
                    LOG.info("Dropped image={}: it may be from another incarnation of the journal", image);
                }
            }
        }
    }

    private boolean belongsToAnySource(Incarnation incarnation) throws IOException {
        for (ImageSource source : sources) {
            if (source.mayBeOf(incarnation)) {
                return true;
            }
        }
        return sources.isEmpty();
    }

    private void publishAndRelease(ImageStore imageStore, StatusReply status) throws IOException {
        releaseVoid(imageStore);
        Set<ImageId> all = new TreeSet<>();
        heldImages().stream().filter(image -> !image.isRollback()).forEach(image -> all.add(image.id()));
        Map<ImageSource, SortedMap<ImageId, Path>> imagesBySource = new HashMap<>();
        for (ImageSource source : sources) {
            boolean isOurs = source.belongsTo(status.namespace())
                    && source.mayBeOf(status.end().incarnation());
            SortedMap<ImageId, Path> images = isOurs ? source.images() : new TreeMap<>();
            // An image newer than this replica is published when the replica has caught up.
            images.keySet()
                    .removeIf(image -> image.txId() > status.committedSummary().lastTxId());
            images.keySet().removeAll(unfit);
            imagesBySource.put(source, images);
            all.addAll(images.keySet());
        }
        Set<ImageId> beingFetched = imagesBeingFetched();
        Set<ImageId> needless =
                retention.findUnneeded(all, status.committedSummary().barriers(), beingFetched);
        // A barrier counts from when it is written, its release only once committed (rule R10).
        needless.retainAll(retention.findUnneeded(all, status.end().barriers(), beingFetched));
        for (ImageSource source : sources) {
            for (Map.Entry<ImageId, Path> image : imagesBySource.get(source).entrySet()) {
                if (!needless.contains(image.getKey()) && !isHeld(image.getKey())) {
                    publish(imageStore, status, source, image);
                }
            }
        }
        for (ImageId image : needless) {
            if (isHeld(image)) {
                imageStore.release(image);
                LOG.info("Dropped image={}", image);
            }
        }
    }

    /** Holds the rollback image of a rolling upgrade for as long as HDFS does. */
    private void holdRollbackImages(ImageStore imageStore, StatusReply status) throws IOException {
        Set<ImageId> there = new TreeSet<>();
        for (ImageSource source : sources) {
            boolean isOurs = source.belongsTo(status.namespace())
                    && source.mayBeOf(status.end().incarnation());
            SortedMap<ImageId, Path> images = isOurs ? source.rollbackImages() : new TreeMap<>();
            images.keySet()
                    .removeIf(image -> image.txId() > status.committedSummary().lastTxId());
            images.keySet().removeAll(unfit);
            there.addAll(images.keySet());
            for (Map.Entry<ImageId, Path> image : images.entrySet()) {
                if (!isHeld(image.getKey())) {
                    publish(imageStore, status, source, image);
                }
            }
        }
        for (HeldImage image : heldImages()) {
            if (image.isRollback() && !there.contains(image.id())) {
                imageStore.release(image.id());
                LOG.info("Dropped rollback image={} of a rolling upgrade", image);
            }
        }
    }

    /** Releases images on a void timeline. The segments from the oldest image on are enough to judge all. */
    private void releaseVoid(ImageStore imageStore) throws IOException {
        List<HeldImage> held = heldImages();
        if (held.isEmpty()) {
            return;
        }
        Optional<SegmentsReply> segments = replica.perform(
                        SegmentsRequest.of(held.get(0).id().txId()))
                .filter(SegmentsReply.class::isInstance)
                .map(SegmentsReply.class::cast);
        for (HeldImage image : held) {
            long publishedSn = imageStore.publishedSn(image.id());
            boolean isVoid = segments.filter(
                            reply -> ImageTimeline.of(image.id(), publishedSn, reply.committedSn(), reply.segments())
                                    == ImageTimeline.VOID)
                    .isPresent();
            if (isVoid) {
                imageStore.release(image.id());
                LOG.info("Dropped image={}: its transactions are void", image);
            }
        }
    }

    private void publish(ImageStore imageStore, StatusReply status, ImageSource source, Map.Entry<ImageId, Path> image)
            throws IOException {
        ImageId id = image.getKey();
        try {
            Optional<HeldImage> held = imageStore.publish(
                    source,
                    id,
                    image.getValue(),
                    status.namespace(),
                    status.committedSummary().position().sn(),
                    publishing);
            if (held.isPresent()) {
                LOG.info("Retaining image={} for the pool as a link to file={}", id, image.getValue());
            }
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            unfit.add(id);
            LOG.warn(
                    "Cannot retain image={} for the pool: {}; do: check the disk of the name directories",
                    id,
                    e.toString());
        }
    }

    private Set<ImageId> imagesBeingFetched() {
        long now = System.nanoTime();
        synchronized (askedNanos) {
            askedNanos.values().removeIf(nanos -> now - nanos > FETCH_NANOS);
            return new TreeSet<>(askedNanos.keySet());
        }
    }
}
