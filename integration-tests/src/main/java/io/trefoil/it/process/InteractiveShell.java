/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An interactive bash on the terminal of this JVM; without a terminal, it reads its commands from this JVM's standard input.
 * Meanwhile no other thread may read there.
 */
public final class InteractiveShell implements AutoCloseable {
    private static final int SECONDS_TO_HANG_UP = 5;

    private final Process bash;

    private InteractiveShell(Process bash) {
        this.bash = bash;
    }

    /**
     * Opens a shell.
     *
     * @param file will hold the profile; its name shows in the list of processes
     * @param profile what the shell runs first
     * @param environment in addition to that of this JVM
     */
    public static InteractiveShell open(Path file, String profile, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder("bash", "--rcfile", file.toString()).inheritIO();
        builder.environment().putAll(environment);
        // A bash that is not interactive takes no other notice of a profile.
        builder.environment().put("BASH_ENV", file.toString());
        try {
            // Else each script that is typed would run the profile, too.
            Files.writeString(file, "unset BASH_ENV\n" + profile);
            return new InteractiveShell(builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The future that completes when the shell has ended. */
    public CompletableFuture<?> exitFuture() {
        return bash.onExit();
    }

    /**
     * Ends the shell as if its terminal were gone, which makes an interactive shell restore the terminal, and kills its processes.
     */
    @Override
    public void close() {
        List<ProcessHandle> commands = bash.descendants().toList();
        hangUp();
        commands.forEach(ProcessHandle::destroyForcibly);
    }

    private void hangUp() {
        try {
            if (bash.isAlive()) {
                Signal.HUP.sendTo(bash);
            }
            if (!bash.waitFor(SECONDS_TO_HANG_UP, TimeUnit.SECONDS)) {
                bash.destroyForcibly();
            }
        } catch (IOException e) {
            if (bash.isAlive()) {
                bash.destroyForcibly();
            }
        } catch (InterruptedException e) {
            bash.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
