/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Carries out orders about pins for the active NameNode of a journal, whose log contains them. Each returns what was
 * done, as text.
 */
public interface PinService {

    /**
     * Keeps transactions from one on.
     *
     * @param txId what an operator may want to come back to
     * @param keepFrom the lowest transaction that this needs
     * @param duration after which it is released; empty if it stays until {@link #unpin}
     * @throws IOException if it was refused, or nobody writes the journal; nothing is pinned then
     */
    String pin(long txId, long keepFrom, Optional<Duration> duration) throws IOException;

    /** @throws IOException if there is no such pin, or nobody writes the journal */
    String unpin(String name) throws IOException;

    /**
     * Keeps what a NameNode needs that goes on from a transaction; what was kept for it before is not any more.
     *
     * @throws IOException if it was refused, or nobody writes the journal; then nobody purges it either
     */
    String renew(String nameNode, long txId, Duration duration) throws IOException;

    /** Keeps nothing for a NameNode any more. */
    String renewed(String nameNode) throws IOException;
}
