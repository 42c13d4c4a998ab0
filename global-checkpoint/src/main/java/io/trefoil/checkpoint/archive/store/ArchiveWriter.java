/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.checkpoint.archive.ArchiverState;
import io.trefoil.checkpoint.archive.ChunkHead;
import io.trefoil.checkpoint.archive.ChunkName;
import io.trefoil.checkpoint.archive.LogBoundary;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.storage.PurgedException;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Writes committed entries to an archive, by the steps of {@link ArchiverState}. Any number of writers may write to one
 * archive, one of them frozen and thawed as well: none ever writes to a name of another's. Used by one thread.
 */
public final class ArchiveWriter {

    /** The approximate size of a chunk when there is much to write; it is held in memory. */
    static final int CHUNK_BYTES = 8 << 20;

    private static final int READ_BYTES = 1 << 20;

    private final ArchiveStore store;
    private final CommittedLog log;
    private final TimelineCheck check;
    private final String run;
    private final LongSupplier clock;
    private volatile Optional<ArchiverState> state = Optional.empty();
    /** The end of the archive; empty if that is not known, as behind a gap. */
    private Optional<Entry> last = Optional.empty();

    private final AtomicLong skipped = new AtomicLong();
    private final AtomicLong written = new AtomicLong();

    /** Refuses to write the log of another namespace. */
    public interface TimelineCheck {

        /** @throws IOException if the incarnation in force is not that of the archive, or is not known */
        void begin() throws IOException;
    }

    /**
     * @param check is asked whenever an incarnation of the journal begins
     * @param run 16 hexadecimal digits at random
     * @param clock milliseconds since 1970
     */
    public ArchiveWriter(ArchiveStore store, CommittedLog log, TimelineCheck check, String run, LongSupplier clock) {
        this.store = store;
        this.log = log;
        this.check = check;
        this.run = run;
        this.clock = clock;
    }

    /** The place up to which everything is in the archive, except for gaps; empty before the first round. Any thread. */
    public Optional<LogBoundary> archivedUpTo() {
        return state.map(ArchiverState::end);
    }

    /** The incarnation that was written last; empty before the first round. Any thread. */
    public Optional<Incarnation> incarnation() {
        return state.map(ArchiverState::incarnation);
    }

    /** Returns the number of entries that this writer found gone from the journal before it could write them. Any thread. */
    public long skippedCount() {
        return skipped.get();
    }

    /** Returns the number of entries that this writer has written. Any thread. */
    public long writtenCount() {
        return written.get();
    }

    /**
     * Writes a chunk of committed entries, if there are new ones.
     *
     * @return whether there may be more
     * @throws IOException if journal or archive are not in reach; call again
     */
    public boolean writeChunk() throws IOException {
        long begunMillis = clock.getAsLong();
        Incarnation incarnation = log.incarnation();
        if (!state.isPresent() || !state.get().incarnation().equals(incarnation)) {
            check.begin();
            begin(incarnation);
        }
        List<Entry> entries = new ArrayList<>();
        boolean isFull = collect(entries);
        if (!entries.isEmpty()) {
            Chunk chunk = new Chunk(head(entries), entries);
            store.put(state.get().nextChunk(chunk.head().after().sn()).path(), chunk::writeTo);
            state = Optional.of(state.get().afterChunk(chunk.head(), chunk.bytes()));
            last = Optional.of(entries.get(entries.size() - 1));
            written.addAndGet(entries.size());
        }
        if (!isFull) {
            state = Optional.of(state.get().afterCompleteRound(begunMillis));
        }
        merge();
        return isFull;
    }

    private ChunkHead head(List<Entry> entries) {
        long millis = clock.getAsLong();
        // The clock may have gone back.
        Optional<Long> sinceMillis = state.get().completeMillis().map(complete -> Math.min(complete, millis));
        return ChunkHead.of(state.get().end(), entries, millis, sinceMillis);
    }

    /** Continues after the end of the archive, whichever process wrote that. */
    private void begin(Incarnation incarnation) throws IOException {
        Optional<Chunk> newest = newestChunk(incarnation);
        Optional<Entry> end =
                newest.map(chunk -> chunk.entries().get(chunk.entries().size() - 1));
        if (end.isPresent()) {
            requireCommitted(end.get());
        }
        last = end;
        state = Optional.of(ArchiverState.start(
                incarnation, run, newest.map(chunk -> chunk.head().after()).orElse(LogBoundary.ORIGIN)));
    }

