/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.record;

import java.io.IOException;
import java.util.Optional;

/** Keeps the record of one journal for all processes. Thread-safe. */
public interface RecordStore extends AutoCloseable {

    /**
     * The newest record, never older than one that any process had seen before this call; empty if the journal was never formatted.
     *
     * @throws IOException if that cannot be found out now, or the record is not one that this version knows
     */
    Optional<VersionedLog> read() throws IOException;

    /**
     * Replaces the record if it is still the expected one.
     *
     * @param expected as it was read; empty to create it
     * @return whether it was replaced
     * @throws IOException if the outcome is unknown
     */
    boolean compareAndSet(Optional<VersionedLog> expected, LedgerLog next) throws IOException;

    @Override
    void close();
}
