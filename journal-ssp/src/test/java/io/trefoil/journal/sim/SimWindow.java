/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.writer.EntryRange;
import java.util.ArrayList;
import java.util.List;

/** The newest entries of a writer's own term, a bounded number of them. */
final class SimWindow {

    private final int maxEntries;
    private final List<Entry> entries = new ArrayList<>();
    private LogPosition before = LogPosition.ORIGIN;

    SimWindow(int maxEntries) {
        this.maxEntries = maxEntries;
    }

    void restart(LogPosition last) {
        entries.clear();
        before = last;
    }

    void add(Entry entry) {
        entries.add(entry);
    }

    long firstSn() {
        return before.sn() + 1;
    }

    /** Drops the oldest entries while there are too many, but none that is not committed. */
    boolean trim(long committedSn) {
        boolean trimmed = false;
        while (entries.size() > maxEntries && firstSn() <= committedSn) {
            before = entries.remove(0).position();
            trimmed = true;
        }
        return trimmed;
    }

    LogPosition prev(EntryRange range) {
        return range.prevSn() == before.sn() ? before : at(range.prevSn()).position();
    }

    List<Entry> slice(EntryRange range) {
        int first = (int) (range.prevSn() + 1 - firstSn());
        return List.copyOf(entries.subList(first, first + (int) (range.lastSn() - range.prevSn())));
    }

    private Entry at(long sn) {
        return entries.get((int) (sn - firstSn()));
    }
}
