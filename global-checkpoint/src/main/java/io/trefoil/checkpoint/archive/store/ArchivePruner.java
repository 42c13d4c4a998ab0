/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.ArchiveRetention;
import io.trefoil.checkpoint.archive.ArchivedImage;
import io.trefoil.checkpoint.archive.ChunkName;
import io.trefoil.checkpoint.archive.RetainedRange;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Deletes the objects that no instant within the retention needs, while the archive is written and read. Used by one thread. */
public final class ArchivePruner {

    private final ArchiveStore store;

    public ArchivePruner(ArchiveStore store) {
        this.store = store;
    }

    /** The objects that may be deleted, and the time from which on instants stay. Immutable. */
    public static final class Plan {
        private final Optional<Long> cutMillis;
        private final List<String> needless;

        Plan(Optional<Long> cutMillis, List<String> needless) {
            this.cutMillis = cutMillis;
            this.needless = Collections.unmodifiableList(new ArrayList<>(needless));
        }

        /** The earliest time from which instants stay, in milliseconds since 1970; empty if everything stays. */
        public Optional<Long> cutMillis() {
            return cutMillis;
        }

        /** The objects that may go, in the order in which to delete them. */
        public List<String> objectsToDelete() {
            return needless;
        }
    }

    /**
     * Lists the objects that may be deleted; changes nothing. Of this clock and that of the newest edits the one that is behind counts: a
     * clock that is wrongly ahead would make everything old.
     *
     * @param retention for how long instants can be had
     * @param nowMillis the time here, in milliseconds since 1970
     * @throws IOException if something is damaged: another host may still have what belongs there
     */
    public Plan plan(Duration retention, long nowMillis) throws IOException {
        ArchiveReader reader = new ArchiveReader(store);
        ArchiveContents contents = reader.contents();
        if (!reader.damagedObjects().isEmpty()) {
            throw new IOException("Nothing is deleted while something is damaged: " + reader.damagedObjects()
                    + "; move that out of the archive first");
        }
        long millis = contents.newestMark()
                .map(mark -> Math.min(nowMillis, mark.millis()))
                .orElse(nowMillis);
        Optional<Long> cut = ArchiveRetention.cutMillis(contents, millis - retention.toMillis());
        if (!cut.isPresent()) {
            return new Plan(cut, Collections.emptyList());
        }
        Map<Incarnation, RetainedRange> kept = ArchiveRetention.retainedByIncarnation(contents, cut.get());
        List<String> needless = new ArrayList<>();
        for (Map.Entry<Incarnation, RetainedRange> part : kept.entrySet()) {
            addImages(part.getKey(), part.getValue(), needless);
            for (String path : store.list(ChunkName.directory(part.getKey()))) {
                if (ChunkName.parse(path)
                        .filter(chunk -> !part.getValue().containsChunk(chunk))
                        .isPresent()) {
                    needless.add(path);
                }
            }
        }
        // Chunks overlap: which are read changes with those that are there.
        Map<Incarnation, RetainedRange> after =
                ArchiveRetention.retainedByIncarnation(reader.contentsWithout(new HashSet<>(needless)), cut.get());
        boolean isAsBefore = kept.entrySet().stream()
                .allMatch(part -> part.getValue().equals(RetainedRange.NOTHING)
                        || Optional.ofNullable(after.get(part.getKey()))
                                .filter(part.getValue()::hasSameImages)
                                .isPresent());
        return new Plan(cut, isAsBefore ? needless : Collections.<String>emptyList());
    }

    /** Adds the images that may go. The records come first: an image without one is not there. */
    private void addImages(Incarnation incarnation, RetainedRange kept, List<String> needless) throws IOException {
        List<String> files = new ArrayList<>();
        for (String path : store.list(ArchivedImage.directory(incarnation))) {
            OptionalLong txId = ArchivedImage.txIdOf(path);
            if (txId.isPresent() && !kept.containsImage(txId.getAsLong())) {
                (path.endsWith(ArchivedImage.RECORD) ? needless : files).add(path);
            }
        }
        needless.addAll(files);
    }

    /** Deletes the objects that a plan names. Another process that prunes meanwhile deletes no more than that. */
    public void carryOut(Plan plan) throws IOException {
        for (String path : plan.objectsToDelete()) {
            store.delete(path);
        }
    }
}
