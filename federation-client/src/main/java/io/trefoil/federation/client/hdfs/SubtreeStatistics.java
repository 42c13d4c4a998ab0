/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.StorageStatistics;

/**
 * Counts how often the tables that this process followed were stale; listed in {@link GlobalStorageStatistics} as {@link #NAME}.
 * Thread-safe.
 */
public final class SubtreeStatistics extends StorageStatistics {

    /** The name under which the counters are listed. */
    public static final String NAME = "TrefoilSubtrees";

    /** The counters; in lower case, their names are those of the statistics. */
    public enum Count {
        /** Counts the calls that a table routed. */
        CALLS,
        /** Counts the checks for a newer version. */
        CHECKS,
        /** Counts the newer versions that were read. */
        VERSIONS,
        /**
         * Counts the calls that were repeated because the first attempt followed an old version. Divided by the calls, this is the
         * share of stale ones.
         */
        REPEATED
    }

    // The map never changes, only its numbers.
    private final Map<Count, AtomicLong> counts = new EnumMap<>(Count.class);

    private SubtreeStatistics() {
        super(NAME);
        for (Count count : Count.values()) {
            counts.put(count, new AtomicLong());
        }
    }

    static SubtreeStatistics ofProcess() {
        return (SubtreeStatistics) GlobalStorageStatistics.INSTANCE.put(NAME, SubtreeStatistics::new);
    }

    void increment(Count count) {
        counts.get(count).incrementAndGet();
    }

    private static String name(Count count) {
        return count.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Iterator<LongStatistic> getLongStatistics() {
        List<LongStatistic> all = new ArrayList<>();
        counts.forEach((count, number) -> all.add(new LongStatistic(name(count), number.get())));
        return all.iterator();
    }

    @Override
    public Long getLong(String key) {
        for (Count count : Count.values()) {
            if (name(count).equals(key)) {
                return counts.get(count).get();
            }
        }
        return null;
    }

    @Override
    public boolean isTracked(String key) {
        return getLong(key) != null;
    }

    @Override
    public void reset() {
        counts.values().forEach(number -> number.set(0));
    }
}
