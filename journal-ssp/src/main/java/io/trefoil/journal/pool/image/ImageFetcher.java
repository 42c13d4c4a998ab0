/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.image;

import io.trefoil.journal.image.FetchPlan;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.storage.image.ImageTarget;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntConsumer;

/**
 * Fetches an image from all nodes that hold it, as a {@link FetchPlan} says, on a few dedicated threads. Used once.
 *
 * <p>Its lock guards the plan; it is not held during requests or disk writes.
 */
public final class ImageFetcher {

    /** The number of threads per node: while one part is in transit, the next one is read. */
    private static final int THREADS_PER_NODE = 2;

    private static final int MAX_NODES = 8;

    private final PoolAdminClient adminClient;
    private final HeldImage image;
    private final List<NodeAddress> nodes;
    private final ImageTarget target;
    private final FetchPlan plan;
    private final int partsBefore;
    private final Object lock = new Object();
    private Optional<IOException> failure = Optional.empty();
    private volatile IntConsumer watcher = parts -> {};

    /**
     * @param adminClient its timeout limits the time for one part
     * @param holders the nodes that hold the image
     * @throws IOException if what an earlier fetch left in the target cannot be read
     */
    public ImageFetcher(
            PoolAdminClient adminClient, HeldImage image, Collection<NodeAddress> holders, ImageTarget target)
            throws IOException {
        this.adminClient = adminClient;
        this.image = image;
        this.nodes = new ArrayList<>(holders).subList(0, Math.min(MAX_NODES, holders.size()));
        this.target = target;
        this.plan = new FetchPlan(image.partCount(), target.findVerifiedParts(), nodes);
        this.partsBefore = plan.presentPartCount();
    }

    /**
     * Sets the watcher that gets the number of fetched parts after each attempt. It runs on the fetching threads and
     * must not block. Call before {@link #run}.
     */
    public void setPartWatcher(IntConsumer newWatcher) {
        watcher = newWatcher;
    }

    /**
     * Blocks until every part is in the target.
     *
     * @throws IOException if parts could not be fetched or written; those in the target stay for the next try
     */
    public void run() throws IOException {
        List<Thread> threads = new ArrayList<>();
        for (NodeAddress node : nodes) {
            for (int i = 0; i < THREADS_PER_NODE; i++) {
                Thread thread = new Thread(() -> fetchFrom(node), "image-fetch-" + node);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        }
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            fail(new InterruptedIOException("Interrupted while fetching an image"));
            Thread.currentThread().interrupt();
        }
        synchronized (lock) {
            if (failure.isPresent()) {
                throw failure.get();
            }
            if (!plan.isDone()) {
                throw new IOException("Only " + plan.presentPartCount() + " of " + image.partCount() + " parts of the "
                        + image + " could be fetched; they are kept for the next try. Failures: "
                        + plan.failuresByNode());
            }
        }
    }

    private void fetchFrom(NodeAddress node) {
        try {
            OptionalInt part = nextPart(node);
            while (part.isPresent()) {
                fetch(node, part.getAsInt());
                part = nextPart(node);
            }
        } catch (IOException e) {
            fail(e);
        } catch (InterruptedException e) {
            fail(new InterruptedIOException("Interrupted while fetching an image"));
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fail(new IOException("Fetching from " + node + " failed: " + e, e));
        }
    }

    /** The next part to fetch; empty if no node has anything left to do. */
    private OptionalInt nextPart(NodeAddress node) throws InterruptedException {
        synchronized (lock) {
            while (!failure.isPresent() && !plan.isDone() && !plan.isStuck()) {
                OptionalInt part = plan.nextPart(node);
                if (part.isPresent()) {
                    return part;
                }
                lock.wait();
            }
            return OptionalInt.empty();
        }
    }

    private void fetch(NodeAddress node, int part) throws IOException {
        NodeAnswer answer = adminClient
                .query(Collections.singleton(node), ImagePartRequest.of(image.id(), part))
                .get(node);
        Optional<Bytes> bytes =
                answer.reply().filter(ImagePartReply.class::isInstance).map(reply -> ((ImagePartReply) reply).bytes());
        boolean good = bytes.isPresent() && target.matches(part, bytes.get());
        if (good) {
            target.write(part, bytes.get());
        }
        synchronized (lock) {
            if (good) {
                plan.recordArrival(node, part);
            } else if (bytes.isPresent()) {
                plan.recordFailure(node, part, "its parts do not match their checksums, check its disk");
            } else {
                plan.recordFailure(node, part, failureReason(answer));
            }
            watcher.accept(plan.presentPartCount());
            lock.notifyAll();
        }
    }

    private static String failureReason(NodeAnswer answer) {
        return answer.reply().map(PoolReply::describe).orElseGet(answer::failureReason);
    }

    private void fail(IOException cause) {
        synchronized (lock) {
            if (!failure.isPresent()) {
                failure = Optional.of(cause);
            }
            lock.notifyAll();
        }
    }

    /** Returns the number of parts that an earlier fetch had left in the target. */
    public int alreadyPresentPartCount() {
        return partsBefore;
    }

    /** Returns the number of parts that came from each node. */
    public Map<NodeAddress, Long> partsByNode() {
        synchronized (lock) {
            return plan.partsByNode();
        }
    }

    /** Failures by node, which did not matter in the end. */
    public Map<NodeAddress, List<String>> failuresByNode() {
        synchronized (lock) {
            return new LinkedHashMap<>(plan.failuresByNode());
        }
    }
}
