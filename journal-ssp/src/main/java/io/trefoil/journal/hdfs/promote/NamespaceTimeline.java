/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import io.trefoil.foundation.DurableFiles;
import io.trefoil.journal.hdfs.restore.ArchiveRestoreRecord;
import io.trefoil.journal.hdfs.restore.VoidImageFinder;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.storage.image.ImageSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records which incarnation of the journal the namespace in a NameNode's directories was made from, in the file
 * {@code trefoil-journal} of each {@code current}. A promotion assigns the ids of lost transactions to others, and so does
 * a journal that is initialized from a namespace which an archive took back. HDFS goes by ids alone: a NameNode that
 * applied the lost ones would apply the new ones after them, and no process would notice.
 *
 * <p>{@code -format} and {@code -bootstrapStandby} create a {@code current} without the file. Its contents count as
 * belonging to the present incarnation, unless the images show otherwise: they may come from a NameNode that had not
 * learned of a promotion. Thread-safe.
 */
public final class NamespaceTimeline implements LocalNamespace {

    private static final Logger LOG = LoggerFactory.getLogger(NamespaceTimeline.class);

    private static final String FILE = ImageSource.LINE;
    private static final String CURRENT = "current";

    /** The journal's record of the transactions that promotions and restores from an archive lost. */
    public interface LostRangeSource {
        /** @throws IOException if that is unknown at present */
        List<VoidRange> ranges() throws IOException;
    }

    private final JournalId journal;
    private final List<Path> nameDirectories;
    private final AtomicReference<Incarnation> followedIncarnation;
    private Incarnation accepted = Incarnation.NONE;
    /** The directories that could not be marked with the accepted incarnation so far. */
    private final List<Path> unmarked = new ArrayList<>();

    private volatile boolean foundVoid;
    private volatile boolean inUse;

    private NamespaceTimeline(
            JournalId journal, List<Path> nameDirectories, AtomicReference<Incarnation> followedIncarnation) {
        this.journal = journal;
        this.nameDirectories = nameDirectories;
        this.followedIncarnation = followedIncarnation;
    }

    /** Returns the timeline of the directories of a NameNode that does not run. */
    static NamespaceTimeline of(JournalId journal, List<Path> nameDirectories) {
        return of(journal, nameDirectories, new AtomicReference<>(Incarnation.NONE));
    }

    /**
     * Returns the timeline of a NameNode with these directories.
     *
     * @param followedIncarnation the incarnation whose edits the process has applied: the files may not show it, if a directory
     *     could not be marked
     */
    public static NamespaceTimeline of(
            JournalId journal, List<Path> nameDirectories, AtomicReference<Incarnation> followedIncarnation) {
        return new NamespaceTimeline(
                journal, Collections.unmodifiableList(new ArrayList<>(nameDirectories)), followedIncarnation);
    }

    /**
     * Checks that the namespace may continue with an incarnation: must be called before anything of that incarnation is applied or written.
     * Then marks the directories with it. Looks at the disk only if the incarnation is not the one accepted last. While a NameNode runs, a
     * directory that cannot be marked is logged, and marked as soon as it can be: HDFS, too, continues without one whose disk fails.
     *
     * @throws VoidNamespaceException if the journal may have lost transactions that the namespace has
     * @throws UnmarkedDirectoryException if the process has applied nothing yet, and a directory cannot be marked
     * @throws IOException if that cannot be read, or only an incarnation that was replaced can be reached
     */
    public synchronized void requireCompatible(Incarnation incarnation, LostRangeSource lostRangeSource)
            throws IOException {
        if (!incarnation.isKnown()) {
            return;
        }
        if (incarnation.equals(accepted)) {
            unmarked.removeIf(current -> !failureToMark(current, incarnation).isPresent());
            return;
        }
        try {
            accept(incarnation, lostRangeSource);
        } catch (VoidNamespaceException e) {
            foundVoid = true;
            throw e;
        }
        accepted = incarnation;
        followedIncarnation.set(incarnation);
    }

