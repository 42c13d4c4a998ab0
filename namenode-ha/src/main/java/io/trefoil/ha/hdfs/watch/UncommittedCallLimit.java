/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Limits the number of calls that may be executed while the journal commits nothing.
 *
 * <p>HDFS puts each edit into a queue, under the namesystem's lock. When that queue is full, the call waits with the
 * lock, and no caller is answered any longer: no DataNode, and no operator. So a call is let in only if the queue would
 * have room for one edit of each call in here, in addition to those that are not committed yet. A quarter of the queue is left
 * for calls that make several edits, and for those that no client asks for: the ends of leases, of tokens, and of
 * blocks that are recovered.
 *
 * <p>An edit that is being flushed is not in the queue any longer, and counts all the same: this errs on the safe side. Thread-safe.
 */
public final class UncommittedCallLimit {
    private static final int SHARES = 4;

    private final int most;
    private final AtomicInteger inside = new AtomicInteger();

    /** @param queueSize of HDFS's queue of edits */
    public UncommittedCallLimit(int queueSize) {
        this.most = Math.max(1, queueSize - queueSize / SHARES);
    }

    /**
     * Admits a call if there is room for it; it must then {@link #exit}.
     *
     * @param uncommitted how many edits are not committed; asked when the call is counted already, so that a call which leaves meanwhile is
     *     counted by its place or by its edit, and never by neither
     */
    public boolean tryEnter(LongSupplier uncommitted) {
        int calls = inside.incrementAndGet();
        if (calls + uncommitted.getAsLong() > most) {
            inside.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Records that the call has made its edits. */
    public void exit() {
        inside.decrementAndGet();
    }

    /** Whether a call would be admitted now. */
    public boolean isOpen(long uncommitted) {
        return uncommitted + inside.get() < most;
    }

    @Override
    public String toString() {
        return inside + " calls, at most " + most + " with the edits that are not committed";
    }
}
