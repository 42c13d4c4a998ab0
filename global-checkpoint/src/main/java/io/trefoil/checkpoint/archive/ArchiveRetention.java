/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import io.trefoil.journal.model.Incarnation;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Describes the objects an archive must keep so that every instant from a time on stays available, and every transaction committed since.
 * It says for each incarnation where to begin; nothing is said of one of which everything stays.
 */
public final class ArchiveRetention {

    /** However old they are, the newest images stay, and the edits since: an archive that is no longer written loses nothing. */
    public static final int MIN_IMAGES = 2;

    private ArchiveRetention() {}

    /**
     * The earliest time from which instants stay; empty if nothing may go, as there are too few images.
     *
     * @param wantedMillis from when on instants are wanted
     */
    public static Optional<Long> cutMillis(ArchiveContents contents, long wantedMillis) {
        if (contents.sequencesByIncarnation().isEmpty()) {
            return Optional.empty();
        }
        Incarnation newest = contents.sequencesByIncarnation().lastKey();
        long[] times = contents.images().stream()
                .filter(image -> image.incarnation().equals(newest))
                .mapToLong(ArchivedImage::millis)
                .sorted()
                .toArray();
        return times.length < MIN_IMAGES
                ? Optional.<Long>empty()
                : Optional.of(Math.min(wantedMillis, times[times.length - MIN_IMAGES]));
    }

    /** Returns the parts that stay, of each incarnation of which something may be deleted. */
    public static Map<Incarnation, RetainedRange> retainedByIncarnation(ArchiveContents contents, long cutMillis) {
        Map<Incarnation, RetainedRange> kept = new TreeMap<>();
        NavigableMap<Incarnation, List<ChunkSequence>> lines = contents.sequencesByIncarnation();
        // An instant is looked for in the newest incarnation that had begun by then, and there in the last such
        // stretch.
        Optional<Incarnation> first = Optional.empty();
        for (Map.Entry<Incarnation, List<ChunkSequence>> line : lines.entrySet()) {
            if (line.getValue().stream()
                    .anyMatch(stretch -> stretch.markAt(cutMillis).isPresent())) {
                first = Optional.of(line.getKey());
            }
        }
        if (!first.isPresent()) {
            return kept;
        }
        Incarnation oldest = first.get();
        lines.headMap(oldest, false).keySet().forEach(incarnation -> kept.put(incarnation, RetainedRange.NOTHING));
        retained(contents, oldest, cutMillis).ifPresent(part -> kept.put(oldest, part));
        return kept;
    }

    private static Optional<RetainedRange> retained(ArchiveContents contents, Incarnation incarnation, long cutMillis) {
        List<ChunkSequence> stretches = contents.sequencesByIncarnation().get(incarnation);
        int at = stretches.size() - 1;
        while (!stretches.get(at).markAt(cutMillis).isPresent()) {
            at--;
        }
        ChunkSequence stretch = stretches.get(at);
        CommitMark mark = stretch.markAt(cutMillis).get();
        NamespaceTarget target = NamespaceTarget.of(mark.sn(), mark.txId());
        // No transaction at or below it becomes void later on: an image of it leads to every later instant of the
        // stretch.
        long floor = stretch.voids().stream()
                .filter(point -> point.sn() > mark.sn())
                .mapToLong(point -> point.fromTxId() - 1)
                .reduce(mark.txId(), Math::min);
        Optional<ArchivedImage> base = contents.images().stream()
                .filter(image -> image.incarnation().equals(incarnation)
                        && image.txId() <= floor
                        && stretch.canRecover(image, target))
                .reduce((older, newer) -> newer);
        return base.map(image -> RetainedRange.from(
                Math.min(
                        stretch.firstSn(image.txId(), target),
                        Math.min(mark.sn() - 1, confirmedSn(contents, incarnation, stretch, image.txId()))),
                image.txId()));
    }

    /** The first entry at which an image that stays was in force: from there on the void transactions must be known. */
    private static long confirmedSn(
            ArchiveContents contents, Incarnation incarnation, ChunkSequence stretch, long fromTxId) {
        return contents.images().stream()
                .filter(image -> image.incarnation().equals(incarnation)
                        && image.txId() >= fromTxId
                        && image.confirmedSn() >= stretch.before().sn())
                .mapToLong(ArchivedImage::confirmedSn)
                .min()
                .getAsLong();
    }
}