    private void accept(Incarnation incarnation, LostRangeSource source) throws IOException {
        List<VoidRange> lostRanges = source.ranges();
        requireFollows(incarnation, lostRanges);
        List<Path> toMark = new ArrayList<>();
        for (Path directory : nameDirectories) {
            Path currentDirectory = directory.resolve(CURRENT);
            if (Files.isDirectory(currentDirectory)
                    && !isMarked(directory, currentDirectory, incarnation, lostRanges)) {
                toMark.add(currentDirectory);
            }
        }
        requireNoneLost(lostRanges);
        unmarked.clear();
        for (Path currentDirectory : toMark) {
            Optional<IOException> failure = failureToMark(currentDirectory, incarnation);
            if (failure.isPresent()) {
                recordUnmarked(currentDirectory, incarnation, failure.get());
            }
        }
    }

    /**
     * Without a mark, what HDFS writes there from now on would pass for part of whatever incarnation comes next. At its start HDFS
     * needs all of its directories as well.
     */
    private void recordUnmarked(Path currentDirectory, Incarnation incarnation, IOException failure)
            throws UnmarkedDirectoryException {
        if (!followedIncarnation.get().isKnown()) {
            throw new UnmarkedDirectoryException(currentDirectory, incarnation, failure);
        }
        unmarked.add(currentDirectory);
        LOG.warn(
                "Cannot mark directory={} as made from incarnation={} of the journal; do: check that disk, and "
                        + "the owner of that directory",
                currentDirectory,
                incarnation,
                failure);
    }

    /**
     * HDFS has recreated {@code current} from the namespace of this process, as an upgrade does: marks it like the previous one.
     *
     * @throws IOException if a directory cannot be marked
     */
    public synchronized void markRecreated() throws IOException {
        if (accepted.isKnown()) {
            markAll(accepted);
        }
    }

    /** Where nothing is recorded, nothing is added: only what is there already could be missing in a repetition. */
    @Override
    public synchronized void expectFormat(Incarnation nextIncarnation) throws IOException {
        for (Path directory : nameDirectories) {
            Path currentDirectory = directory.resolve(CURRENT);
            Set<Incarnation> known = read(currentDirectory);
            if (!known.isEmpty()) {
                known.add(nextIncarnation);
                write(currentDirectory, known);
            }
        }
    }

    /**
     * A journal was formatted for the namespace in these directories: marks them as made from it.
     *
     * @throws IOException if a directory cannot be marked
     */
    public synchronized void markFormatted(Incarnation incarnation) throws IOException {
        markAll(incarnation);
        followedIncarnation.set(incarnation);
    }

    private void markAll(Incarnation incarnation) throws IOException {
        for (Path directory : nameDirectories) {
            Path currentDirectory = directory.resolve(CURRENT);
            if (Files.isDirectory(currentDirectory)) {
                Optional<IOException> failure = failureToMark(currentDirectory, incarnation);
                if (failure.isPresent()) {
                    throw new UnmarkedDirectoryException(currentDirectory, incarnation, failure.get());
                }
            }
        }
    }

    /** The NameNode has loaded the namespace and follows or writes the journal. */
    public void markInUse() {
        inUse = true;
    }

    @Override
    public boolean isInUse() {
        return inUse;
    }

    /**
     * Trusts the files as well: if a node lost its storage, its NameNode may be unable to read anything without it. Not synchronized, since
     * {@link #requireCompatible} may wait for that very node.
     */
    @Override
    public boolean mayEnter(Incarnation incarnation) {
        if (nameDirectories.isEmpty() || incarnation.equals(followedIncarnation.get())) {
            return true;
        }
        return !foundVoid && (!incarnation.isPromoted() || isMarkedSomewhere(incarnation));
    }

    @Override
    public boolean mayWrite(Incarnation incarnation, List<VoidRange> lostRanges) {
        boolean isFollowed = incarnation.equals(followedIncarnation.get());
        return mayEnter(incarnation)
                && (isFollowed
                        || !incarnation.isKnown()
                        || !refusalReason(incarnation, lostRanges).isPresent());
    }

