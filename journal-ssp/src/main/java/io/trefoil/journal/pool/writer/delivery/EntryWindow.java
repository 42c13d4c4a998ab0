/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.delivery;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.writer.events.EntryRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The newest entries of a writer's own term, from which nodes are served without disk reads. Not thread-safe: the effects
 * of a step use it, and threads that read while no step is made.
 */
public final class EntryWindow {

    private final List<Entry> entries = new ArrayList<>();
    private LogPosition before = LogPosition.ORIGIN;
    private int dropped;
    private long bytes;

    /** Drops everything; the next entry follows {@code last}. */
    public void clearAfter(LogPosition last) {
        entries.clear();
        dropped = 0;
        bytes = 0;
        before = last;
    }

    public long firstSn() {
        return before.sn() + 1;
    }

    public long lastSn() {
        return before.sn() + entries.size() - dropped;
    }

    public int size() {
        return entries.size() - dropped;
    }

    /** The bytes of the payloads. */
    public long bytes() {
        return bytes;
    }

    public void add(Entry entry) {
        if (entry.sn() != lastSn() + 1) {
            throw new IllegalArgumentException(entry + " does not follow entry " + lastSn());
        }
        entries.add(entry);
        bytes += entry.payload().size();
    }

    /** Drops the entries below {@code firstSn}. */
    public void dropBelow(long firstSn) {
        while (firstSn() < firstSn) {
            Entry oldest = entries.get(dropped);
            entries.set(dropped, null);
            dropped++;
            bytes -= oldest.payload().size();
            before = oldest.position();
        }
        if (dropped > entries.size() / 2) {
            entries.subList(0, dropped).clear();
            dropped = 0;
        }
    }

    /** The position of the entry before a range. */
    public LogPosition positionBefore(EntryRange range) {
        return range.prevSn() == before.sn() ? before : entryAt(range.prevSn()).position();
    }

    /** The entries of a range, as many as {@code maxBytesWanted} allows, but at least one if there is any. */
    public List<Entry> slice(EntryRange range, long maxBytesWanted) {
        if (range.isEmpty()) {
            return Collections.emptyList();
        }
        List<Entry> slice = new ArrayList<>((int) Math.min(1024, range.lastSn() - range.prevSn()));
        long size = 0;
        for (long sn = range.prevSn() + 1; sn <= range.lastSn(); sn++) {
            Entry entry = entryAt(sn);
            size += entry.payload().size();
            if (!slice.isEmpty() && size > maxBytesWanted) {
                break;
            }
            slice.add(entry);
        }
        return slice;
    }

    private Entry entryAt(long sn) {
        return entries.get((int) (sn - firstSn()) + dropped);
    }
}
