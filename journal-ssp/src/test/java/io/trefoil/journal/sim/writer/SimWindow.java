/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.writer.events.EntryRange;
import java.util.ArrayList;
import java.util.List;

/** The newest entries of a writer's own term, as many as the rules keep. */
final class SimWindow {

    private final List<Entry> entries = new ArrayList<>();
    private LogPosition before = LogPosition.ORIGIN;

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

    void dropBelow(long firstSn) {
        while (firstSn() < firstSn) {
            before = entries.remove(0).position();
        }
    }

    LogPosition prev(EntryRange range) {
        return range.prevSn() == before.sn() ? before : entryAt(range.prevSn()).position();
    }

    List<Entry> slice(EntryRange range) {
        int first = (int) (range.prevSn() + 1 - firstSn());
        return List.copyOf(entries.subList(first, first + (int) (range.lastSn() - range.prevSn())));
    }

    private Entry entryAt(long sn) {
        return entries.get((int) (sn - firstSn()));
    }
}
