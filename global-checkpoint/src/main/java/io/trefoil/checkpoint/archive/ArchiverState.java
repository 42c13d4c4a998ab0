/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Describes the objects that a writer of the archive has written in its run, which determine its next step. Immutable.
 *
 * <p>Only a write that succeeded moves it forward. So whatever fails or is lost is written again, perhaps with more
 * entries and under another name; chunks may overlap and never contradict each other.
 */
@AutoValue
public abstract class ArchiverState {

    /** The number of chunks that make one of the next size: of seconds, minutes, an hour. */
    public static final int CHUNKS_PER_MERGE = 64;

    /** The largest chunk that a merge makes: it is held in memory. */
    public static final long MERGED_BYTES = 32L << 20;

    private static final int LAST_TIER = 2;

    /** A chunk of this run that may be merged. */
    @AutoValue
    public abstract static class WrittenChunk {

        static WrittenChunk of(ChunkName name, long bytes, int tier) {
            return new AutoValue_ArchiverState_WrittenChunk(name, bytes, tier);
        }

        public abstract ChunkName name();

        abstract long bytes();

        /** Returns how often it was merged. */
        abstract int tier();
    }

    /** Begins a run that continues after the end of the archive. */
    public static ArchiverState start(Incarnation incarnation, String run, LogBoundary end) {
        return new AutoValue_ArchiverState(
                incarnation, run, end, Optional.<Long>empty(), Collections.<WrittenChunk>emptyList());
    }

    public abstract Incarnation incarnation();

    public abstract String run();

    /** The place up to which everything is in the archive, except for gaps. */
    public abstract LogBoundary end();

    /**
     * The time up to which all entries known to the pool as committed are in the archive, except for gaps; milliseconds since 1970. Empty
     * before this run had written all that there was, or since it found a gap.
     */
    public abstract Optional<Long> completeMillis();

    /** Returns the chunks in the order of entries. */
    abstract List<WrittenChunk> writtenChunks();

    /**
     * The state after a round that left nothing over.
     *
     * @param begunMillis when it began
     */
    public final ArchiverState afterCompleteRound(long begunMillis) {
        return new AutoValue_ArchiverState(incarnation(), run(), end(), Optional.of(begunMillis), writtenChunks());
    }

    /**
     * The state after the journal reported that it no longer keeps the next entries: the archive gets a gap.
     *
     * @param begin where the journal begins now
     */
    public final ArchiverState skipTo(LogBoundary begin) {
        if (begin.sn() <= end().sn()) {
            throw new IllegalArgumentException("A gap from " + end() + " to " + begin);
        }
        // Chunks before and after a gap are never merged.
        return start(incarnation(), run(), begin);
    }

    /** The name of the chunk with the next entries, up to the given one. */
    public final ChunkName nextChunk(long lastSn) {
        return ChunkName.of(incarnation(), run(), end().sn() + 1, lastSn);
    }

    /** The state after a chunk with the next entries was written. */
    public final ArchiverState afterChunk(ChunkHead head, long bytes) {
        if (!head.before().equals(end())) {
            throw new IllegalArgumentException("Wanted entries after " + end() + ", found " + head.before());
        }
        List<WrittenChunk> written = new ArrayList<>(writtenChunks());
        written.add(WrittenChunk.of(nextChunk(head.after().sn()), bytes, 0));
        return withWritten(head.after(), written);
    }

    /** The chunks to be merged now, in the order of entries; empty if there are none. */
    public final List<ChunkName> chunksToMerge() {
        List<ChunkName> names = new ArrayList<>();
        mergeable().forEach(one -> names.add(one.name()));
        return names;
    }

    /** The name of the one chunk made of {@link #chunksToMerge}. */
    public static ChunkName mergedName(List<ChunkName> parts) {
        ChunkName first = parts.get(0);
        return ChunkName.of(
                first.incarnation(),
                first.run(),
                first.firstSn(),
                parts.get(parts.size() - 1).lastSn());
    }

    /** The state after {@link #chunksToMerge} was written as one chunk, or was a single one that stays as it is. */
    public final ArchiverState afterMerge(long bytes) {
        List<WrittenChunk> parts = mergeable();
        List<WrittenChunk> written = new ArrayList<>(writtenChunks());
        int at = written.indexOf(parts.get(0));
        written.subList(at, at + parts.size()).clear();
        int tier = parts.get(0).tier() + 1;
        if (tier < LAST_TIER) {
            written.add(at, WrittenChunk.of(mergedName(chunksToMerge()), bytes, tier));
        }
        return withWritten(end(), written);
    }

    /** The state after one of {@link #chunksToMerge} turned out to be gone or damaged: the others stay as they are. */
    public final ArchiverState withoutMerge() {
        List<WrittenChunk> written = new ArrayList<>(writtenChunks());
        written.removeAll(mergeable());
        return withWritten(end(), written);
    }

    private List<WrittenChunk> mergeable() {
        for (int tier = 0; tier < LAST_TIER; tier++) {
            List<WrittenChunk> same = new ArrayList<>();
            for (WrittenChunk one : writtenChunks()) {
                if (one.tier() == tier) {
                    same.add(one);
                }
            }
            if (same.size() >= CHUNKS_PER_MERGE) {
                return takeUpToSize(same.subList(0, CHUNKS_PER_MERGE));
            }
        }
        return Collections.emptyList();
    }

    private static List<WrittenChunk> takeUpToSize(List<WrittenChunk> some) {
        long bytes = 0;
        int count = 0;
        while (count < some.size() && (count == 0 || bytes + some.get(count).bytes() <= MERGED_BYTES)) {
            bytes += some.get(count).bytes();
            count++;
        }
        return some.subList(0, count);
    }

    private ArchiverState withWritten(LogBoundary end, List<WrittenChunk> written) {
        return new AutoValue_ArchiverState(
                incarnation(), run(), end, completeMillis(), Collections.unmodifiableList(written));
    }

    /** The chunks from whose ends a new run may go on, the furthest first: the first that can be read is taken. */
    public static List<ChunkName> continuationCandidates(List<ChunkName> there) {
        List<ChunkName> ends = new ArrayList<>(there);
        ends.sort((a, b) -> Long.compare(b.lastSn(), a.lastSn()));
        return ends;
    }
}
