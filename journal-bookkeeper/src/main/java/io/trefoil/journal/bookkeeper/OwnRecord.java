/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import java.io.IOException;
import java.util.Optional;

/** The record of a journal as one NameNode may use it: that of its own namespace. Thread-safe. */
final class OwnRecord implements RecordStore {
    private final JournalId journal;
    private final RecordStore records;
    private volatile NamespaceId wanted = NamespaceId.UNKNOWN;

    OwnRecord(JournalId journal, RecordStore records) {
        this.journal = journal;
        this.records = records;
    }

    /** Refuses any other namespace from now on; an unknown one changes nothing. */
    void requireNamespace(NamespaceId namespace) {
        if (namespace.isKnown()) {
            wanted = namespace;
        }
    }

    /** @throws WrongNamespaceException if the record is of another namespace */
    @Override
    public Optional<VersionedLog> read() throws IOException {
        Optional<VersionedLog> found = records.read();
        if (found.isPresent()
                && wanted.isKnown()
                && !found.get().log().namespace().equals(wanted)) {
            throw new WrongNamespaceException("Journal " + journal + " is of "
                    + found.get().log().namespace() + ", but this NameNode's namespace is " + wanted
                    + "; correct dfs.namenode.shared.edits.dir or dfs.namenode.name.dir");
        }
        return found;
    }

    /** @throws NotFormattedException if there is no journal, so that waiting is useless */
    VersionedLog requireFormatted() throws IOException {
        return read().orElseThrow(
                        () -> new NotFormattedException("Journal " + journal + " is not formatted in BookKeeper"));
    }

    @Override
    public boolean compareAndSet(Optional<VersionedLog> expected, LedgerLog next) throws IOException {
        return records.compareAndSet(expected, next);
    }

    @Override
    public void close() {
        records.close();
    }

    /** Thrown if there is no journal. */
    static final class NotFormattedException extends IOException {
        private static final long serialVersionUID = 1L;

        NotFormattedException(String message) {
            super(message);
        }
    }
}
