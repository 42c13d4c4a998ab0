/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.netty.channel.Channel;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.transport.connection.Sockets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that serve readers: some for all journals, which never block, and some for each journal, which may have
 * to wait for its disk. So a hanging disk delays only callers that need something from it; requests for the state of
 * its journal, or for other journals, are still served. Threads of a journal without readers end.
 */
final class ReaderThreads {

    private static final int QUICK_THREADS = 2;
    private static final int DISK_THREADS = 2;
    private static final long IDLE_SECONDS = 10;

    private final int maxTurns;
    private final ThreadPoolExecutor quick;
    private final Map<JournalId, JournalThreads> disks = new HashMap<>();

    /** @param maxTurns the limit of connections: each has at most one turn waiting, so the queues never overflow */
    ReaderThreads(int maxTurns) {
        this.maxTurns = maxTurns;
        this.quick = newThreads("ssp-reader", QUICK_THREADS);
    }

    private ThreadPoolExecutor newThreads(String name, int count) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                count,
                count,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(maxTurns),
                Sockets.newThreadFactory(name));
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    Executor quickExecutor() {
        return quick;
    }

    /**
     * The threads that may wait for a journal's disk, for one of its readers; kept as long as the reader's connection
     * is open.
     */
    synchronized Executor diskExecutorOf(JournalId journal, Channel channel) {
        JournalThreads disk =
                disks.computeIfAbsent(journal, id -> new JournalThreads(newThreads("ssp-reader-" + id, DISK_THREADS)));
        disk.connections++;
        channel.closeFuture().addListener(closed -> release(journal, disk));
        return disk.threads;
    }

    private synchronized void release(JournalId journal, JournalThreads disk) {
        disk.connections--;
        if (disk.connections == 0) {
            disks.remove(journal, disk);
            disk.threads.shutdown();
        }
    }

    /** Stops accepting work; returns whether all threads have ended within the given time. */
    boolean end(long millis) {
        List<ThreadPoolExecutor> all = all();
        all.forEach(ThreadPoolExecutor::shutdown);
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        boolean ended = true;
        for (ThreadPoolExecutor threads : all) {
            ended &= awaitTermination(threads, deadlineNanos);
        }
        return ended;
    }

    private synchronized List<ThreadPoolExecutor> all() {
        List<ThreadPoolExecutor> all = new ArrayList<>();
        all.add(quick);
        disks.values().forEach(disk -> all.add(disk.threads));
        return all;
    }

    /** The threads of one journal, and how many of its readers are connected. */
    private static final class JournalThreads {
        private final ThreadPoolExecutor threads;
        private int connections;

        JournalThreads(ThreadPoolExecutor threads) {
            this.threads = threads;
        }
    }

    /** Waits for the end of threads; returns false if the deadline passes before. */
    private static boolean awaitTermination(ThreadPoolExecutor threads, long deadlineNanos) {
        try {
            return threads.awaitTermination(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
