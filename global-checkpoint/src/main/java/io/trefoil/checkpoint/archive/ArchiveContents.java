/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import io.trefoil.journal.model.Incarnation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** What an archive has: the lines of all incarnations of the journal, their gaps, and images. Immutable. */
public final class ArchiveContents {

    private final NavigableMap<Incarnation, List<Stretch>> lines;
    private final List<ArchivedImage> images;

    /** @param lines the stretches of each incarnation in their order */
    public ArchiveContents(Map<Incarnation, List<Stretch>> lines, Collection<ArchivedImage> images) {
        this.lines = Collections.unmodifiableNavigableMap(new TreeMap<>(lines));
        List<ArchivedImage> sorted = new ArrayList<>(images);
        sorted.sort((a, b) -> Long.compare(a.txId(), b.txId()));
        this.images = Collections.unmodifiableList(sorted);
    }

    /** The stretches of each incarnation, the oldest incarnation first; between two stretches there is a gap. */
    public NavigableMap<Incarnation, List<Stretch>> lines() {
        return lines;
    }

    /** In the order of their transactions. */
    public List<ArchivedImage> images() {
        return images;
    }

    /** The newest mark; empty if there is nothing. */
    public Optional<Mark> newest() {
        return lines.isEmpty()
                ? Optional.<Mark>empty()
                : Optional.of(last(lastOf(lines.lastEntry().getValue())));
    }

    /**
     * How to make the namespace of an instant.
     *
     * @throws NoSuchInstantException if it is before the first image, in a gap, or after the end
     */
    public NamespaceRecipe at(long millis) throws NoSuchInstantException {
        Mark newest = newest().orElseThrow(ArchiveContents::nothing);
        if (newest.millis() < millis) {
            throw new NoSuchInstantException("Wanted " + Instant.ofEpochMilli(millis) + ", the archive ends at "
                    + text(newest) + "; ask for that, or let the archive be written first");
        }
        for (Map.Entry<Incarnation, List<Stretch>> line : lines.descendingMap().entrySet()) {
            List<Stretch> stretches = line.getValue();
            for (int i = stretches.size() - 1; i >= 0; i--) {
                Optional<Mark> mark = stretches.get(i).at(millis);
                if (mark.isPresent()) {
                    boolean isAtEnd = i + 1 < stretches.size()
                            && mark.get().sn() == stretches.get(i).after().sn();
                    if (isAtEnd && mark.get().millis() < millis) {
                        Mark after = stretches.get(i + 1).marks().get(0);
                        throw new NoSuchInstantException(
                                "Wanted " + Instant.ofEpochMilli(millis) + ", the archive has a gap from "
                                        + text(mark.get()) + " to " + text(after) + "; ask for one of these");
                    }
                    return recipe(
                            line.getKey(),
                            stretches.get(i),
                            Target.of(mark.get().sn(), mark.get().txId()));
                }
            }
        }
        Mark first = lines.firstEntry().getValue().get(0).marks().get(0);
        throw new NoSuchInstantException("Wanted " + Instant.ofEpochMilli(millis) + ", the archive begins at "
                + text(first) + "; ask for that or later");
    }

    /**
     * How to make the namespace after a transaction that is in force at the end of the archive.
     *
     * @throws NoSuchInstantException if it is not there
     */
    public NamespaceRecipe after(long txId) throws NoSuchInstantException {
        if (lines.isEmpty()) {
            throw nothing();
        }
        Map.Entry<Incarnation, List<Stretch>> line = lines.lastEntry();
        for (int i = line.getValue().size() - 1; i >= 0; i--) {
            Stretch stretch = line.getValue().get(i);
            if (stretch.before().lastTxId() < txId && txId <= stretch.after().lastTxId()) {
                return recipe(line.getKey(), stretch, Target.of(stretch.after().sn(), txId));
            }
        }
        throw new NoSuchInstantException("Wanted transaction " + txId + ", the archive has " + ranges(line.getValue())
                + "; ask for one of these, or for a time");
    }

    /** How to make the newest namespace that the archive has. */
    public NamespaceRecipe newestNamespace() throws NoSuchInstantException {
        return at(newest().orElseThrow(ArchiveContents::nothing).millis());
    }

    private NamespaceRecipe recipe(Incarnation incarnation, Stretch stretch, Target target)
            throws NoSuchInstantException {
        for (int i = images.size() - 1; i >= 0; i--) {
            ArchivedImage image = images.get(i);
            if (image.incarnation().equals(incarnation) && stretch.leads(image, target)) {
                return NamespaceRecipe.of(image, stretch, target);
            }
        }
        List<Long> txIds = new ArrayList<>();
        images.forEach(image -> txIds.add(image.txId()));
        throw new NoSuchInstantException("Wanted an image at or below transaction " + target.txId()
                + " from which the archive continues, it has those of transactions " + txIds
                + "; ask for a transaction or a time after one of these");
    }

    private static NoSuchInstantException nothing() {
        return new NoSuchInstantException("The archive has no edits yet; let it be written first");
    }

    private static String ranges(List<Stretch> stretches) {
        List<String> texts = new ArrayList<>();
        stretches.forEach(one ->
                texts.add((one.before().lastTxId() + 1) + " to " + one.after().lastTxId()));
        return String.join(", ", texts);
    }

    private static Mark last(Stretch stretch) {
        List<Mark> marks = stretch.marks();
        return marks.get(marks.size() - 1);
    }

    private static Stretch lastOf(List<Stretch> stretches) {
        return stretches.get(stretches.size() - 1);
    }

    private static String text(Mark mark) {
        return Instant.ofEpochMilli(mark.millis()) + ", transaction " + mark.txId();
    }
}