    private boolean isMarkedSomewhere(Incarnation incarnation) {
        boolean marked = false;
        for (Path directory : nameDirectories) {
            try {
                Set<Incarnation> known = read(directory.resolve(CURRENT));
                if (objection(directory, known, incarnation, Collections.<VoidRange>emptyList())
                        .isPresent()) {
                    return false;
                }
                marked |= known.contains(incarnation);
            } catch (IOException e) {
                LOG.warn(
                        "Cannot read which journal the namespace in directory={} comes from; do: check that disk",
                        directory,
                        e);
                return false;
            }
        }
        return marked;
    }

    /**
     * Requires that an incarnation follows the one whose edits this process has applied, even where no directory could
     * be marked with it.
     */
    private void requireFollows(Incarnation incarnation, List<VoidRange> lostRanges) throws IOException {
        Incarnation before = followedIncarnation.get();
        if (!before.isKnown()) {
            return;
        }
        Optional<IOException> objection =
                objection("of this NameNode", Collections.singleton(before), incarnation, lostRanges);
        if (objection.isPresent()) {
            throw objection.get();
        }
    }

    private void requireNoneLost(List<VoidRange> lostRanges) throws IOException {
        for (Path directory : nameDirectories) {
            Optional<String> objection = findLostImage(directory.resolve(CURRENT), lostRanges);
            if (objection.isPresent()) {
                throw new VoidNamespaceException(objection.get());
            }
        }
    }

    private Optional<String> findLostImage(Path currentDirectory, List<VoidRange> lostRanges) throws IOException {
        return VoidImageFinder.of(lostRanges)
                .find(currentDirectory)
                .map(image -> image + " is void: it has transactions that were lost when journal " + journal
                        + " was promoted, or initialized from an earlier instant; run hdfs namenode"
                        + " -bootstrapStandby on this host");
    }

    /** Whether the file already names exactly this incarnation; throws if it must not. */
    private boolean isMarked(Path directory, Path currentDirectory, Incarnation incarnation, List<VoidRange> lostRanges)
            throws IOException {
        Set<Incarnation> known;
        try {
            known = read(currentDirectory);
        } catch (IOException e) {
            if (hasLost(incarnation, lostRanges)) {
                throw e;
            }
            LOG.warn(
                    "Cannot read which journal the namespace in directory={} comes from; do: check that disk",
                    directory,
                    e);
            return false;
        }
        Optional<IOException> objection = objection(directory, known, incarnation, lostRanges);
        if (objection.isPresent()) {
            throw objection.get();
        }
        return known.equals(Collections.singleton(incarnation));
    }

    /** Whether the transactions of an incarnation may have taken the ids of others, which are lost. */
    private static boolean hasLost(Incarnation incarnation, List<VoidRange> lostRanges) {
        return incarnation.isPromoted() || !lostRanges.isEmpty();
    }

    /** Returns why the namespace in a name directory must not continue with an incarnation; empty if it may. */
    private Optional<IOException> objection(
            Path directory, Set<Incarnation> known, Incarnation incarnation, List<VoidRange> lostRanges)
            throws IOException {
        Optional<Incarnation> replaced = ArchiveRestoreRecord.replacedIncarnation(directory.resolve(CURRENT));
        if (replaced.isPresent() && !known.contains(incarnation) && !incarnation.isAbove(replaced.get())) {
            return Optional.of(new VoidNamespaceException("The namespace in " + directory
                    + " was restored from an archive, in place of incarnation " + replaced.get() + " of journal "
                    + journal + ", and cannot continue with " + incarnation
                    + ": initialize the journal from it with hdfs namenode -initializeSharedEdits, or discard it with"
                    + " hdfs namenode -bootstrapStandby on this host"));
        }
        return objection("in " + directory, known, incarnation, lostRanges);
    }

