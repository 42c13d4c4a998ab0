/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.image.ImageRetention;
import io.trefoil.journal.image.RateLimiter;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.transport.InboundRequest;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The images that one node holds of its journals' namespaces: publishes the images that the NameNode of this process
 * saves, and serves them on request (paper §4.1.1; {@code docs/design/images.md}). Thread-safe.
 *
 * <p>Runs on two dedicated threads, one to publish and one to serve, each with the same limit of bytes per second, so
 * that commits and tailing are not slowed down.
 */
public final class NodeImages implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(NodeImages.class);

    private static final long LOOK_MILLIS = 1_000;
    /** The longest wait for the rate limit; a caller that would have to wait longer is told so, and may ask another node. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long STOP_MILLIS = 2_000;

    private final NodeAddress address;
    private final Path directory;
    private final ImageSettings settings;
    private final Function<JournalId, JournalReplica> replicas;
    private final ImageRetention retention;
    private final RateLimiter serving;
    private final RateLimiter publishing;
    private final Map<JournalId, JournalImages> journals = new HashMap<>();
    private final ScheduledThreadPoolExecutor publisher;
    private final ScheduledThreadPoolExecutor server;
    private final AtomicLong bytesServed = new AtomicLong();

    /** @param directory of the node, with one subdirectory for each journal */
    public NodeImages(
            NodeAddress address, Path directory, ImageSettings settings, Function<JournalId, JournalReplica> replicas) {
        this.address = address;
        this.directory = directory;
        this.settings = settings;
        this.replicas = replicas;
        this.retention = new ImageRetention(settings.retainedCount());
        this.serving = new RateLimiter(settings.bytesPerSecond());
        this.publishing = new RateLimiter(settings.bytesPerSecond());
        this.publisher = newExecutor("ssp-image-publisher-" + address.port());
        this.server = newExecutor("ssp-image-server-" + address.port());
    }

    private static ScheduledThreadPoolExecutor newExecutor(String name) {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, DaemonThreads.newFactory(name));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return executor;
    }

    /** Starts checking for images; returns at once. */
    public void start() {
        settings.sourceDirectories().forEach((journal, directories) -> {
            JournalImages images = new JournalImages(
                    journal,
                    replicas.apply(journal),
                    directory,
                    directories,
                    retention,
                    this::waitForTurn,
                    publisher::isShutdown);
            synchronized (journals) {
                journals.put(journal, images);
            }
            publisher.scheduleWithFixedDelay(
                    DaemonThreads.logFailures(images::publishAndPurge), 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    private Optional<JournalImages> imagesOf(JournalId journal) {
        synchronized (journals) {
            return Optional.ofNullable(journals.get(journal));
        }
    }

    /** The images of a journal that callers can fetch. */
    public PoolReply listHeldImages(JournalId journal, JournalReplica replica) {
        List<HeldImage> held =
                imagesOf(journal).map(JournalImages::listForFetch).orElseGet(Collections::emptyList);
        return ImagesReply.of(replica.node(), held);
    }

    /** Sends a part when the rate limit allows; never reads it on the calling thread. */
    public void serve(JournalId journal, JournalReplica replica, ImagePartRequest request, InboundRequest inbound) {
        Optional<JournalImages> images = imagesOf(journal);
        Optional<HeldImage> image = images.flatMap(journalImages -> journalImages.findHeldImage(request.image()));
        if (!image.isPresent()) {
            inbound.answer(failedReply(replica, "The " + request.image() + " is not held here"));
            return;
        }
        if (request.part() < 0 || request.part() >= image.get().partCount()) {
            inbound.answer(failedReply(
                    replica,
                    "The " + request.image() + " has " + image.get().partCount() + " parts, there is no part "
                            + request.part()));
            return;
        }
        long waitNanos;
        synchronized (serving) {
            long now = System.nanoTime();
            if (serving.waitNanos(now) > MAX_WAIT_NANOS) {
                inbound.answer(failedReply(replica, "Too many parts of images are asked for at once; ask again later"));
                return;
            }
            waitNanos = serving.reserve(HeldImage.PART_BYTES, now);
        }
        try {
            server.schedule(() -> inbound.answer(readPart(images.get(), request)), waitNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("Image parts are no longer served: the node is closing");
        }
    }

    private PoolReply readPart(JournalImages images, ImagePartRequest request) {
        try {
            PoolReply reply = images.readPart(request);
            bytesServed.addAndGet(((ImagePartReply) reply).bytes().size());
            return reply;
        } catch (IOException e) {
            LOG.warn(
                    "A part of image={} cannot be read: {}"
                            + "; no action needed: other nodes have it; check that disk if this recurs",
                    request.image(),
                    e.toString());
            return failedReply(images.replica(), e.toString());
        }
    }

    private PoolReply failedReply(JournalReplica replica, String reason) {
        return FailedReply.of(replica.node(), address + ": " + reason);
    }

    /** Returns the number of images that are held, of all journals. */
    public long imageCount() {
        synchronized (journals) {
            return journals.values().stream()
                    .mapToLong(journal -> journal.heldImages().size())
                    .sum();
        }
    }

    /** Bytes of the parts served since the start. */
    public long bytesServed() {
        return bytesServed.get();
    }

    /** Waits briefly for the two threads, which use the replicas of journals that are closed next. */
    @Override
    public void close() {
        publisher.shutdownNow();
        server.shutdownNow();
        try {
            if (!publisher.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)
                    || !server.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                LOG.warn("A thread that reads images did not terminate; do: check the disks of the name directories");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void waitForTurn(int bytes) throws IOException {
        try {
            // Only the publisher's thread uses this limiter.
            TimeUnit.NANOSECONDS.sleep(publishing.reserve(bytes, System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The node closes");
        }
    }
}
