/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The journal of a NameNode as its configuration has it, wherever its entries are. Thread-safe. */
public interface ConfiguredJournal {

    NameNodeSettings settings();

    /** The namespace of this NameNode. */
    NamespaceId namespace();

    /** Returns how long a confirmed entry lets this NameNode assume that it is the only writer. */
    Duration lease();

    /**
     * Opens the journal, or returns the one that this process has opened; called again while that fails.
     *
     * @throws IOException if it cannot be opened now
     */
    Journal open() throws IOException;

    /** The pool that keeps the journal; empty if something else does. */
    default Optional<NameNodePool> pool() {
        return Optional.empty();
    }
}