    /**
     * Compares the last entry of the archive with the journal.
     *
     * @throws IOException if the journal has another one there, or none
     */
    private void requireCommitted(Entry archived) throws IOException {
        List<Entry> found;
        try {
            found = log.read(archived.sn(), 1);
        } catch (PurgedException e) {
            // It had been committed, and is no longer kept.
            return;
        }
        if (found.isEmpty()) {
            throw new IOException("The archive ends with " + archived
                    + ", and the journal has not committed that: the nodes that have it do not answer, or it lost committed entries."
                    + " Nothing was written");
        }
        if (!found.get(0).equals(archived)) {
            throw new IOException(
                    "Two histories under the same numbers: the archive ends with " + archived + ", the journal has "
                            + found.get(0) + " there; it lost entries that were committed. Nothing was written");
        }
    }

    /** Reads committed entries; returns whether it stopped before it had all. */
    private boolean collect(List<Entry> entries) throws IOException {
        long bytes = 0;
        while (bytes < CHUNK_BYTES) {
            long next = state.get().end().sn() + entries.size() + 1;
            List<Entry> some;
            try {
                some = log.read(next, READ_BYTES);
            } catch (PurgedException e) {
                if (!entries.isEmpty()) {
                    return true;
                }
                LogBoundary begin = LogBoundary.of(e.base());
                skipped.addAndGet(begin.sn() - next + 1);
                state = Optional.of(state.get().skipTo(begin));
                last = Optional.empty();
                continue;
            } catch (IOException e) {
                if (entries.isEmpty()) {
                    throw e;
                }
                // What there is is written first.
                return true;
            }
            if (some.isEmpty()) {
                return false;
            }
            if (entries.isEmpty()
                    && last.isPresent()
                    && !last.get().epoch().equals(some.get(0).epoch())) {
                // Where another writer took over, it is the one moment at which a journal may have lost entries.
                requireCommitted(last.get());
            }
            for (Entry entry : some) {
                bytes += EntryCodec.size(entry);
            }
            entries.addAll(some);
        }
        return true;
    }

    private void merge() throws IOException {
        for (List<ChunkName> parts = state.get().chunksToMerge();
                !parts.isEmpty();
                parts = state.get().chunksToMerge()) {
            Chunk merged;
            try {
                merged = read(parts);
            } catch (FileNotFoundException | DamagedObjectException e) {
                // Moved away by hand, or damaged, which readers report; what is left stays as it is.
                state = Optional.of(state.get().withoutMerge());
                continue;
            }
            if (parts.size() > 1) {
                store.put(ArchiverState.mergedName(parts).path(), merged::writeTo);
            }
            state = Optional.of(state.get().afterMerge(merged.bytes()));
            if (parts.size() > 1) {
                for (ChunkName part : parts) {
                    store.delete(part.path());
                }
            }
        }
    }

    private Chunk read(List<ChunkName> parts) throws IOException {
        Chunk merged = read(parts.get(0));
        for (ChunkName part : parts.subList(1, parts.size())) {
            merged = merged.mergeWith(read(part));
        }
        return merged;
    }

    private Chunk read(ChunkName name) throws IOException {
        try (InputStream in = new BufferedInputStream(store.open(name.path()), READ_BYTES)) {
            return Chunk.read(in);
        }
    }

    /** The chunk that reaches furthest of those that are whole; empty if there is none. */
    private Optional<Chunk> newestChunk(Incarnation incarnation) throws IOException {
        List<ChunkName> there = new ArrayList<>();
        for (String path : store.list(ChunkName.directory(incarnation))) {
            ChunkName.parse(path).ifPresent(there::add);
        }
        for (ChunkName name : ArchiverState.continuationCandidates(there)) {
            Optional<Chunk> chunk = ArchiveReader.findChunk(store, name);
            if (chunk.isPresent()) {
                return chunk;
            }
        }
        return Optional.empty();
    }
}
