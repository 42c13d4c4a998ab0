/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads the entries that a node lacks, part by part, from a node that has them. Thread-safe if its source is. */
public final class PartReader {

    private final Source source;
    private final int maxBytes;

    /** @param maxBytes payload limit of a part; a single entry may be larger */
    public PartReader(Source source, int maxBytes) {
        this.source = source;
        this.maxBytes = maxBytes;
    }

    /**
     * Reads the first entries of a range, at least one, as an append request.
     *
     * @throws PurgedException if the node keeps neither the first entry nor the position of the one before it
     * @throws IOException if the entries cannot be read, or the node has none of them
     */
    public AppendRequest read(NodeAddress from, EntryRange range, AppendTerms terms) throws IOException {
        LogPosition prev = LogPosition.ORIGIN;
        List<Entry> entries;
        try {
            entries = source.read(from, terms.fetch(Math.max(1, range.prevSn()), maxBytes));
            if (range.prevSn() > 0 && !entries.isEmpty()) {
                prev = entries.get(0).position();
                entries = entries.size() == 1 && range.lastSn() > range.prevSn()
                        // The previous entry was so large that no other fitted next to it.
                        ? source.read(from, terms.fetch(range.prevSn() + 1, maxBytes))
                        : entries.subList(1, entries.size());
            }
        } catch (PurgedException e) {
            if (e.base().position().sn() != range.prevSn()) {
                throw e;
            }
            prev = e.base().position();
            entries = source.read(from, terms.fetch(prev.sn() + 1, maxBytes));
        }
        List<Entry> wanted = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.sn() <= range.lastSn()) {
                wanted.add(entry);
            }
        }
        if (wanted.isEmpty()) {
            throw new IOException("It has no entry after " + range.prevSn());
        }
        return terms.request(prev, wanted);
    }

    /** Reads a node's entries, committed or not. */
    public interface Source {
        /**
         * @throws PurgedException if that node no longer keeps the first entry
         * @throws IOException also if it holds another incarnation of the journal
         */
        List<Entry> read(NodeAddress from, FetchRequest request) throws IOException;
    }
}
