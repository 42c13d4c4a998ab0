/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Performs file operations despite interrupts.
 *
 * <p>NIO closes a channel when a thread that uses it is interrupted. HDFS interrupts its threads when it changes state
 * or stops, and one of them may be writing the journal: that must not look like a broken disk. So the operation is
 * repeated on a reopened channel, and the interrupt is restored afterwards.
 *
 * <p>A sync is different. An interrupted one may have failed without NIO saying so, and the system reports a failure
 * only once: a second sync would succeed although the first one lost data.
 */
final class UninterruptibleIo {

    /** An operation that can be repeated with the same outcome. */
    interface Operation {
        void perform() throws IOException;
    }

    private UninterruptibleIo() {}

    /**
     * Syncs, once.
     *
     * @throws IOException also if the thread is interrupted meanwhile: then it is not known what is durable. An earlier
     *     interrupt does no harm
     */
    static void sync(Operation sync) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            sync.perform();
        } catch (ClosedByInterruptException e) {
            throw new IOException("A sync was interrupted, and what is durable is not known", e);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

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
