/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Takes orders about pins, which the active NameNode of a journal carries out in the log. Each order returns what was
 * done, as text.
 */
public interface PinService {

    /**
     * Keeps the transactions from {@code keepFrom} on.
     *
     * @param txId the transaction that an operator may want to return to
     * @param keepFrom the lowest transaction needed for that
     * @param duration after which the pin is released; empty if it stays until {@link #unpin}
     * @throws IOException if it was refused, or there is no writer of the journal; nothing is pinned then
     */
    String pin(long txId, long keepFrom, Optional<Duration> duration) throws IOException;

    /** @throws IOException if there is no such pin, or no writer of the journal */
    String unpin(String name) throws IOException;

    /**
     * Keeps the transactions that a NameNode needs to continue from a transaction, in place of those kept for it
     * before.
     *
     * @throws IOException if it was refused, or there is no writer of the journal; without a writer it is not purged
     *     either
     */
    String pinForRenewal(String nameNode, long txId, Duration duration) throws IOException;

    /** Stops keeping anything for a NameNode. */
    String unpinAfterRenewal(String nameNode) throws IOException;
}
