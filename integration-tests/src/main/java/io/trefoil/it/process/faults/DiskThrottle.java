/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Limits how many writes a second a block device takes from all processes, until this is closed. Needs root, and version 1 of control
 * groups.
 *
 * <p>A shell sets the limit, and removes it when its standard input ends: when this is closed, or this JVM is gone, however it ended.
 */
public final class DiskThrottle implements AutoCloseable {
    private static final String SCRIPT =
            """
            trap '' INT HUP TERM
            limits=/sys/fs/cgroup/blkio/blkio.throttle.write_iops_device
            device=$(cat "/sys/block/$(basename "$0")/dev") || exit 1
            echo "$device $1" > "$limits" || exit 1
            echo limited
            cat > /dev/null
            echo "$device 0" > "$limits"
            """;

    private final String device;
    private final Process shell;

    private DiskThrottle(String device, Process shell) {
        this.device = device;
        this.shell = shell;
    }

    /**
     * Limits a device.
     *
     * @param device such as {@code /dev/loop0}
     * @throws IllegalStateException if it cannot be limited
     */
    public static DiskThrottle of(String device, int writesPerSecond) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT, device, String.valueOf(writesPerSecond))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (shell.getInputStream().read() < 0) {
                throw new IllegalStateException("cannot limit the writes of " + device
                        + ", which needs the controller blkio of version 1 of control groups");
            }
            return new DiskThrottle(device, shell);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the limit. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (shell.waitFor() != 0) {
                throw new IllegalStateException(device + " is still slow");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the limit of " + device + " is removed", e);
        }
    }
}
