/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs small shell scripts, for mounts and network namespaces. */
public final class Shell {
    private Shell() {}

    /**
     * Runs the script in {@code sh -e} and waits for its end.
     *
     * @return what it printed
     * @throws IllegalStateException if it failed; the message holds the script and what it printed
     */
    public static String run(String script) {
        ToolResult result = tryRun(script);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(
                    "exit code " + result.exitCode() + " of: " + script + "\n" + result.output());
        }
        return result.output();
    }

    /** Like {@link #run}, but leaves the exit code to the caller. */
    public static ToolResult tryRun(String script) {
        try {
            Process shell = new ProcessBuilder("sh", "-ec", script)
                    .redirectErrorStream(true)
                    .start();
            shell.getOutputStream().close();
            String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new ToolResult(script, shell.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running: " + script, e);
        }
    }

    /** Whether this JVM runs as root, which mounts and network namespaces need. */
    public static boolean isRoot() {
        return tryRun("id -u").output().trim().equals("0");
    }

    /** Whether this JVM may mount file systems from image files. */
    public static boolean hasLoopDevices() {
        return isRoot() && Files.exists(Path.of("/dev/loop-control"));
    }
}
