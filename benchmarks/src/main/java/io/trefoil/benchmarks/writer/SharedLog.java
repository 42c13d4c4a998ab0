/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer;

import io.trefoil.benchmarks.writer.journal.MeasuredJournal;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/**
 * The log that many threads write to: like {@code FSEditLog.logEdit} and {@code logSync}, the same for every journal. Edits go into one
 * half of the double buffer while the other is flushed; one flush is in progress at a time, and makes everything durable that was written
 * before it.
 */
final class SharedLog {
    private final MeasuredJournal journal;
    private EditLogOutputStream stream;
    private long firstTxId = 1;
    private long lastTxId;
    private long syncedTxId;
    private long flushCount;
    private boolean flushing;
    private boolean flushForced;
    private boolean awaited;
    private volatile CommitTrace trace = CommitTrace.NONE;
    private volatile double slowdown = 1;

    SharedLog(MeasuredJournal journal) throws IOException {
        this.journal = journal;
        this.stream = journal.start(1);
    }

    /** Sets the trace that records each flush from now on. */
    void setTrace(CommitTrace newTrace) {
        trace = newTrace;
    }

    /** Makes each flush take longer by a factor from now on, 1 for its normal time; checks must notice that. */
    void setSlowdown(double newSlowdown) {
        slowdown = newSlowdown;
    }

    synchronized long lastTxId() {
        return lastTxId;
    }

    synchronized long flushCount() {
        return flushCount;
    }

    /** Gives an edit its transaction id and buffers it; returns the id. */
    long write(FSEditLogOp edit) throws IOException {
        long txId;
        boolean forced;
        synchronized (this) {
            awaitUntil(() -> !flushForced);
            txId = ++lastTxId;
            edit.setTransactionId(txId);
            stream.write(edit);
            flushForced = stream.shouldForceSync();
            forced = flushForced;
            if (awaited) {
                awaited = false;
                notifyAll();
            }
        }
        if (forced) {
            sync(txId);
        }
        return txId;
    }

    /** Returns the last durable transaction, which is this one or a later one. */
    long sync(long txId) throws IOException {
        long first;
        long last;
        EditLogOutputStream flushed;
        synchronized (this) {
            awaitUntil(() -> txId <= syncedTxId || !flushing);
            if (txId <= syncedTxId) {
                return syncedTxId;
            }
            first = syncedTxId + 1;
            last = lastTxId;
            flushed = stream;
            flushing = true;
            flushed.setReadyToFlush();
            if (flushForced) {
                flushForced = false;
                notifyAll();
            }
        }
        long begunNanos = System.nanoTime();
        flushed.flush();
        busyWait(System.nanoTime() - begunNanos);
        trace.recordFlush(begunNanos, System.nanoTime(), last + 1 - first);
        synchronized (this) {
            syncedTxId = last;
            flushCount++;
            flushing = false;
            notifyAll();
        }
        return last;
    }

    /** Burns CPU time, like slower code would; a sleep would yield the core, and last longer than requested. */
    private void busyWait(long tookNanos) {
        long end = System.nanoTime() + (long) ((slowdown - 1) * tookNanos);
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** Waits until something was written after a transaction, or until time is up. */
    synchronized long awaitWriteAfter(long txId, long nanos) {
        long start = System.nanoTime();
        long left = nanos;
        try {
            while (lastTxId <= txId && left > 0) {
                awaited = true;
                TimeUnit.NANOSECONDS.timedWait(this, left);
                left = start + nanos - System.nanoTime();
            }
        } catch (InterruptedException e) {
            throw interruptedException(e);
        }
        return lastTxId;
    }

    /** Ends the segment and begins the next one; no thread may write during that time. */
    synchronized void roll() throws IOException {
        if (lastTxId < firstTxId) {
            return;
        }
        sync(lastTxId);
        stream.close();
        journal.end(firstTxId, lastTxId);
        firstTxId = lastTxId + 1;
        stream = journal.start(firstTxId);
    }

    private void awaitUntil(BooleanSupplier condition) {
        try {
            while (!condition.getAsBoolean()) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interruptedException(e);
        }
    }

    static IllegalStateException interruptedException(InterruptedException e) {
        return new IllegalStateException("A benchmark is never interrupted", e);
    }
}
