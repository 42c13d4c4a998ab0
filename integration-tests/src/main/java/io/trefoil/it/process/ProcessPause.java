/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;

/**
 * A process stopped with SIGSTOP. It cannot notice its leash, so a guard holds a second one: a shell that kills the
 * stopped process when this JVM is gone.
 */
public final class ProcessPause {
    private final Process pausedProcess;
    private final Process guard;

    private ProcessPause(Process process, Process guard) {
        this.pausedProcess = process;
        this.guard = guard;
    }

    /**
     * Stops a process.
     *
     * @throws IOException if it no longer exists
     */
    public static ProcessPause of(Process process) throws IOException {
        Process guard = new ProcessBuilder("sh", "-c", "read answer || kill -KILL " + process.pid())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Signal.STOP.sendTo(process);
        } catch (IOException e) {
            // By the time the guard uses it, the process id may belong to another process.
            guard.destroyForcibly();
            throw e;
        }
        return new ProcessPause(process, guard);
    }

    /** Resumes the process, unless it has been killed. */
    public void end() throws IOException {
        guard.destroyForcibly();
        try {
            Signal.CONT.sendTo(pausedProcess);
        } catch (IOException e) {
            if (pausedProcess.isAlive()) {
                throw e;
            }
        }
    }

    /** Must be called when the stopped process has been killed. */
    public void forget() {
        guard.destroyForcibly();
    }
}
