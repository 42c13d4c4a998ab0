/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The timeline that a restore made void, as the log still has it, so that an undo can bring back
 * everything. Transactions of it that an earlier restore or its undo made void are not part of it. Immutable.
 */
@AutoValue
abstract class VoidedTimeline {

    /** The segments in order, without gaps. */
    abstract List<Part> segments();

    /** The entries of the barriers after the restored one, as they were at the end of the timeline. */
    abstract List<Entry> barriers();

    /** The last transaction of the timeline. */
    final long lastTxId() {
        return segments().get(segments().size() - 1).lastTxId();
    }

    /** The entries of one segment; entries of other kinds may be among them. Immutable. */
    @AutoValue
    abstract static class Part {

        abstract long firstSn();

        abstract long lastSn();

        abstract long firstTxId();

        abstract long lastTxId();

        private static Part withStart(Entry start) {
            return new AutoValue_VoidedTimeline_Part(
                    start.sn(), start.sn(), start.txIds().first(), start.txIds().first() - 1);
        }

        private Part withEdits(Entry edits) {
            return new AutoValue_VoidedTimeline_Part(
                    firstSn(), edits.sn(), firstTxId(), edits.txIds().last());
        }

        private Part withEnd(Entry end) {
            return new AutoValue_VoidedTimeline_Part(firstSn(), end.sn(), firstTxId(), lastTxId());
        }
    }

    /**
     * @param firstSn at or before the first entry that belongs to the barrier's image and edits
     * @param restore the one that made the timeline void
     * @return empty if the log does not have it
     * @throws IOException if the timeline contains an upgrade or rollback of HDFS, which cannot be repeated
     */
    static Optional<VoidedTimeline> find(Journal journal, long firstSn, long lastSn, RevertedRestore restore)
            throws IOException {
        Search search = new Search(restore);
        for (long next = firstSn; next <= lastSn && !search.found.isPresent(); ) {
            for (Entry entry : VoidTimelines.entries(journal, next)) {
                search.accept(entry);
                next++;
            }
        }
        if (search.upgraded) {
            throw new IOException("Among the transactions after " + restore.txId()
                    + " that became void there was an upgrade or a rollback of HDFS: that cannot be repeated");
        }
        return search.found;
    }

    private static final class Search {
        private final RevertedRestore restore;
        private Optional<VoidedTimeline> found = Optional.empty();
        /** Whether the timeline that was found contains an upgrade or rollback. */
        private boolean upgraded;

        private final List<Part> segments = new ArrayList<>();
        private final Map<String, Entry> barriers = new LinkedHashMap<>();
        private boolean upgrade;
        /** The epoch in which the barrier was last written: each attempt of a restore begins with that. */
        private long markedInEpoch;

        Search(RevertedRestore restore) {
            this.restore = restore;
        }

        void accept(Entry entry) {
            switch (entry.kind()) {
                case SEGMENT_START:
                    if (entry.txIds().first() > restore.txId()) {
                        segments.add(Part.withStart(entry));
                    }
                    break;
                case EDITS:
                    if (entry.txIds().first() > restore.txId()) {
                        segments.set(segments.size() - 1, newestPart().withEdits(entry));
                    }
                    break;
                case SEGMENT_END:
                    if (entry.txIds().first() > restore.txId()) {
                        segments.set(segments.size() - 1, newestPart().withEnd(entry));
                    }
                    break;
                case BARRIER:
                    acceptBarrier(entry);
                    break;
                case BARRIER_RELEASE:
                    barriers.remove(entry.payload().utf8());
                    break;
                case STORAGE:
                    upgrade |= !segments.isEmpty();
                    break;
                case DISCARD:
                    discard(entry);
                    break;
                default:
                    break;
            }
        }

        private Part newestPart() {
            return segments.get(segments.size() - 1);
        }

        private void acceptBarrier(Entry entry) {
            Barrier barrier = Barrier.fromPayload(entry.payload());
            if (barrier.txId() > restore.txId()) {
                barriers.remove(barrier.name());
                barriers.put(barrier.name(), entry);
            } else if (barrier.name().equals(restore.barrier())) {
                markedInEpoch = entry.epoch().number();
            }
        }

        private void discard(Entry entry) {
            long first = entry.txIds().first();
            long epoch = entry.epoch().number();
            boolean isOfTheRestore =
                    first == restore.txId() + 1 && epoch == markedInEpoch && restore.mayHaveWrittenIn(epoch);
            // Later attempts made void only the timeline of the first one, and transactions written after it.
            if (isOfTheRestore && !found.isPresent() && !segments.isEmpty()) {
                found = Optional.of(new AutoValue_VoidedTimeline(
                        Collections.unmodifiableList(new ArrayList<>(segments)),
                        Collections.unmodifiableList(new ArrayList<>(barriers.values()))));
                upgraded = upgrade;
            }
            upgrade &= first > restore.txId() + 1;
            segments.removeIf(segment -> segment.firstTxId() >= first);
            barriers.values()
                    .removeIf(barrier -> Barrier.fromPayload(barrier.payload()).txId() >= first);
        }
    }
}
