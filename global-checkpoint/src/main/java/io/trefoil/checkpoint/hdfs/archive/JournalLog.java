/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.store.CommittedLog;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.storage.PurgedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The entries that the nodes of a pool have committed, read as any process may read it. Used by one thread. */
public final class JournalLog implements CommittedLog {

    private final Journal journal;
    private long committedSn;

    public JournalLog(Journal journal) {
        this.journal = journal;
    }

    @Override
    public Incarnation incarnation() throws IOException {
        journal.segments(Long.MAX_VALUE);
        committedSn = journal.committedPosition().sn();
        return journal.lastShownIncarnation();
    }

    @Override
    public List<Entry> read(long firstSn, int maxBytes) throws IOException {
        if (firstSn > committedSn) {
            // Not even asked for: a node that is down would fail where there is nothing.
            return new ArrayList<>();
        }
        try {
            return journal.read(firstSn, maxBytes);
        } catch (IOException e) {
            // Another node may have failed after one said so, and no node gave the entry.
            throw findPurged(e).map(IOException.class::cast).orElse(e);
        }
    }

    private static Optional<PurgedException> findPurged(Throwable failure) {
        if (failure instanceof PurgedException) {
            return Optional.of((PurgedException) failure);
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            Optional<PurgedException> found = findPurged(suppressed);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }
}
