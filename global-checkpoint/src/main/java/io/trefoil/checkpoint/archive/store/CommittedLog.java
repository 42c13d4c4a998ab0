/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.util.List;

/** The committed entries of a journal, as its pool nodes give them to any reader. */
public interface CommittedLog {

    /** The incarnation that is in force; until the next call, {@link #read} gives the entries that it had committed by now. */
    Incarnation incarnation() throws IOException;

    /**
     * Entries of every kind from one on; empty if nothing is committed there yet.
     *
     * @param maxBytes limit of the payload bytes; at least one entry is returned if there is one
     * @throws io.trefoil.journal.storage.PurgedException if that entry is no longer kept
     */
    List<Entry> read(long firstSn, int maxBytes) throws IOException;
}
