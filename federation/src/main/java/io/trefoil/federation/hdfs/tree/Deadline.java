/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A limit on the total time for which a caller waits for several calls to a server. They run in a thread of their own, one after the other,
 * and give nothing but their result: what is late changes nothing. Belongs to one thread.
 */
final class Deadline implements Closeable {

    private static final String THREAD = "subtree-edits";

    private final Duration limit;
    private final long began = System.nanoTime();
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread made = new Thread(task, THREAD);
        made.setDaemon(true);
        return made;
    });

    private Deadline(Duration limit) {
        this.limit = limit;
    }

    /** Starts the deadline now. */
    static Deadline startingNow(Duration limit) {
        return new Deadline(limit);
    }

    /** The time since the deadline began. */
    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - began);
    }

    /**
     * The result of a call.
     *
     * @throws InconclusiveEditsException if it is late
     * @throws IOException if the call throws it
     */
    <T> T await(Callable<T> call) throws IOException {
        Future<T> result = thread.submit(call);
        try {
            return result.get(limit.minus(elapsed()).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new InconclusiveEditsException("edits were not to be read within " + limit.toMillis() + " ms");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while edits were read");
        } catch (ExecutionException e) {
            throw CallFailures.unwrap(e);
        }
    }

    /**
     * Interrupts a late call: HDFS's client then neither retries it nor fails over to another NameNode, which later calls would have to
     * use.
     */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
