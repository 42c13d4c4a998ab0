/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Freezes a file system except for a moment every two seconds, until this is closed: a write takes about that long, as
 * on a disk that tries each sector again and again. Needs Linux and root.
 */
public final class StutteringFileSystem implements AutoCloseable {
    private static final Duration FROZEN = Duration.ofMillis(1_900);
    /** Long enough for one write and its sync; freezing again takes as long once more. */
    private static final Duration THAWED = Duration.ofMillis(20);

    private final Path mountPoint;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    private StutteringFileSystem(Path mountPoint) {
        this.mountPoint = mountPoint;
        thread = new Thread(this::run, "stutters " + mountPoint);
        thread.setDaemon(true);
    }

    /** Begins to stutter. */
    public static StutteringFileSystem of(Path mountPoint) {
        StutteringFileSystem stutter = new StutteringFileSystem(mountPoint);
        stutter.thread.start();
        return stutter;
    }

    private void run() {
        try {
            do {
                try (Freeze frozen = Freeze.of(mountPoint)) {
                    over.await(FROZEN.toMillis(), TimeUnit.MILLISECONDS);
                }
            } while (!over.await(THAWED.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    /** Returns when writers are no longer held up. */
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
