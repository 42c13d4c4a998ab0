/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.disk;

import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.LogThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of one replica; idle threads exit, so that an unused replica has none. A thread that hangs in its disk
 * delays only its own replica.
 */
public final class DiskThreads implements ReplicaThreads {
    private static final Logger LOG = LoggerFactory.getLogger(DiskThreads.class);

    /** The number of threads that read; more would only wait for the same disk. */
    private static final int READERS = 4;

    private static final long IDLE_SECONDS = 30;

    private final String name;
    private final ThreadPoolExecutor disk;
    private final ThreadPoolExecutor readers;
    private final LogThread log;

    public DiskThreads(String name) {
        this.name = name;
        this.disk = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                DaemonThreads.newFactory("ssp-disk-" + name));
        this.disk.allowCoreThreadTimeOut(true);
        this.readers = new ThreadPoolExecutor(
                0,
                READERS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                DaemonThreads.newFactory("ssp-read-" + name));
        this.log = new LogThread("ssp-log-" + name);
    }

    @Override
    public void executeOnDisk(Runnable task) {
        try {
            disk.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("Task dropped: the replica is closed, journal={}", name);
        }
    }

    @Override
    public void executeRead(Runnable task) {
        readers.execute(task);
    }

    @Override
    public void executeLongTask(Runnable task) {
        DaemonThreads.newFactory("ssp-open-" + name).newThread(task).start();
    }

    @Override
    public void log(Runnable line) {
        log.write(line);
    }

    @Override
    public void shutDown() {
        disk.shutdown();
        readers.shutdown();
    }
}
