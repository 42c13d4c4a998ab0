/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.watch;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Monitors whether any thread that a given thread waits for makes progress: the owner of the lock it wants, or of the lock wanted by that
 * owner, and so on. Progress means processor time. A thread that waits for a hanging disk uses none, nor do threads that wait for each
 * other. What other threads do does not count.
 *
 * <p>The JVM knows the owner of a monitor and of a lock that is held for writing. Of anything else that a thread may wait for, it
 * knows only the kind. So these threads are assumed to be the ones waited for:
 *
 * <ul>
 *   <li>for a lock that is held for reading: threads that were within HDFS's servers at each check since the wait began. A thread
 *       that came later cannot hold what was waited for already
 *   <li>for the end of a thread: that thread
 *   <li>otherwise: threads whose work within HDFS's servers begins in the class that waits, or in a class nested in it, such as
 *       {@code FSDirectory$InitQuotaTask}, {@code FSEditLogAsync}, and the pools that load and save images
 * </ul>
 *
 * <p>Not for use by several threads.
 */
final class LockProgressMonitor {

    private static final String HDFS_SERVER_PREFIX = "org.apache.hadoop.hdfs.server.";
    private static final String READ_WRITE_LOCK = "java.util.concurrent.locks.ReentrantReadWriteLock";
    private static final long NOBODY = -1;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Thread waitingThread;
    /** The last known owner of each lock that was waited for. */
    private Map<Integer, Long> owners = new HashMap<>();

    private Map<Long, Long> before = new HashMap<>();
    /** The threads that were inside HDFS at each check during this wait at which a lock was held for reading. */
    private Optional<Set<Long>> steadfast = Optional.empty();

    /** @param waitingThread the thread that waits */
    LockProgressMonitor(Thread waitingThread) {
        this.waitingThread = waitingThread;
    }

    /** Drops the recorded owners: the thread now has the lock, or waits for another one. */
    void forget() {
        owners = new HashMap<>();
        before = new HashMap<>();
        steadfast = Optional.empty();
    }

    /**
     * Returns the processor time, in nanoseconds, that the thread and those it waits for have used since the last call.
     * {@link Long#MAX_VALUE} if the lock that one of them wants has another owner now, since the lock was released in between.
     */
    long workedNanos() {
        Workers workers = new Workers();
        Map<Long, Long> now = workers.of(waitingThread.getId());
        long worked = 0;
        for (Map.Entry<Long, Long> worker : now.entrySet()) {
            Long earlier = before.get(worker.getKey());
            // The JVM knows nothing about a thread that has ended.
            worked += earlier == null ? 0 : Math.max(0, worker.getValue() - earlier);
        }
        before = now;
        return workers.ownerHasChanged ? Long.MAX_VALUE : worked;
    }

    /** The threads working on behalf of a waiting thread at one moment, with the processor time of each. */
    private final class Workers {
        private final Map<Long, Long> workers = new HashMap<>();
        private Map<Thread, StackTraceElement[]> stacks = Collections.emptyMap();
        private boolean ownerHasChanged;

        Map<Long, Long> of(long thread) {
            add(thread);
            return workers;
        }

        private void add(long thread) {
            if (workers.containsKey(thread)) {
                return;
            }
            workers.put(thread, threads.getThreadCpuTime(thread));
            ThreadInfo info = threads.getThreadInfo(thread);
            if (info == null || info.getThreadState() == Thread.State.RUNNABLE) {
                return;
            }
            if (info.getLockOwnerId() != NOBODY) {
                Long last = owners.put(info.getLockInfo().getIdentityHashCode(), info.getLockOwnerId());
                ownerHasChanged |= last != null && last != info.getLockOwnerId();
                add(info.getLockOwnerId());
            } else if (info.getLockInfo() != null) {
                ownersOf(thread, info.getLockInfo()).forEach(this::add);
            }
        }

        private Set<Long> ownersOf(long thread, LockInfo lock) {
            if (stacks.isEmpty()) {
                stacks = Thread.getAllStackTraces();
            }
            if (lock.getClassName().startsWith(READ_WRITE_LOCK)) {
                return readers();
            }
            Set<Long> found = new HashSet<>();
            for (Thread entry : stacks.keySet()) {
                if (System.identityHashCode(entry) == lock.getIdentityHashCode()
                        && entry.getClass().getName().equals(lock.getClassName())) {
                    found.add(entry.getId());
                }
            }
            return found.isEmpty() ? threadsAwaitedBy(thread) : found;
        }

        private Set<Long> readers() {
            Set<Long> within = new HashSet<>();
            stacks.forEach((thread, stack) -> {
                if (!firstClass(stack).isEmpty()) {
                    within.add(thread.getId());
                }
            });
            steadfast.ifPresent(within::retainAll);
            steadfast = Optional.of(within);
            return within;
        }

        private Set<Long> threadsAwaitedBy(long waiter) {
            String helped = "";
            for (Map.Entry<Thread, StackTraceElement[]> entry : stacks.entrySet()) {
                if (entry.getKey().getId() == waiter) {
                    helped = lastClass(entry.getValue());
                }
            }
            Set<Long> found = new HashSet<>();
            if (!helped.isEmpty()) {
                for (Map.Entry<Thread, StackTraceElement[]> thread : stacks.entrySet()) {
                    if (firstClass(thread.getValue()).equals(helped)) {
                        found.add(thread.getKey().getId());
                    }
                }
            }
            return found;
        }
    }

    /**
     * The class through which a thread entered HDFS's servers, without nested class names; empty if the thread is not in HDFS's servers.
     */
    private static String firstClass(StackTraceElement[] stack) {
        for (int i = stack.length - 1; i >= 0; i--) {
            if (stack[i].getClassName().startsWith(HDFS_SERVER_PREFIX)) {
                return outermostClass(stack[i].getClassName());
            }
        }
        return "";
    }

    /** The class of HDFS's servers that a thread is in now, without nested class names; empty if the thread is not in HDFS's servers. */
    private static String lastClass(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().startsWith(HDFS_SERVER_PREFIX)) {
                return outermostClass(frame.getClassName());
            }
        }
        return "";
    }

    private static String outermostClass(String className) {
        int nested = className.indexOf('$');
        return nested < 0 ? className : className.substring(0, nested);
    }
}
