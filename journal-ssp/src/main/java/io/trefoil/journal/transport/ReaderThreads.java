/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.trefoil.journal.model.JournalId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Who serves readers: some threads that wait for nothing, for all journals, and some for each journal that may have to wait
 * for its disk. So a disk that hangs keeps only those waiting who want something from it: whoever asks how its journal is, or for
 * another journal, is served. Threads of a journal that nobody reads end.
 */
final class ReaderThreads {

    private static final int QUICK_THREADS = 2;
    private static final int DISK_THREADS = 2;
    private static final long IDLE_SECONDS = 10;

    private final int maxTurns;
    private final ThreadPoolExecutor quick;
    private final Map<JournalId, ThreadPoolExecutor> disks = new ConcurrentHashMap<>();

    /** @param maxTurns how many connections there may be: each has at most one turn waiting, so nothing ever overflows */
    ReaderThreads(int maxTurns) {
        this.maxTurns = maxTurns;
        this.quick = threads("ssp-reader", QUICK_THREADS);
    }

    private ThreadPoolExecutor threads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(maxTurns),
                Sockets.numbered(name));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    Executor quick() {
        return quick;
    }

    /** Those that may wait for the disk of a journal. */
    Executor of(JournalId journal) {
        return task -> disks.computeIfAbsent(journal, id -> threads("ssp-reader-" + id, DISK_THREADS))
                .execute(task);
    }

    /** Takes no more; whether all have ended by then. */
    boolean end(long millis) {
        quick.shutdown();
        disks.values().forEach(ThreadPoolExecutor::shutdown);
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean ended = isOver(quick, deadlineNanos);
        for (ThreadPoolExecutor disk : disks.values()) {
            ended &= isOver(disk, deadlineNanos);
        }
        return ended;
    }

    private static boolean isOver(ThreadPoolExecutor threads, long deadlineNanos) {
        try {
            return threads.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
