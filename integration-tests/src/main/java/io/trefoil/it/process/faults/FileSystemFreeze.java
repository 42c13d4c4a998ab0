/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Freezes a file system until this is closed. Writers wait in the kernel, where not even a kill reaches them; readers
 * do not notice. Needs Linux and root.
 *
 * <p>A shell holds the file system frozen. It thaws it when its standard input ends: when this is closed, or this JVM
 * is gone, however it ended.
 */
public final class FileSystemFreeze implements AutoCloseable {
    private static final String SCRIPT =
            """
            trap '' INT HUP TERM
            fsfreeze -f "$0" || exit 1
            echo frozen
            cat > /dev/null
            fsfreeze -u "$0"
            """;

    private final Path mountPoint;
    private final Process shell;

    private FileSystemFreeze(Path mountPoint, Process shell) {
        this.mountPoint = mountPoint;
        this.shell = shell;
    }

    /**
     * Freezes a file system.
     *
     * @throws IllegalStateException if it cannot be frozen, or already is
     */
    public static FileSystemFreeze of(Path mountPoint) {
        try {
            Process shell = new ProcessBuilder("sh", "-c", SCRIPT, mountPoint.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (shell.getInputStream().read() < 0) {
                throw new IllegalStateException("cannot freeze " + mountPoint);
            }
            return new FileSystemFreeze(mountPoint, shell);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Thaws the file system, so that waiting writers continue. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (shell.waitFor() != 0) {
                throw new IllegalStateException(mountPoint + " is still frozen");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + mountPoint + " is thawed", e);
        }
    }
}
