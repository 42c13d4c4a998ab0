/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.datanode.BlockLink;
import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOrder.Check;
import io.trefoil.federation.datanode.LinkOutcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Orders DataNodes to link blocks, in batches. What several threads want of one DataNode while it carries out an order goes into its next
 * one, as it syncs its directories once for each order; nothing waits for an order to be full. Thread-safe.
 *
 * <p>A DataNode that does not answer keeps each of its blocks waiting, and a move has millions; so there is an end.
 */
final class LinkBatcher {

    /** The maximum number of blocks in an order, so that it ends well within the time that a caller waits, even on a slow disk. */
    static final int MAX_BATCH_BLOCKS = 64;

    /** The longest silence of a DataNode, longer than NameNodes by default wait before they exclude one that sends no heartbeats. */
    static final Duration MAX_SILENCE = Duration.ofMinutes(15);

    private final Orders orders;
    private final LongSupplier nanos;
    private final Map<List<Object>, DataNodeQueue> queues = new ConcurrentHashMap<>();

    /** The calls by which DataNodes receive orders. */
    interface Orders {
        /** @return an outcome for each block of the order, in the same order */
        List<LinkOutcome> link(InetSocketAddress dataNode, LinkOrder order) throws IOException;
    }

    LinkBatcher(Orders orders) {
        this(orders, System::nanoTime);
    }

    /** @param nanos by which silence is measured */
    LinkBatcher(Orders orders, LongSupplier nanos) {
        this.orders = orders;
        this.nanos = nanos;
    }

    /**
     * Links one block.
     *
     * @throws SilentDataNodeException if the DataNode has answered nothing for so long that others are not to be tried
     * @throws IOException if it did not take the order or did not answer: then it is unknown what is linked
     */
    LinkOutcome link(InetSocketAddress dataNode, String fromPool, String toPool, BlockLink link) throws IOException {
        DataNodeQueue queue = queues.computeIfAbsent(
                Arrays.asList(dataNode, fromPool, toPool), key -> new DataNodeQueue(dataNode, fromPool, toPool));
        RequestedLink request = new RequestedLink(link);
        queue.add(request);
        return request.await();
    }

    /** The number of links that wait for an order in progress to end. */
    int pendingLinks() {
        return queues.values().stream().mapToInt(DataNodeQueue::pendingLinks).sum();
    }

    private static final class RequestedLink {
        private final BlockLink link;
        private final CompletableFuture<LinkOutcome> outcome = new CompletableFuture<>();

        RequestedLink(BlockLink link) {
            this.link = link;
        }

        LinkOutcome await() throws IOException {
            try {
                return outcome.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while a block was linked");
            } catch (ExecutionException e) {
                if (e.getCause() instanceof SilentDataNodeException) {
                    throw ((SilentDataNodeException) e.getCause()).copy();
                }
                // It is thrown in several threads, and each of them may add to it.
                throw new IOException(e.getCause().getMessage(), e.getCause());
            }
        }
    }

    private final class DataNodeQueue {
        private final InetSocketAddress dataNode;
        private final String fromPool;
        private final String toPool;
        private final Deque<RequestedLink> waiting = new ArrayDeque<>();
        private boolean isOrdering;
        /** How long the current run of unanswered orders took, without the time between them; used only by the ordering thread. */
        private long silentNanos;

        DataNodeQueue(InetSocketAddress dataNode, String fromPool, String toPool) {
            this.dataNode = dataNode;
            this.fromPool = fromPool;
            this.toPool = toPool;
        }

        /** Adds a wanted link. A thread that finds no order in progress gives the next ones, until none waits. */
        void add(RequestedLink request) {
            synchronized (this) {
                waiting.add(request);
                if (isOrdering) {
                    return;
                }
                isOrdering = true;
            }
            List<RequestedLink> next = nextBatch();
            while (!next.isEmpty()) {
                sendOrder(next);
                next = nextBatch();
            }
        }

        synchronized int pendingLinks() {
            return waiting.size();
        }

        private synchronized List<RequestedLink> nextBatch() {
            List<RequestedLink> next = new ArrayList<>();
            while (next.size() < MAX_BATCH_BLOCKS && !waiting.isEmpty()) {
                next.add(waiting.remove());
            }
            isOrdering = !next.isEmpty();
            return next;
        }

        private void sendOrder(List<RequestedLink> batch) {
            long timeout = nanos.getAsLong();
            try {
                List<LinkOutcome> outcomes = orders.link(
                        dataNode,
                        LinkOrder.of(
                                fromPool,
                                toPool,
                                Check.CHECKSUMS,
                                batch.stream().map(requested -> requested.link).collect(Collectors.toList())));
                silentNanos = 0;
                for (int i = 0; i < batch.size(); i++) {
                    batch.get(i).outcome.complete(outcomes.get(i));
                }
            } catch (SocketTimeoutException e) {
                failBatch(batch, timeoutException(timeout, e));
            } catch (IOException | RuntimeException | Error e) {
                silentNanos = 0;
                failBatch(batch, e);
            }
        }

        private IOException timeoutException(long timeout, SocketTimeoutException e) {
            silentNanos += nanos.getAsLong() - timeout;
            Duration silence = Duration.ofNanos(silentNanos);
            return silence.compareTo(MAX_SILENCE) < 0 ? e : new SilentDataNodeException(dataNode, silence, e);
        }

        /** Answers with the failure, even an error: without an answer, callers would wait for ever. */
        private void failBatch(List<RequestedLink> batch, Throwable e) {
            batch.forEach(requested -> requested.outcome.completeExceptionally(e));
        }
    }
}
