/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether anybody is at work for whom a thread waits: whoever holds the lock that it wants, or the lock that this one wants, and so
 * on. Work is time on a processor. A thread that waits for a disk that does not answer has none, nor have threads that wait for each
 * other.
 *
 * <p>The JVM knows the owner of a monitor and of a lock that is held for writing. Of one that is held for reading it knows none, and an
 * owner may have given its work to other threads and wait for them; then whoever works within HDFS's servers counts.
 *
 * <p>Not for use by several threads.
 */
final class LockHolder {

    private static final String WITHIN_HDFS = "org.apache.hadoop.hdfs.server.";
    private static final int FRAMES = 64;
    private static final long NOBODY = -1;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long waiting;
    private long lastHolder = NOBODY;
    private Map<Long, Long> before = new HashMap<>();

    /** @param waiting the thread that waits */
    LockHolder(Thread waiting) {
        this.waiting = waiting.getId();
    }

    /** Forgets who held the lock: the thread has it now, or waits for another. */
    void forget() {
        lastHolder = NOBODY;
        before = new HashMap<>();
    }

    /**
     * For how long those who are waited for have worked since the last call, in nanoseconds of processor time; {@link Long#MAX_VALUE} if
     * the holder has changed, since then the lock was released in between.
     */
    long workedNanos() {
        long holder = holder();
        Map<Long, Long> now = holder == NOBODY ? new HashMap<>() : workers(holder);
        boolean changed = lastHolder != NOBODY && holder != lastHolder;
        long worked = 0;
        for (Map.Entry<Long, Long> worker : now.entrySet()) {
            Long earlier = before.get(worker.getKey());
            // Of a thread that has ended the JVM knows nothing any more.
            worked += earlier == null ? 0 : Math.max(0, worker.getValue() - earlier);
        }
        lastHolder = holder;
        before = now;
        return changed && holder != NOBODY ? Long.MAX_VALUE : worked;
    }

    /** The thread at the end of the chain, which waits for no owner; nobody if the chain has no end. */
    private long holder() {
        Set<Long> seen = new HashSet<>();
        long thread = waiting;
        while (seen.add(thread)) {
            ThreadInfo info = threads.getThreadInfo(thread);
            if (info == null || info.getLockOwnerId() == NOBODY) {
                return thread;
            }
            thread = info.getLockOwnerId();
        }
        return NOBODY;
    }

    /** The processor time of the holder; of all within HDFS if it waits for it is not known whom. */
    private Map<Long, Long> workers(long holder) {
        Map<Long, Long> workers = new HashMap<>();
        ThreadInfo info = threads.getThreadInfo(holder);
        if (info == null || info.getThreadState() == Thread.State.RUNNABLE) {
            workers.put(holder, threads.getThreadCpuTime(holder));
            return workers;
        }
        for (ThreadInfo one : threads.getThreadInfo(threads.getAllThreadIds(), FRAMES)) {
            if (one != null && one.getThreadId() != waiting && (one.getThreadId() == holder || isWithinHdfs(one))) {
                workers.put(one.getThreadId(), threads.getThreadCpuTime(one.getThreadId()));
            }
        }
        return workers;
    }

    private static boolean isWithinHdfs(ThreadInfo thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().startsWith(WITHIN_HDFS)) {
                return true;
            }
        }
        return false;
    }
}
