/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Freezes a file system except for a moment every two seconds, until this is closed: a write takes about that long, like on a disk that
 * retries each sector repeatedly. Needs Linux and root.
 */
public final class StutteringFileSystem implements AutoCloseable {
    private static final Duration FROZEN = Duration.ofMillis(1_900);
    /** The pause between freezes: long enough for one write and its sync; freezing again takes just as long. */
    private static final Duration THAWED = Duration.ofMillis(20);

    private final Path mountPoint;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private StutteringFileSystem(Path mountPoint) {
        this.mountPoint = mountPoint;
        thread = new Thread(this::run, "stutters " + mountPoint);
        thread.setDaemon(true);
    }

    /** Starts the freezes. */
    public static StutteringFileSystem of(Path mountPoint) {
        StutteringFileSystem stutter = new StutteringFileSystem(mountPoint);
        stutter.thread.start();
        return stutter;
    }

    private void run() {
        try {
            do {
                try (FileSystemFreeze frozen = FileSystemFreeze.of(mountPoint)) {
                    over.await(FROZEN.toMillis(), TimeUnit.MILLISECONDS);
                }
            } while (!over.await(THAWED.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** Stops the freezes; returns when writers are no longer blocked. */
    @Override
    public void close() {
        over.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + mountPoint + " is thawed", e);
        }
    }
}
