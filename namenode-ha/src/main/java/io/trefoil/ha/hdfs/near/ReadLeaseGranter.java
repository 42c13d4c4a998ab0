/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.journal.hdfs.edits.CommitWatch;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.pool.server.ForwardedCalls;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.io.Closeable;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Grants other NameNodes the right to answer reads while this one is active. Calls that they forward go to the given executor. Thread-safe.
 */
public final class ReadLeaseGranter implements ForwardedCalls, Closeable {
    /**
     * The longest time that a request waits: by then the observer has repeated it several times, and the granted lease would have nearly
     * expired.
     */
    private static final long MAX_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(ReadLeases.USED_MILLIS);

    private static final int MAX_WAITING = 1_024;

    private final Supplier<Optional<CommitWatch>> term;
    private final ForwardedCalls calls;
    private final LongSupplier nanoTime;
    /** The thread that grants leases, since a step of the writer may take a moment and the pool node's threads must not wait. */
    private final ThreadPoolExecutor granting;

    /** @param calls executes clients' calls */
    public ReadLeaseGranter(Supplier<Optional<CommitWatch>> term, ForwardedCalls calls) {
        this(term, calls, DaemonThreads.newFactory("mams-read-leases"), System::nanoTime);
    }

    ReadLeaseGranter(
            Supplier<Optional<CommitWatch>> term, ForwardedCalls calls, ThreadFactory threads, LongSupplier nanoTime) {
        this.term = term;
        this.calls = calls;
        this.nanoTime = nanoTime;
        this.granting =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING), threads);
        this.granting.allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Bytes call, Forwarder answer) {
        if (!ReadLeaseCodec.isQuestion(call)) {
            calls.execute(call, answer);
            return;
        }
        long askedNanos = nanoTime.getAsLong();
        try {
            granting.execute(() -> grant(call, answer, askedNanos));
        } catch (RejectedExecutionException stoppingOrFull) {
            answer.accept(ReadLeaseCodec.encodeAnswer(Optional.empty()));
        } catch (Error noThread) {
            // Without an answer the observer would wait for one before it asks again.
            answer.accept(ReadLeaseCodec.encodeAnswer(Optional.empty()));
        }
    }

    /** Answers a request, even if granting fails. */
    private void grant(Bytes query, Forwarder answer, long askedNanos) {
        Optional<Epoch> granted = Optional.empty();
        try {
            if (nanoTime.getAsLong() - askedNanos < MAX_WAIT_NANOS) {
                granted = tryGrant(query);
            }
        } finally {
            answer.accept(ReadLeaseCodec.encodeAnswer(granted));
        }
    }

    private Optional<Epoch> tryGrant(Bytes query) {
        try {
            return term.get().flatMap(serving -> serving.grantReads(ReadLeaseCodec.decodeNode(query)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        granting.shutdownNow();
    }
}
