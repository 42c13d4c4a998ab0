/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;

/**
 * Counts calls by subtree, reads and changes separately, in memory that does not grow with the number of subtrees: DataSketches' frequent
 * items keep the heaviest subtrees, and bound the error of each count. All calls together are counted exactly. Not thread-safe.
 */
final class CallCounts {

    /** The size of the sketch, a power of 2. At most three quarters are used, and an error is at most 3.5/2048 of all that was counted. */
    static final int SLOTS = 2048;

    private final ItemsSketch<String> reads = new ItemsSketch<>(SLOTS);
    private final ItemsSketch<String> changes = new ItemsSketch<>(SLOTS);
    private long allReads;
    private long allChanges;

    void add(CountedCall call) {
        ItemsSketch<String> sketch = call.isRead() ? reads : changes;
        for (String subtree : call.subtrees()) {
            sketch.update(subtree);
        }
        if (call.isRead()) {
            allReads++;
        } else {
            allChanges++;
        }
    }

    void add(CallCounts otherCounts) {
        reads.merge(otherCounts.reads);
        changes.merge(otherCounts.changes);
        allReads += otherCounts.allReads;
        allChanges += otherCounts.allChanges;
    }

    /** The exact number of all reads. */
    long reads() {
        return allReads;
    }

    /** The exact number of all changes. */
    long changes() {
        return allChanges;
    }

    /** The maximum error of a subtree's count, in calls. */
    long maxError() {
        return reads.getMaximumError() + changes.getMaximumError();
    }

    /** The subtrees with the most calls, the heaviest first. */
    List<SubtreeCalls> heaviest(int limit) {
        Map<String, SubtreeCalls.Builder> builders = new HashMap<>();
        for (ItemsSketch.Row<String> row : rows(reads)) {
            builders.computeIfAbsent(row.getItem(), SubtreeCalls::builder).reads(row.getEstimate());
        }
        for (ItemsSketch.Row<String> row : rows(changes)) {
            builders.computeIfAbsent(row.getItem(), SubtreeCalls::builder).changes(row.getEstimate());
        }
        List<SubtreeCalls> all = new ArrayList<>();
        builders.values().forEach(counter -> all.add(counter.build()));
        all.sort(Comparator.comparingLong(SubtreeCalls::totalCalls).reversed().thenComparing(SubtreeCalls::path));
        return new ArrayList<>(all.subList(0, Math.min(limit, all.size())));
    }

    private static ItemsSketch.Row<String>[] rows(ItemsSketch<String> sketch) {
        return sketch.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES);
    }
}
