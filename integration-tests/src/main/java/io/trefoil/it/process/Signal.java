/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A signal that one process sends to another. */
enum Signal {
    HUP,
    TERM,
    KILL,
    STOP,
    CONT;

    void sendTo(Process process) throws IOException {
        // The shell's built-in kill: not every system has a separate program of that name.
        Process sender = new ProcessBuilder("sh", "-c", "kill -" + name() + " " + process.pid())
                .redirectErrorStream(true)
                .start();
        try {
            String complaint = new String(sender.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (sender.waitFor() != 0) {
                throw new IOException("signal " + name() + " did not reach pid " + process.pid() + ": " + complaint);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while sending " + name(), e);
        }
    }
}
