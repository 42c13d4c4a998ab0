/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Performs file operations in spite of interrupts.
 *
 * <p>NIO closes a channel under a thread that is interrupted. HDFS interrupts its threads when it changes state or
 * stops, and one of them may just write the journal: that must not look like a broken disk. So the operation is
 * done again, on a channel opened again, and the thread is told of the interrupt afterwards.
 */
final class Uninterrupted {

    /** An operation that can be done twice with the same outcome. */
    interface Operation {
        void perform() throws IOException;
    }

    private Uninterrupted() {}

    static void perform(Operation operation) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    operation.perform();
                    return;
                } catch (ClosedByInterruptException e) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
