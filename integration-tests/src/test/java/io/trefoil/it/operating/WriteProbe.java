/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;

/** Writes all the time, and measures how long nothing was acknowledged. Its writes change nothing in the namespace. */
public final class WriteProbe implements AutoCloseable {
    private static final Path ROOT = new Path("/");

    private final FileSystem fileSystem;
    private final FsPermission permission;
    private final Thread thread = new Thread(this::run, "write-probe");
    private volatile boolean ended;
    private long lastNanos = System.nanoTime();
    private long longestNanos;

    private WriteProbe(FileSystem fileSystem) throws IOException {
        this.fileSystem = fileSystem;
        this.permission = fileSystem.getFileStatus(ROOT).getPermission();
    }

    public static WriteProbe start(FileSystem fileSystem) throws IOException {
        WriteProbe probe = new WriteProbe(fileSystem);
        probe.thread.setDaemon(true);
        probe.thread.start();
        return probe;
    }

    private void run() {
        while (!ended) {
            try {
                fileSystem.setPermission(ROOT, permission);
                onAcknowledged();
            } catch (IOException notNow) {
                // The probe measures just that; the next write follows at once.
                Thread.onSpinWait();
            }
        }
    }

    private synchronized void onAcknowledged() {
        long now = System.nanoTime();
        longestNanos = Math.max(longestNanos, now - lastNanos);
        lastNanos = now;
    }

    /** The longest time between two acknowledged writes so far, or since the last one. */
    public synchronized Duration longestSilence() {
        return Duration.ofNanos(Math.max(longestNanos, System.nanoTime() - lastNanos));
    }

    @Override
    public void close() throws InterruptedException {
        ended = true;
        thread.interrupt();
        thread.join();
    }
}
