/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.reading;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.storage.JournalStorage;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Storage, and how far a caller may read it. */
final class ReadableLog {
    private final JournalStorage storage;
    /** The last readable entry, determined before the read: entries that were committed then cannot have been truncated since. */
    private final long lastSn;

    ReadableLog(JournalStorage storage, long lastSn) {
        this.storage = storage;
        this.lastSn = lastSn;
    }

    JournalStorage storage() {
        return storage;
    }

    NodeId node() {
        return storage.recoveredJournal().identity().node();
    }

    boolean contains(long sn) {
        return sn <= lastSn;
    }

    /** Returns why a reader gets nothing from this log (rule R11), whatever is stored at the serial numbers that it requests. */
    Optional<String> foreignReaderReason(FetchRequest request) {
        Incarnation held = storage.recoveredJournal().identity().incarnation();
        return request.incarnation().isKnown() && !request.incarnation().equals(held)
                ? Optional.of(
                        "holds incarnation " + held + " of the journal, the reader reads " + request.incarnation())
                : Optional.<String>empty();
    }

    List<Entry> read(FetchRequest request) throws IOException {
        return contains(request.firstSn())
                ? limitToReadable(storage.read(request.firstSn(), Math.max(1, request.maxBytes())))
                : Collections.<Entry>emptyList();
    }

    List<Entry> readFromMemory(FetchRequest request) {
        return limitToReadable(storage.readFromMemory(request.firstSn(), request.maxBytes()));
    }

    private List<Entry> limitToReadable(List<Entry> entries) {
        int count = 0;
        while (count < entries.size() && contains(entries.get(count).sn())) {
            count++;
        }
        return count == entries.size() ? entries : entries.subList(0, count);
    }
}
