/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a writer of the archive has written in its run, and so what it does next. Immutable.
 *
 * <p>Only a write that succeeded moves it forward. So whatever fails or is lost is written again, perhaps with more
 * entries and under another name; chunks may overlap and never contradict each other.
 */
@AutoValue
public abstract class ArchiverState {

    /** How many chunks make one of the next size: of seconds, minutes, an hour. */
    public static final int CHUNKS_PER_MERGE = 64;

    /** The largest chunk that a merge makes: it is held in memory. */
    public static final long MERGED_BYTES = 32L << 20;

    private static final int LAST_TIER = 2;

    /** A chunk of this run that may be merged. */
    @AutoValue
    public abstract static class Written {

        static Written of(ChunkName name, long bytes, int tier) {
            return new AutoValue_ArchiverState_Written(name, bytes, tier);
        }

        public abstract ChunkName name();

        abstract long bytes();

        /** How often it was merged. */
        abstract int tier();
    }

    /** A run that goes on behind what is in the archive already. */
    public static ArchiverState begin(Incarnation incarnation, String run, LinePoint end) {
        return new AutoValue_ArchiverState(incarnation, run, end, Collections.<Written>emptyList());
    }

    public abstract Incarnation incarnation();

    public abstract String run();

    /** Everything up to there is in the archive, except for gaps. */
    public abstract LinePoint end();

    /** In the order of entries. */
    abstract List<Written> written();

    /**
     * The state after the journal said that it no longer keeps what comes next: the archive gets a gap.
     *
     * @param begin where the journal begins now
     */
    public final ArchiverState skipTo(LinePoint begin) {
        if (begin.sn() <= end().sn()) {
            throw new IllegalArgumentException("A gap from " + end() + " to " + begin);
        }
        // Chunks before and after a gap are never merged.
        return begin(incarnation(), run(), begin);
    }

    /** The name for the entries that come next, up to one. */
    public final ChunkName next(long lastSn) {
        return ChunkName.of(incarnation(), run(), end().sn() + 1, lastSn);
    }

    /** The state after a chunk with the next entries was written. */
    public final ArchiverState after(ChunkHead head, long bytes) {
        if (!head.before().equals(end())) {
            throw new IllegalArgumentException("Wanted entries after " + end() + ", found " + head.before());
        }
        List<Written> written = new ArrayList<>(written());
        written.add(Written.of(next(head.after().sn()), bytes, 0));
        return with(head.after(), written);
    }

    /** The chunks to be merged now, in the order of entries; empty if there are none. */
    public final List<ChunkName> chunksToMerge() {
        List<ChunkName> names = new ArrayList<>();
        mergeable().forEach(one -> names.add(one.name()));
        return names;
    }

    /** The name of what {@link #chunksToMerge} gives as one chunk. */
    public static ChunkName merged(List<ChunkName> parts) {
        ChunkName first = parts.get(0);
        return ChunkName.of(
                first.incarnation(),
                first.run(),
                first.firstSn(),
                parts.get(parts.size() - 1).lastSn());
    }

    /** The state after {@link #chunksToMerge} was written as one chunk, or was a single one that stays as it is. */
    public final ArchiverState afterMerge(long bytes) {
        List<Written> parts = mergeable();
        List<Written> written = new ArrayList<>(written());
        int at = written.indexOf(parts.get(0));
        written.subList(at, at + parts.size()).clear();
        int tier = parts.get(0).tier() + 1;
        if (tier < LAST_TIER) {
            written.add(at, Written.of(merged(chunksToMerge()), bytes, tier));
        }
        return with(end(), written);
    }

    /** The state after one of {@link #chunksToMerge} turned out to be gone or damaged: what is left of them stays as it is. */
    public final ArchiverState withoutMerge() {
        List<Written> written = new ArrayList<>(written());
        written.removeAll(mergeable());
        return with(end(), written);
    }

    private List<Written> mergeable() {
        for (int tier = 0; tier < LAST_TIER; tier++) {
            List<Written> same = new ArrayList<>();
            for (Written one : written()) {
                if (one.tier() == tier) {
                    same.add(one);
                }
            }
            if (same.size() >= CHUNKS_PER_MERGE) {
                return upToSize(same.subList(0, CHUNKS_PER_MERGE));
            }
        }
        return Collections.emptyList();
    }

    private static List<Written> upToSize(List<Written> some) {
        long bytes = 0;
        int count = 0;
        while (count < some.size() && (count == 0 || bytes + some.get(count).bytes() <= MERGED_BYTES)) {
            bytes += some.get(count).bytes();
            count++;
        }
        return some.subList(0, count);
    }

    private ArchiverState with(LinePoint end, List<Written> written) {
        return new AutoValue_ArchiverState(incarnation(), run(), end, Collections.unmodifiableList(written));
    }

    /** The chunks from whose ends a new run may go on, the furthest first: the first that can be read is taken. */
    public static List<ChunkName> continuationCandidates(List<ChunkName> there) {
        List<ChunkName> ends = new ArrayList<>(there);
        ends.sort((a, b) -> Long.compare(b.lastSn(), a.lastSn()));
        return ends;
    }
}
