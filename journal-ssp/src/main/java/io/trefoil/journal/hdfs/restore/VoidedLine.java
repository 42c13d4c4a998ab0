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
 * The line of transactions that a restore made void, as the log still has it, so that a restore loses nothing that an
 * undo could not bring back. What had become void in it before, by another restore or its undo, is not part of it.
 * Immutable.
 */
@AutoValue
abstract class VoidedLine {

    /** In their order, without gaps. */
    abstract List<Part> segments();

    /** The entries of the barriers behind the one that was gone back to, as they were at its end. */
    abstract List<Entry> barriers();

    /** Its last transaction. */
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

        private static Part begun(Entry start) {
            return new AutoValue_VoidedLine_Part(
                    start.sn(), start.sn(), start.txIds().first(), start.txIds().first() - 1);
        }

        private Part with(Entry edits) {
            return new AutoValue_VoidedLine_Part(
                    firstSn(), edits.sn(), firstTxId(), edits.txIds().last());
        }

        private Part ended(Entry end) {
            return new AutoValue_VoidedLine_Part(firstSn(), end.sn(), firstTxId(), lastTxId());
        }
    }

    /**
     * @param firstSn at or before the first entry that belongs to the barrier
     * @param restore that made it void
     * @return empty if it is not there
     * @throws IOException if something else than edits was written in it, which cannot be done again
     */
    static Optional<VoidedLine> find(Journal journal, long firstSn, long lastSn, UndoneRestore restore)
            throws IOException {
        Search search = new Search(restore);
        for (long next = firstSn; next <= lastSn && !search.found.isPresent(); ) {
            for (Entry entry : VoidLines.entries(journal, next)) {
                search.see(entry);
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
        private final UndoneRestore restore;
        private Optional<VoidedLine> found = Optional.empty();
        /** Of what was found. */
        private boolean upgraded;

        private final List<Part> segments = new ArrayList<>();
        private final Map<String, Entry> barriers = new LinkedHashMap<>();
        private boolean upgrade;
        /** In which the barrier was written last: each try of a restore begins with that. */
        private long markedInEpoch;

        Search(UndoneRestore restore) {
            this.restore = restore;
        }

        void see(Entry entry) {
            switch (entry.kind()) {
                case SEGMENT_START:
                    if (entry.txIds().first() > restore.txId()) {
                        segments.add(Part.begun(entry));
                    }
                    break;
                case EDITS:
                    if (entry.txIds().first() > restore.txId()) {
                        segments.set(segments.size() - 1, newest().with(entry));
                    }
                    break;
                case SEGMENT_END:
                    if (entry.txIds().first() > restore.txId()) {
                        segments.set(segments.size() - 1, newest().ended(entry));
                    }
                    break;
                case BARRIER:
                    seeBarrier(entry);
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

        private Part newest() {
            return segments.get(segments.size() - 1);
        }

        private void seeBarrier(Entry entry) {
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
                    first == restore.txId() + 1 && epoch == markedInEpoch && restore.mayHaveTriedIn(epoch);
            // What later tries made void is what the first one had begun, and what somebody wrote behind that.
            if (isOfTheRestore && !found.isPresent() && !segments.isEmpty()) {
                found = Optional.of(new AutoValue_VoidedLine(
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
