/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.image.ImageRetention;
import io.trefoil.journal.image.Lineage;
import io.trefoil.journal.image.Throttle;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.storage.ImageSource;
import io.trefoil.journal.storage.ImageStore;
import io.trefoil.journal.transport.Inbound;
import java.io.Closeable;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The images that one node holds of its journals' namespaces: publishes what the NameNode of this process saves, and serves
 * it to whoever asks (paper §4.1.1; {@code docs/design/images.md}). Thread-safe.
 *
 * <p>All of it happens on two threads of its own, one that publishes and one that serves, and within one limit of bytes per
 * second: nothing here takes the time of those who commit or tail.
 */
final class NodeImages implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeImages.class);

    private static final long LOOK_MILLIS = 1_000;
    /** Who asked for a part goes on asking within this time, unless he is gone. */
    private static final long FETCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    /** Between the question what there is and the first part. */
    private static final long CHOICE_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** Who would have to wait longer is told so, and may ask somebody else. */
    private static final long MOST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long STOP_MILLIS = 2_000;

    private final NodeSettings settings;
    private final Function<JournalId, JournalReplica> replicas;
    private final ImageRetention retention;
    private final Throttle serving;
    private final Throttle publishing;
    private final Map<JournalId, Published> journals = new HashMap<>();
    private final ScheduledThreadPoolExecutor publisher = thread("ssp-image-publisher");
    private final ScheduledThreadPoolExecutor server = thread("ssp-image-server");
    private final AtomicLong bytesServed = new AtomicLong();

    NodeImages(NodeSettings settings, Function<JournalId, JournalReplica> replicas) {
        this.settings = settings;
        this.replicas = replicas;
        this.retention = new ImageRetention(settings.imagesRetained());
        this.serving = new Throttle(settings.imageBytesPerSecond());
        this.publishing = new Throttle(settings.imageBytesPerSecond());
    }

    private ScheduledThreadPoolExecutor thread(String name) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name + "-" + settings.address().port());
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return executor;
    }

    /** Begins to look for images; returns at once. */
    void start() {
        settings.imageSources().forEach((journal, directories) -> {
            Published published = new Published(journal, replicas.apply(journal), directories);
            synchronized (journals) {
                journals.put(journal, published);
            }
            publisher.scheduleWithFixedDelay(published::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    private Optional<Published> published(JournalId journal) {
        synchronized (journals) {
            return Optional.ofNullable(journals.get(journal));
        }
    }

    /** Those of a journal that can be asked for. */
    PoolReply held(JournalId journal) {
        List<HeldImage> held = published(journal).map(Published::told).orElseGet(Collections::emptyList);
        return ImagesReply.of(replicas.apply(journal).node(), held);
    }

    /** Gives a part when its turn has come; never on the calling thread. */
    void serve(JournalId journal, ImagePartRequest request, Inbound inbound) {
        JournalReplica replica = replicas.apply(journal);
        Optional<Published> published = published(journal);
        Optional<HeldImage> image = published.flatMap(one -> one.held(request.image()));
        if (!image.isPresent()) {
            inbound.answer(failed(replica, "The " + request.image() + " is not held here"));
            return;
        }
        if (request.part() < 0 || request.part() >= image.get().partCount()) {
            inbound.answer(failed(
                    replica,
                    "The " + request.image() + " has " + image.get().partCount() + " parts, there is no part "
                            + request.part()));
            return;
        }
        long waitNanos;
        synchronized (serving) {
            long now = System.nanoTime();
            if (serving.waitNanos(now) > MOST_WAIT_NANOS) {
                inbound.answer(failed(replica, "Too many parts of images are asked for at once; ask again later"));
                return;
            }
            waitNanos = serving.reserve(HeldImage.PART_BYTES, now);
        }
        try {
            server.schedule(() -> inbound.answer(part(published.get(), request)), waitNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("No part of an image is served any more, the node closes");
        }
    }

    private PoolReply part(Published published, ImagePartRequest request) {
        try {
            PoolReply reply = published.part(request);
            bytesServed.addAndGet(((ImagePartReply) reply).bytes().size());
            return reply;
        } catch (IOException e) {
            LOG.warn("A part of the {} cannot be read: {}", request.image(), e.toString());
            return failed(published.replica, e.toString());
        }
    }

    private PoolReply failed(JournalReplica replica, String why) {
        return FailedReply.of(replica.node(), settings.address() + ": " + why);
    }

    /** How many are held, of all journals. */
    long count() {
        synchronized (journals) {
            return journals.values().stream()
                    .mapToLong(one -> one.held().size())
                    .sum();
        }
    }

    /** Of parts that were asked for, since the start. */
    long bytesServed() {
        return bytesServed.get();
    }

    /** Waits a moment for the two threads, which use the copies of journals that are closed next. */
    @Override
    public void close() {
        publisher.shutdownNow();
        server.shutdownNow();
        try {
            if (!publisher.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)
                    || !server.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("A thread that reads images hangs and does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void waitForTurn(int bytes) throws IOException {
        try {
            // Only the publisher's thread uses this one.
            TimeUnit.NANOSECONDS.sleep(publishing.reserve(bytes, System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The node closes");
        }
    }

    /** The images of one journal. */
    private final class Published {
        private final JournalId journal;
        private final JournalReplica replica;
        private final List<Path> nameDirectories;
        private final Map<ImageId, Long> askedNanos = new HashMap<>();
        private final Set<ImageId> unfit = new TreeSet<>();
        /** Seen at the last look: what is asked between two of them never waits for the copy's lock. */
        private volatile Optional<StatusReply> copy = Optional.empty();

        private volatile Optional<ImageStore> store = Optional.empty();
        private List<ImageSource> sources = Collections.emptyList();
        private String lastTrouble = "";

        Published(JournalId journal, JournalReplica replica, List<Path> nameDirectories) {
            this.journal = journal;
            this.replica = replica;
            this.nameDirectories = nameDirectories;
        }

        /** Those of the journal's own namespace: after a format, older ones may lie there still. */
        List<HeldImage> held() {
            NamespaceId namespace = copy.map(StatusReply::namespace).orElse(NamespaceId.UNKNOWN);
            List<HeldImage> held = new ArrayList<>();
            store.ifPresent(open ->
                    open.held().stream().filter(image -> image.isOf(namespace)).forEach(held::add));
            return held;
        }

        /** Whoever asks what there is will ask for the newest next: it stays that long. Older ones may go meanwhile. */
        List<HeldImage> told() {
            List<HeldImage> held = held();
            if (!held.isEmpty()) {
                ImageId newest = held.get(held.size() - 1).id();
                long asIfAskedNanos = System.nanoTime() - FETCH_NANOS + CHOICE_NANOS;
                synchronized (askedNanos) {
                    // A fetch that is under way counts for longer.
                    askedNanos.merge(newest, asIfAskedNanos, (one, other) -> one - other > 0 ? one : other);
                }
            }
            return held;
        }

        Optional<HeldImage> held(ImageId id) {
            return store.flatMap(open -> open.held(id));
        }

        private boolean isHeld(ImageId id) {
            return held(id).isPresent();
        }

        PoolReply part(ImagePartRequest request) throws IOException {
            synchronized (askedNanos) {
                askedNanos.put(request.image(), System.nanoTime());
            }
            ImageStore open = store.orElseThrow(() -> new IOException("No image is held here"));
            StatusReply seen = copy.orElseThrow(() -> new IOException("There is no copy of the journal here"));
            return ImagePartReply.of(seen.node(), open.read(request.image(), request.part()));
        }

        private void look() {
            try {
                if (!store.isPresent()) {
                    openStore();
                }
                copy = replica.perform(StatusRequest.create())
                        .filter(StatusReply.class::isInstance)
                        .map(StatusReply.class::cast);
                if (store.isPresent() && copy.isPresent()) {
                    publishAndRelease(store.get(), copy.get());
                }
                lastTrouble = "";
            } catch (IOException | RuntimeException e) {
                // An error that stays would fill the log.
                if (!publisher.isShutdown() && !lastTrouble.equals(e.toString())) {
                    lastTrouble = e.toString();
                    LOG.warn("Images of journal {} are not published, and looked for again and again", journal, e);
                }
            }
        }

        /** Where a hard link is possible: in the node's directory, or in a name directory if all of them are elsewhere. */
        private void openStore() throws IOException {
            List<ImageSource> there = new ArrayList<>();
            List<ImageSource> beside = new ArrayList<>();
            FileStore ours = Files.getFileStore(settings.directory());
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
            Path place = settings.directory().resolve(journal + ".images");
            sources = beside;
            if (beside.isEmpty()) {
                sources = there.subList(0, 1);
                place = there.get(0)
                        .nameDirectory()
                        .resolve("trefoil")
                        .resolve("images")
                        .resolve(journal.text());
                LOG.info(
                        "Images of journal {} are kept in {}: the name directory is on another file system than {}, and no"
                                + " second copy is made",
                        journal,
                        place,
                        settings.directory());
            }
            store = Optional.of(ImageStore.open(place, NodeImages.this::waitForTurn));
        }

        private void publishAndRelease(ImageStore open, StatusReply seen) throws IOException {
            releaseVoid(open);
            Set<ImageId> all = new TreeSet<>();
            held().forEach(image -> all.add(image.id()));
            Map<ImageSource, SortedMap<ImageId, Path>> found = new HashMap<>();
            for (ImageSource source : sources) {
                SortedMap<ImageId, Path> images = source.isOf(seen.namespace()) ? source.images() : new TreeMap<>();
                // One that is newer than the copy here comes when the copy has caught up.
                images.keySet()
                        .removeIf(image -> image.txId() > seen.committed().lastTxId());
                images.keySet().removeAll(unfit);
                found.put(source, images);
                all.addAll(images.keySet());
            }
            Set<ImageId> beingFetched = beingFetched();
            Set<ImageId> needless = retention.needless(all, seen.committed().barriers(), beingFetched);
            // A barrier counts from when it is written, its release when that is committed (rule R10).
            needless.retainAll(retention.needless(all, seen.end().barriers(), beingFetched));
            for (ImageSource source : sources) {
                for (Map.Entry<ImageId, Path> image : found.get(source).entrySet()) {
                    if (!needless.contains(image.getKey()) && !isHeld(image.getKey())) {
                        publish(open, seen, source, image);
                    }
                }
            }
            for (ImageId image : needless) {
                if (isHeld(image)) {
                    open.release(image);
                    LOG.info("No longer holds the {}", image);
                }
            }
        }

        /** Those that the oldest of them has behind it tell of all. */
        private void releaseVoid(ImageStore open) throws IOException {
            List<HeldImage> held = held();
            if (held.isEmpty()) {
                return;
            }
            Optional<SegmentsReply> segments = replica.perform(
                            SegmentsRequest.of(held.get(0).id().txId()))
                    .filter(SegmentsReply.class::isInstance)
                    .map(SegmentsReply.class::cast);
            for (HeldImage image : held) {
                long publishedSn = open.publishedSn(image.id());
                boolean isVoid = segments.filter(
                                reply -> Lineage.of(image.id(), publishedSn, reply.committedSn(), reply.segments())
                                        == Lineage.VOID)
                        .isPresent();
                if (isVoid) {
                    open.release(image.id());
                    LOG.info("No longer holds the {}: its transactions were taken back", image);
                }
            }
        }

        private void publish(ImageStore open, StatusReply seen, ImageSource source, Map.Entry<ImageId, Path> image)
                throws IOException {
            ImageId id = image.getKey();
            try {
                Optional<HeldImage> held = open.publish(
                        source,
                        id,
                        image.getValue(),
                        seen.namespace(),
                        seen.committed().position().sn(),
                        NodeImages.this::waitForTurn);
                if (held.isPresent()) {
                    LOG.info("Holds the {} for the pool, by a link to {}", id, image.getValue());
                }
            } catch (InterruptedIOException e) {
                throw e;
            } catch (IOException e) {
                unfit.add(id);
                LOG.warn("Does not hold the {}: {}", id, e.toString());
            }
        }

        private Set<ImageId> beingFetched() {
            long now = System.nanoTime();
            synchronized (askedNanos) {
                askedNanos.values().removeIf(asked -> now - asked > FETCH_NANOS);
                return new TreeSet<>(askedNanos.keySet());
            }
        }
    }
}
