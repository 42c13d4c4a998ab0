/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Describes the contents of an archive: the lines of all incarnations of the journal, their gaps, and images. Immutable. */
public final class ArchiveContents {

    private final NavigableMap<Incarnation, List<ChunkSequence>> lines;
    private final List<ArchivedImage> images;

    /** @param lines the stretches of each incarnation in their order */
    public ArchiveContents(Map<Incarnation, List<ChunkSequence>> lines, Collection<ArchivedImage> images) {
        this.lines = Collections.unmodifiableNavigableMap(new TreeMap<>(lines));
        List<ArchivedImage> sorted = new ArrayList<>(images);
        sorted.sort((a, b) -> Long.compare(a.txId(), b.txId()));
        this.images = Collections.unmodifiableList(sorted);
    }

    /** The stretches of each incarnation, the oldest incarnation first; between two stretches there is a gap. */
    public NavigableMap<Incarnation, List<ChunkSequence>> sequencesByIncarnation() {
        return lines;
    }

    /** The images in the order of their transactions. */
    public List<ArchivedImage> images() {
        return images;
    }

    /** The newest mark; empty if there is nothing. */
    public Optional<CommitMark> newestMark() {
        return lines.isEmpty()
                ? Optional.<CommitMark>empty()
                : Optional.of(lastMark(lastSequence(lines.lastEntry().getValue())));
    }

    /**
     * Returns how to make the namespace of an instant. What was committed between the last mark before it and the
     * next mark is not in it.
     *
     * @throws NoSuchInstantException if it is before the first image, in a gap, between two incarnations, or after the end
     */
    public NamespaceRecipe recipeAt(long millis) throws NoSuchInstantException {
        CommitMark newest = newestMark().orElseThrow(ArchiveContents::noSuchInstant);
        if (newest.millis() < millis) {
            throw new NoSuchInstantException("Wanted " + Instant.ofEpochMilli(millis) + ", the archive ends at "
                    + text(newest) + "; ask for that, or let the archive be written first");
        }
        for (Map.Entry<Incarnation, List<ChunkSequence>> line :
                lines.descendingMap().entrySet()) {
            List<ChunkSequence> stretches = line.getValue();
            for (int i = stretches.size() - 1; i >= 0; i--) {
                Optional<CommitMark> mark = stretches.get(i).markAt(millis);
                if (mark.isPresent()) {
                    Optional<CommitMark> next = nextMark(line.getKey(), i, mark.get());
                    boolean isAtEnd =
                            mark.get().sn() == stretches.get(i).after().sn();
                    if (isAtEnd && next.isPresent() && mark.get().millis() < millis) {
                        throw new NoSuchInstantException(
                                "Wanted " + Instant.ofEpochMilli(millis) + ", the archive has a gap from "
                                        + text(mark.get()) + " to " + text(next.get()) + "; ask for one of these");
                    }
                    return recipe(
                                    line.getKey(),
                                    stretches.get(i),
                                    NamespaceTarget.of(
                                            mark.get().sn(), mark.get().txId()))
                            .withMarks(
                                    mark.get(),
                                    next,
                                    stretches.get(i).nextMark(mark.get()).flatMap(CommitMark::sinceMillis));
                }
            }
        }
        CommitMark first = lines.firstEntry().getValue().get(0).marks().get(0);
        throw new NoSuchInstantException("Wanted " + Instant.ofEpochMilli(millis) + ", the archive begins at "
                + text(first) + "; ask for that or later");
    }

    /** The mark behind one, in its stretch, the next stretch, or the next incarnation; empty if it is the newest. */
    private Optional<CommitMark> nextMark(Incarnation incarnation, int stretch, CommitMark mark) {
        List<ChunkSequence> stretches = lines.get(incarnation);
        Optional<CommitMark> next = stretches.get(stretch).nextMark(mark);
        if (next.isPresent()) {
            return next;
        }
        if (stretch + 1 < stretches.size()) {
            return Optional.of(stretches.get(stretch + 1).marks().get(0));
        }
        Map.Entry<Incarnation, List<ChunkSequence>> later = lines.higherEntry(incarnation);
        return later == null
                ? Optional.<CommitMark>empty()
                : Optional.of(later.getValue().get(0).marks().get(0));
    }

    /**
     * Returns how to make the namespace after a transaction that is in force at the end of the archive.
     *
     * @throws NoSuchInstantException if it is not there, or behind it is a gap, which may have made it void
     */
    public NamespaceRecipe recipeAfter(long txId) throws NoSuchInstantException {
        if (lines.isEmpty()) {
            throw noSuchInstant();
        }
        Map.Entry<Incarnation, List<ChunkSequence>> line = lines.lastEntry();
        ChunkSequence last = lastSequence(line.getValue());
        if (last.floorTxId() < txId && txId <= last.after().lastTxId()) {
            return recipe(line.getKey(), last, NamespaceTarget.of(last.after().sn(), txId));
        }
        throw new NoSuchInstantException("Wanted transaction " + txId + ", the archive has "
                + (last.floorTxId() + 1) + " to " + last.after().lastTxId()
                + (line.getValue().size() > 1 ? " behind its last gap" : "")
                + "; ask for one of these, or for a time");
    }

