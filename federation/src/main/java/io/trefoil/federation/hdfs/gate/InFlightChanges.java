/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.gate.AccessedPaths;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The changes in progress in HDFS, for callers that must wait until some of them have ended. Thread-safe. */
final class InFlightChanges {
    private final Set<Admission> admitted = ConcurrentHashMap.newKeySet();

    /** A change in progress in HDFS; must be closed when HDFS has executed it. */
    final class Admission implements AutoCloseable {
        private final Supplier<AccessedPaths> change;
        private final CountDownLatch left = new CountDownLatch(1);

        private Admission(Supplier<AccessedPaths> change) {
            this.change = change;
        }

        AccessedPaths change() {
            return change.get();
        }

        @Override
        public void close() {
            admitted.remove(this);
            left.countDown();
        }
    }

    /** @param change what it would change; asked only if a thread waits for changes to end, or the change has to be judged */
    Admission admit(Supplier<AccessedPaths> change) {
        Admission admission = new Admission(change);
        admitted.add(admission);
        return admission;
    }

    /**
     * Waits until the affected changes that are now in progress have ended.
     *
     * @throws IOException if one has not in time
     */
    void awaitEnd(Predicate<AccessedPaths> pathFilter, Duration timeout) throws IOException {
        long begunNanos = System.nanoTime();
        for (Admission admission : admitted) {
            if (pathFilter.test(admission.change())) {
                try {
                    long leftNanos = timeout.toNanos() - (System.nanoTime() - begunNanos);
                    if (!admission.left.await(leftNanos, TimeUnit.NANOSECONDS)) {
                        throw new IOException(
                                "A call under way in the subtree has not ended within " + timeout.toMillis() + " ms: "
                                        + admission.change().paths());
                    }
                } catch (InterruptedException e) {
                    throw toInterruptedIoException(e);
                }
            }
        }
    }

    static InterruptedIOException toInterruptedIoException(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException e = new InterruptedIOException("This NameNode is stopping");
        e.initCause(cause);
        return e;
    }
}
