/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Entries of one incarnation of the journal without gaps, as the chunks that have them. Immutable. */
@AutoValue
public abstract class ChunkSequence {

    /** A chunk and its index. Immutable. */
    @AutoValue
    public abstract static class Part {

        public static Part of(ChunkName name, ChunkHead head) {
            return new AutoValue_ChunkSequence_Part(name, head);
        }

        public abstract ChunkName name();

        public abstract ChunkHead head();
    }

    /**
     * Chooses chunks of one incarnation, the fewest that have all entries, in their order; between two lists there is a gap.
     *
     * @param names of any writers; they may overlap
     */
    public static List<List<ChunkName>> choose(Collection<ChunkName> names) {
        List<ChunkName> sorted = new ArrayList<>(names);
        sorted.sort(Comparator.comparingLong(ChunkName::firstSn).thenComparing(ChunkName::path));
        List<List<ChunkName>> stretches = new ArrayList<>();
        long end = 0;
        while (true) {
            Optional<ChunkName> next = furthestReaching(sorted, end);
            if (!next.isPresent() || stretches.isEmpty()) {
                long from = end;
                Optional<ChunkName> first =
                        sorted.stream().filter(one -> one.lastSn() > from).findFirst();
                if (!first.isPresent()) {
                    return stretches;
                }
                stretches.add(new ArrayList<>());
                next = furthestReaching(sorted, first.get().firstSn() - 1);
            }
            stretches.get(stretches.size() - 1).add(next.get());
            end = next.get().lastSn();
        }
    }

    /** The chunk that reaches furthest of those that have the entry after one. */
    private static Optional<ChunkName> furthestReaching(List<ChunkName> sorted, long sn) {
        Optional<ChunkName> best = Optional.empty();
        for (ChunkName one : sorted) {
            if (one.firstSn() > sn + 1) {
                break;
            }
            if (one.lastSn() > sn && (!best.isPresent() || best.get().lastSn() < one.lastSn())) {
                best = Optional.of(one);
            }
        }
        return best;
    }

    /**
     * Joins chunks. Where one ends and the next begins, both know the same last transaction; the layout version may be known to one only.
     *
     * @param parts in the order of {@link #choose}
     * @throws IllegalArgumentException if they do not continue each other: the journal lost committed entries, and used their
     *     numbers again
     */
    public static ChunkSequence of(List<Part> parts) {
        for (int i = 1; i < parts.size(); i++) {
            LogBoundary end = parts.get(i - 1).head().after();
            LogBoundary begin = parts.get(i).head().before();
            if (begin.sn() > end.sn() || (begin.sn() == end.sn() && begin.lastTxId() != end.lastTxId())) {
                throw new IllegalArgumentException(parts.get(i - 1).name() + " ends at " + end + ", "
                        + parts.get(i).name() + " begins at " + begin);
            }
        }
        return new AutoValue_ChunkSequence(Collections.unmodifiableList(new ArrayList<>(parts)));
    }

    public abstract List<Part> parts();

    /** The place behind which it begins. */
    public final LogBoundary before() {
        return parts().get(0).head().before();
    }

    /** The place where it ends. */
    public final LogBoundary after() {
        return parts().get(parts().size() - 1).head().after();
    }

    /** Returns the marks in the order of entries. */
    public final List<CommitMark> marks() {
        List<CommitMark> marks = new ArrayList<>();
        for (Part part : parts()) {
            for (CommitMark mark : part.head().marks()) {
                if (marks.isEmpty() || mark.sn() > marks.get(marks.size() - 1).sn()) {
                    marks.add(mark);
                }
            }
        }
        return marks;
    }

    public final List<VoidPoint> voids() {
        List<VoidPoint> voids = new ArrayList<>();
        for (Part part : parts()) {
            for (VoidPoint point : part.head().voids()) {
                if (voids.isEmpty() || point.sn() > voids.get(voids.size() - 1).sn()) {
                    voids.add(point);
                }
            }
        }
        return voids;
    }

