/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A writer's process: what its rules know, and what its driver has.
 *
 * @param before the entry before the first one in memory
 * @param memory the newest entries
 * @param loads what is to be read from nodes for other nodes, in an order that does not tell which was wanted first
 */
record WriterPart(WriterState state, LogPosition before, List<Entry> memory, List<Load> loads) {

    /** Entries on their way from the disk of one node to another one. */
    record Load(int to, int from, EntryRange range, AppendTerms terms) {}

    /** The entry that a range follows. */
    LogPosition prev(EntryRange range) {
        return range.prevSn() == before.sn()
                ? before
                : memory.get((int) (range.prevSn() - before.sn()) - 1).position();
    }

    List<Entry> slice(EntryRange range) {
        int first = (int) (range.prevSn() - before.sn());
        return List.copyOf(memory.subList(first, first + (int) (range.lastSn() - range.prevSn())));
    }

    WriterPart with(WriterState next) {
        return new WriterPart(next, before, memory, loads);
    }

    WriterPart withBeginning(LogPosition last) {
        return new WriterPart(state, last, List.of(), loads);
    }

    WriterPart withEntry(Entry entry) {
        List<Entry> longer = new ArrayList<>(memory);
        longer.add(entry);
        return new WriterPart(state, before, List.copyOf(longer), loads);
    }

    WriterPart withLoad(Load load) {
        List<Load> longer = new ArrayList<>(loads);
        longer.add(load);
        longer.sort(Comparator.comparing(Load::toString));
        return new WriterPart(state, before, memory, List.copyOf(longer));
    }

    WriterPart withoutLoad(Load load) {
        List<Load> shorter = new ArrayList<>(loads);
        shorter.remove(load);
        return new WriterPart(state, before, memory, List.copyOf(shorter));
    }
}
