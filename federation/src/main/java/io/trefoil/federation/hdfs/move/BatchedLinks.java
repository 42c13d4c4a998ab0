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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/**
 * Orders links of DataNodes. What several threads want of one DataNode while it carries out an order goes into its next one, as it syncs its
 * folders once for each order; nothing waits for an order to be full. Thread-safe.
 */
final class BatchedLinks {

    /** How many blocks an order has at most, so that it ends well within the time that a caller waits, even on a slow disk. */
    static final int MOST = 64;

    private final Orders orders;
    private final Map<List<Object>, DataNodeQueue> queues = new ConcurrentHashMap<>();

    /** What gives an order to a DataNode. */
    interface Orders {
        /** @return an outcome for each block of the order, in the same order */
        List<LinkOutcome> link(InetSocketAddress dataNode, LinkOrder order) throws IOException;
    }

    BatchedLinks(Orders orders) {
        this.orders = orders;
    }

    /** @throws IOException if the DataNode did not take the order or did not answer: then it is unknown what is linked */
    LinkOutcome link(InetSocketAddress dataNode, String fromPool, String toPool, BlockLink link) throws IOException {
        DataNodeQueue queue = queues.computeIfAbsent(
                Arrays.asList(dataNode, fromPool, toPool), key -> new DataNodeQueue(dataNode, fromPool, toPool));
        Wanted wanted = new Wanted(link);
        queue.add(wanted);
        return wanted.await();
    }

    /** How many wait for an order under way to end. */
    int waiting() {
        return queues.values().stream().mapToInt(DataNodeQueue::waiting).sum();
    }

    private static final class Wanted {
        private final BlockLink link;
        private final CompletableFuture<LinkOutcome> outcome = new CompletableFuture<>();

        Wanted(BlockLink link) {
            this.link = link;
        }

        LinkOutcome await() throws IOException {
            try {
                return outcome.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while a block was linked");
            } catch (ExecutionException e) {
                // It is thrown in several threads, and each of them may add to it.
                throw new IOException(e.getCause().getMessage(), e.getCause());
            }
        }
    }

    private final class DataNodeQueue {
        private final InetSocketAddress dataNode;
        private final String fromPool;
        private final String toPool;
        private final Deque<Wanted> waiting = new ArrayDeque<>();
        private boolean isOrdering;

        DataNodeQueue(InetSocketAddress dataNode, String fromPool, String toPool) {
            this.dataNode = dataNode;
            this.fromPool = fromPool;
            this.toPool = toPool;
        }

        /** Whoever finds no order under way gives the next ones, until nobody waits. */
        void add(Wanted wanted) {
            synchronized (this) {
                waiting.add(wanted);
                if (isOrdering) {
                    return;
                }
                isOrdering = true;
            }
            List<Wanted> next = next();
            while (!next.isEmpty()) {
                order(next);
                next = next();
            }
        }

        synchronized int waiting() {
            return waiting.size();
        }

        private synchronized List<Wanted> next() {
            List<Wanted> next = new ArrayList<>();
            while (next.size() < MOST && !waiting.isEmpty()) {
                next.add(waiting.remove());
            }
            isOrdering = !next.isEmpty();
            return next;
        }

        private void order(List<Wanted> batch) {
            try {
                List<LinkOutcome> outcomes = orders.link(
                        dataNode,
                        LinkOrder.of(
                                fromPool,
                                toPool,
                                Check.CHECKSUMS,
                                batch.stream().map(one -> one.link).collect(Collectors.toList())));
                for (int i = 0; i < batch.size(); i++) {
                    batch.get(i).outcome.complete(outcomes.get(i));
                }
            } catch (IOException | RuntimeException | Error e) {
                // An error is an answer, too: without one those who wait would do so for ever.
                batch.forEach(one -> one.outcome.completeExceptionally(e));
            }
        }
    }
}
