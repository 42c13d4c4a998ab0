/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;

/**
 * A process that was stopped with SIGSTOP. It cannot feel its leash, so a guard holds another end of one: a shell that
 * kills the stopped process when this JVM is gone.
 */
public final class Pause {
    private final Process stopped;
    private final Process guard;

    private Pause(Process stopped, Process guard) {
        this.stopped = stopped;
        this.guard = guard;
    }

    /**
     * Stops a process.
     *
     * @throws IOException if it is not there any more
     */
    public static Pause of(Process process) throws IOException {
        Process guard = new ProcessBuilder("sh", "-c", "read answer || kill -KILL " + process.pid())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Signal.STOP.sendTo(process);
        } catch (IOException e) {
            // Its process id may be somebody else's when the guard would use it.
            guard.destroyForcibly();
            throw e;
        }
        return new Pause(process, guard);
    }

    /** The process goes on where it was stopped, unless it was killed meanwhile. */
    public void end() throws IOException {
        guard.destroyForcibly();
        try {
            Signal.CONT.sendTo(stopped);
        } catch (IOException e) {
            if (stopped.isAlive()) {
                throw e;
            }
        }
    }

    /** To be called when the stopped process has been killed. */
    public void forget() {
        guard.destroyForcibly();
    }
}
