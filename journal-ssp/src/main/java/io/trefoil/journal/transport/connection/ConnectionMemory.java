/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.channel.Channel;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits the memory that all connections of a node hold together: incomplete requests, waiting requests, and answers
 * that callers have not read. Beyond the limit, closes the connection that has made no progress for the longest time: a
 * well-behaved caller reads, and finishes what it sends. A limit per connection would be too low for one that catches
 * up, or too high for thousands.
 *
 * <p>Thread-safe.
 */
public final class ConnectionMemory {

    private final long maxBytes;
    private final RefusalCounters refusals;
    private final LongSupplier nanoTime;
    private final AtomicLong heldBytes = new AtomicLong();
    private final Set<Share> shares = ConcurrentHashMap.newKeySet();

    /** @param nanoTime a monotonic clock */
    public ConnectionMemory(long maxBytes, RefusalCounters refusals, LongSupplier nanoTime) {
        this.maxBytes = maxBytes;
        this.refusals = refusals;
        this.nanoTime = nanoTime;
    }

    long heldBytes() {
        return heldBytes.get();
    }

    /** Begins the accounting for a connection, which lasts until the connection is closed. */
    public Share openShare(Channel channel) {
        Share share = new Share(channel);
        shares.add(share);
        channel.closeFuture().addListener(closed -> share.end());
        return share;
    }

    private void requireCapacity() {
        while (heldBytes.get() > maxBytes) {
            long nowNanos = nanoTime.getAsLong();
            Optional<Share> stuck = shares.stream()
                    .filter(Share::isHolding)
                    .min(Comparator.comparingLong(share -> share.progressNanos - nowNanos));
            if (!stuck.isPresent()) {
                return;
            }
            stuck.get().end();
            Channel channel = stuck.get().channel;
            refusals.recordRefusal(
                    RefusalCause.MEMORY_LIMIT,
                    channel.remoteAddress(),
                    "All connections together hold more than " + maxBytes + " bytes of requests and unread answers,"
                            + " and this one has finished nothing for the longest");
            channel.close();
        }
    }

    /** The memory that one connection holds. Thread-safe. */
    public final class Share {
        private final Channel channel;
        private volatile long progressNanos = nanoTime.getAsLong();
        private long bytes;
        private boolean ended;

        private Share(Channel channel) {
            this.channel = channel;
        }

        /** Adds {@code count} bytes to the connection; if the total is too high, closes another connection or this one. */
        public void reserve(long count) {
            synchronized (this) {
                if (ended) {
                    return;
                }
                if (bytes == 0) {
                    progressNanos = nanoTime.getAsLong();
                }
                bytes += count;
                heldBytes.addAndGet(count);
            }
            requireCapacity();
        }

        /** Subtracts {@code count} bytes from the connection, since something was finished. */
        public synchronized void release(long count) {
            if (!ended) {
                progressNanos = nanoTime.getAsLong();
                bytes -= count;
                heldBytes.addAndGet(-count);
            }
        }

        private synchronized boolean isHolding() {
            return bytes > 0;
        }

        /** Counts nothing for the connection from now on, whatever is still added or removed. */
        private synchronized void end() {
            if (!ended) {
                ended = true;
                shares.remove(this);
                heldBytes.addAndGet(-bytes);
                bytes = 0;
            }
        }
    }
}