    /** Returns the barriers in the order of entries. */
    public final List<ArchivedBarrier> barriers() {
        List<ArchivedBarrier> barriers = new ArrayList<>();
        for (Part part : parts()) {
            for (ArchivedBarrier one : part.head().barriers()) {
                if (barriers.isEmpty()
                        || one.sn() > barriers.get(barriers.size() - 1).sn()) {
                    barriers.add(one);
                }
            }
        }
        return barriers;
    }

    /** Returns the barriers up to an entry at which their cuts are in force. */
    final List<Barrier> barriersInForceAt(long sn) {
        Map<String, Barrier> byName = new LinkedHashMap<>();
        for (ArchivedBarrier one : barriers()) {
            boolean isVoid = voids().stream()
                    .anyMatch(point -> point.isVoid(one.sn(), one.barrier().txId(), sn));
            if (one.sn() <= sn && !isVoid) {
                byName.putIfAbsent(one.barrier().name(), one.barrier());
            }
        }
        return new ArrayList<>(byName.values());
    }

    /** The last mark that was set at or before a time; empty if there is none. */
    public final Optional<CommitMark> markAt(long millis) {
        Optional<CommitMark> last = Optional.empty();
        for (CommitMark mark : marks()) {
            // The clock of another host may be behind; the furthest counts that had been reached by then.
            if (mark.millis() <= millis) {
                last = Optional.of(mark);
            }
        }
        return last;
    }

    /** The mark that follows one of this stretch; empty if it was the last. */
    final Optional<CommitMark> nextMark(CommitMark mark) {
        return marks().stream().filter(one -> one.sn() > mark.sn()).findFirst();
    }

    /** A transaction behind which those that are in force at the end were all written in this stretch. */
    final long floorTxId() {
        long floor = before().lastTxId();
        for (VoidPoint point : voids()) {
            floor = Math.min(floor, point.fromTxId() - 1);
        }
        return floor;
    }

    /**
     * Whether the namespace at a target can be made from an image and the transactions after it. The image must have been confirmed in this
     * stretch: what a gap has may have made its transactions void.
     */
    final boolean canRecover(ArchivedImage image, NamespaceTarget target) {
        boolean isConfirmedHere = before().sn() <= image.confirmedSn() && image.confirmedSn() <= after().sn();
        long from = Math.min(image.confirmedSn(), target.sn());
        long to = Math.max(image.confirmedSn(), target.sn());
        return isConfirmedHere
                && image.txId() <= target.txId()
                && firstPart(image.txId(), target).isPresent()
                && voids().stream().noneMatch(point -> point.isVoid(from, image.txId(), to));
    }

    /** The chunks to be read for a target, from an image's transaction on. */
    final List<Part> parts(long imageTxId, NamespaceTarget target) {
        Optional<Part> first = firstPart(imageTxId, target);
        List<Part> needed = new ArrayList<>();
        for (Part part : parts()) {
            boolean begun = !needed.isEmpty() || first.equals(Optional.of(part));
            if (begun && part.head().before().sn() < target.sn()) {
                needed.add(part);
            }
        }
        return needed;
    }

    /**
     * The entry from whose successor on the archive has everything a namespace needs in addition to an image that {@link
     * #canRecover} to it.
     */
    final long firstSn(long imageTxId, NamespaceTarget target) {
        return firstPart(imageTxId, target).get().head().before().sn();
    }

    /** The last chunk that begins with no transaction behind that one in force. */
    private Optional<Part> firstPart(long txId, NamespaceTarget target) {
        Optional<Part> first = Optional.empty();
        for (Part part : parts()) {
            LogBoundary before = part.head().before();
            if (before.sn() <= target.sn() && before.lastTxId() <= txId) {
                first = Optional.of(part);
            }
        }
        return first;
    }
}