    /**
     * Returns the same namespace made from the present contents of the archive: a writer has merged chunks, or one that
     * is damaged was left out.
     *
     * @throws NoSuchInstantException if its edits are no longer there
     */
    public NamespaceRecipe relocate(NamespaceRecipe recipe) throws NoSuchInstantException {
        List<ChunkSequence> line =
                lines.getOrDefault(recipe.image().incarnation(), Collections.<ChunkSequence>emptyList());
        for (ChunkSequence stretch : line) {
            if (recipe.target().sn() <= stretch.after().sn() && stretch.canRecover(recipe.image(), recipe.target())) {
                return NamespaceRecipe.of(recipe.image(), stretch, recipe.target());
            }
        }
        throw new NoSuchInstantException("The archive lacks edits between the image of transaction "
                + recipe.image().txId() + " and transaction " + recipe.target().txId());
    }

    /**
     * Returns how to make the namespace of a checkpoint, from whichever incarnation has its barrier.
     *
     * @param name of the barrier
     * @throws NoSuchInstantException if the archive lacks the barrier, or what its namespace is made from
     */
    public NamespaceRecipe recipeOfBarrier(String name) throws NoSuchInstantException {
        NoSuchInstantException failure =
                new NoSuchInstantException("Wanted checkpoint " + name + ", the archive has no barrier of it");
        for (Map.Entry<Incarnation, List<ChunkSequence>> line : lines.entrySet()) {
            for (ChunkSequence stretch : line.getValue()) {
                for (ArchivedBarrier one : stretch.barriers()) {
                    if (one.barrier().name().equals(name)) {
                        try {
                            return recipe(
                                            line.getKey(),
                                            stretch,
                                            NamespaceTarget.of(
                                                    one.sn(), one.barrier().txId()))
                                    .withBarrier(one.barrier());
                        } catch (NoSuchInstantException e) {
                            // A promoted journal may have the same barrier once more, and an image.
                            failure = e;
                        }
                    }
                }
            }
        }
        throw failure;
    }

    /** Returns the barriers of all checkpoints, each as it was set first, the oldest incarnation first. */
    public List<Barrier> barriers() {
        Map<String, Barrier> byName = new LinkedHashMap<>();
        lines.values()
                .forEach(stretches -> stretches.forEach(stretch -> stretch.barriers()
                        .forEach(one -> byName.putIfAbsent(one.barrier().name(), one.barrier()))));
        return Collections.unmodifiableList(new ArrayList<>(byName.values()));
    }

    /**
     * Returns the barriers in force at a time, in the order in which they were set: of the stretch in which the time is, because a gap may
     * have what makes those before it void.
     */
    public List<Barrier> barriersAt(long millis) {
        for (List<ChunkSequence> stretches : lines.descendingMap().values()) {
            for (int i = stretches.size() - 1; i >= 0; i--) {
                Optional<CommitMark> mark = stretches.get(i).markAt(millis);
                if (mark.isPresent()) {
                    return stretches.get(i).barriersInForceAt(mark.get().sn());
                }
            }
        }
        return Collections.emptyList();
    }

    /** Returns how to make the newest namespace that the archive has. */
    public NamespaceRecipe newestNamespace() throws NoSuchInstantException {
        return recipeAt(newestMark().orElseThrow(ArchiveContents::noSuchInstant).millis());
    }

    /**
     * Returns how to make the last namespace of an incarnation.
     *
     * @throws NoSuchInstantException if there is nothing of it
     */
    public NamespaceRecipe lastNamespaceOf(Incarnation incarnation) throws NoSuchInstantException {
        List<ChunkSequence> line = lines.getOrDefault(incarnation, Collections.<ChunkSequence>emptyList());
        if (line.isEmpty()) {
            throw new NoSuchInstantException("Wanted the last namespace of incarnation " + incarnation
                    + ", the archive has edits of " + lines.keySet());
        }
        CommitMark last = lastMark(lastSequence(line));
        return recipe(incarnation, lastSequence(line), NamespaceTarget.of(last.sn(), last.txId()))
                .withMarks(last, Optional.<CommitMark>empty(), Optional.<Long>empty());
    }

    private NamespaceRecipe recipe(Incarnation incarnation, ChunkSequence stretch, NamespaceTarget target)
            throws NoSuchInstantException {
        for (int i = images.size() - 1; i >= 0; i--) {
            ArchivedImage image = images.get(i);
            if (image.incarnation().equals(incarnation) && stretch.canRecover(image, target)) {
                return NamespaceRecipe.of(image, stretch, target);
            }
        }
        List<Long> txIds = new ArrayList<>();
        images.forEach(image -> txIds.add(image.txId()));
        throw new NoSuchInstantException("Wanted an image at or below transaction " + target.txId()
                + " from which the archive continues, it has those of transactions " + txIds
                + "; ask for a transaction or a time after one of these");
    }

    private static NoSuchInstantException noSuchInstant() {
        return new NoSuchInstantException("The archive has no edits yet; let it be written first");
    }

    private static CommitMark lastMark(ChunkSequence stretch) {
        List<CommitMark> marks = stretch.marks();
        return marks.get(marks.size() - 1);
    }

    private static ChunkSequence lastSequence(List<ChunkSequence> stretches) {
        return stretches.get(stretches.size() - 1);
    }

    private static String text(CommitMark mark) {
        return Instant.ofEpochMilli(mark.millis()) + ", transaction " + mark.txId();
    }
}
