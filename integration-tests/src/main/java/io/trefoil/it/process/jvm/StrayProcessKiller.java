/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Kills processes that a server started and left behind: containers of a NodeManager run in their own sessions and have no
 * {@link ExitWithParent leash}. A shell holds one for them. When this guard is closed, or this JVM is gone, the shell kills
 * with -9 every process whose command line names the guarded directory, until there is none. Needs Linux.
 */
public final class StrayProcessKiller implements AutoCloseable {
    private static final String DIRECTORY = "GUARDED_FOLDER";
    private static final int SECONDS_TO_SWEEP = 120;

    /**
     * The environment passes the directory's name, so that the shell's own command line does not contain it. The script
     * ends only after two searches in a row found nothing, because one search can miss a process that is being forked.
     * It ignores Ctrl-C, which is for the harness; the harness then closes the guard.
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

    private StrayProcessKiller(Process shell) {
        this.shell = shell;
    }

    /** Starts guarding a directory; must be closed when the servers that start processes there are gone. */
    public static StrayProcessKiller guard(Path directory) {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", SCRIPT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put(DIRECTORY, directory.toString());
        try {
            return new StrayProcessKiller(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kills the processes; returns when none is left. */
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