    /**
     * Returns why a namespace that was made from one of these incarnations must not continue with that one; empty if
     * it may.
     */
    private Optional<IOException> objection(
            String which, Set<Incarnation> known, Incarnation incarnation, List<VoidRange> lostRanges) {
        boolean hasLost = hasLost(incarnation, lostRanges);
        if (known.isEmpty() || known.contains(incarnation)) {
            return Optional.empty();
        }
        String from = "The namespace " + which + " was made from incarnation " + known + " of journal " + journal;
        // A format and a promotion are above all that they replace, so this one did not replace that.
        if (!incarnation.isPromoted() && known.stream().anyMatch(one -> one.isAbove(incarnation))) {
            return Optional.of(new IOException(from + ", and only pool nodes with " + incarnation
                    + ", which is older, can be reached: start those of the newer one, and stop these; or, if the newer one is"
                    + " void, run hdfs namenode -bootstrapStandby on this host"));
        }
        return hasLost
                ? Optional.of(new VoidNamespaceException(from
                        + ", and some of its transactions may have been lost when "
                        + incarnation
                        + (incarnation.isPromoted() ? " was promoted" : " was initialized from an earlier instant")
                        + ": run hdfs namenode -bootstrapStandby on this host"))
                : Optional.<IOException>empty();
    }

    /** The incarnations that the directories here were made from, as far as that is recorded. Reads the disk. */
    public Set<Incarnation> knownIncarnations() {
        Set<Incarnation> known = new LinkedHashSet<>();
        for (Path directory : nameDirectories) {
            try {
                known.addAll(read(directory.resolve(CURRENT)));
            } catch (IOException e) {
                LOG.warn(
                        "Cannot read which journal the namespace in directory={} comes from; do: check that disk",
                        directory,
                        e);
            }
        }
        return known;
    }

    /**
     * Returns why this host's namespace cannot belong to an incarnation; empty if it can. Reads the disk, and changes nothing.
     *
     * @param lostRanges the transactions that were lost on the way to it
     */
    Optional<String> refusalReason(Incarnation incarnation, List<VoidRange> lostRanges) {
        for (Path directory : nameDirectories) {
            Path currentDirectory = directory.resolve(CURRENT);
            if (Files.isDirectory(currentDirectory)) {
                Optional<String> objection;
                try {
                    objection = objection(directory, read(currentDirectory), incarnation, lostRanges)
                            .map(IOException::getMessage);
                    if (!objection.isPresent()) {
                        objection = findLostImage(currentDirectory, lostRanges);
                    }
                } catch (IOException e) {
                    objection =
                            Optional.of("The journal from which this host's namespace was made cannot be read: " + e);
                }
                if (objection.isPresent()) {
                    return objection;
                }
            }
        }
        return Optional.empty();
    }

    /** Marks a directory, and returns why that is impossible; empty if it is done. */
    private static Optional<IOException> failureToMark(Path currentDirectory, Incarnation incarnation) {
        try {
            write(currentDirectory, Collections.singleton(incarnation));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        }
    }

    /**
     * Accepts the next incarnation too: the caller has checked that it contains all transactions of this namespace.
     * Harmless if that incarnation never comes to be.
     */
    synchronized void expect(Incarnation currentIncarnation, Incarnation nextIncarnation) throws IOException {
        for (Path directory : nameDirectories) {
            Path currentDirectory = directory.resolve(CURRENT);
            if (Files.isDirectory(currentDirectory)) {
                Set<Incarnation> known = read(currentDirectory);
                known.add(currentIncarnation);
                known.add(nextIncarnation);
                write(currentDirectory, known);
            }
        }
    }

    /**
     * The incarnations that the namespace in a name directory was made from, as far as that is recorded.
     *
     * @throws IOException if that cannot be read
     */
    public static Set<Incarnation> incarnationsIn(Path nameDirectory) throws IOException {
        return read(nameDirectory.resolve(CURRENT));
    }

    private static Set<Incarnation> read(Path currentDirectory) throws IOException {
        Path file = currentDirectory.resolve(FILE);
        Set<Incarnation> known = new LinkedHashSet<>();
        if (Files.exists(file)) {
            try {
                for (String line : new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                        .trim()
                        .split("\n")) {
                    known.add(Incarnation.parse(line));
                }
            } catch (IllegalArgumentException e) {
                throw new IOException(file + " names no incarnation of a journal: " + e.getMessage(), e);
            }
        }
        return known;
    }

    private static void write(Path currentDirectory, Set<Incarnation> known) throws IOException {
        StringBuilder text = new StringBuilder();
        known.forEach(incarnation -> text.append(incarnation).append('\n'));
        DurableFiles.replace(currentDirectory.resolve(FILE), text.toString());
    }
}
