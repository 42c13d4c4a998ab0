/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Ends what a server started and left behind: containers of a NodeManager are in sessions of their own and know nothing of a
 * {@link Leashed leash}. A shell holds one for them. When this guard is closed, or this JVM is gone, it kills with -9 every
 * process that names the guarded folder in its command line, until there is none. Needs Linux.
 */
public final class StrayGuard implements AutoCloseable {
    private static final String FOLDER = "GUARDED_FOLDER";
    private static final int SECONDS_TO_SWEEP = 30;

    /**
     * The folder's name comes by the environment, so that it is not in the command line of the shell itself. Twice without a
     * find, since what is being forked is not seen by every look. A Ctrl-C is for the harness, which then lets go.
     */
    private static final String SCRIPT =
            """
            trap '' INT HUP TERM
            : "${GUARDED_FOLDER:?}"
            cat
            quiet=0
            while [ $quiet -lt 2 ]; do
              quiet=$((quiet + 1))
              for found in $(printf %s "$GUARDED_FOLDER" | grep -laF -f - /proc/[0-9]*/cmdline 2>/dev/null); do
                quiet=0
                pid=${found#/proc/}
                kill -KILL "${pid%/cmdline}" 2>/dev/null
              done
            done
            """;

    private final Process shell;

    private StrayGuard(Process shell) {
        this.shell = shell;
    }

    /** Begins to guard; to be closed when the servers that start processes in this folder are gone. */
    public static StrayGuard over(Path folder) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", SCRIPT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(FOLDER, folder.toString());
        try {
            return new StrayGuard(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when there is no such process any more. */
    @Override
    public void close() {
        try {
            shell.getOutputStream().close();
            if (!shell.waitFor(SECONDS_TO_SWEEP, TimeUnit.SECONDS)) {
                throw new IllegalStateException("processes survive kill -9");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while strays are killed", e);
        }
    }
}
