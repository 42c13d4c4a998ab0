/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.hdfs.restore.ArchiveRestoreRecord;
import io.trefoil.journal.hdfs.restore.TestImages;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamespaceTimelineTest {

    private static final Incarnation FORMATTED = Incarnation.ofFormat(100, 0x77);
    private static final Incarnation FORMATTED_AGAIN = Incarnation.ofFormat(500, 0x77);
    private static final Incarnation PROMOTED = Incarnation.ofPromotion(300, 0x76);
    private static final Incarnation PROMOTED_AGAIN = Incarnation.ofPromotion(400, 0x76);

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void makeCurrent() throws IOException {
        file = Files.createDirectories(directory.resolve("current")).resolve("trefoil-journal");
    }

    private static final NamespaceTimeline.LostRangeSource NOTHING_LOST = Collections::emptyList;

    /** That of a NameNode which has just started. */
    private NamespaceTimeline newTimeline() {
        return NamespaceTimeline.of(JournalId.of("ns1"), List.of(directory));
    }

    private void assertRejects(NamespaceTimeline timeline, Incarnation incarnation) {
        assertThatIOException()
                .isThrownBy(() -> timeline.requireCompatible(incarnation, NOTHING_LOST))
                .withMessageContaining("run hdfs namenode -bootstrapStandby");
    }

    @Test
    void unmarkedNamespaceJoinsJournalAsFirstSeen() throws IOException {
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);

        assertThat(file).hasContent(PROMOTED + "\n");
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
    }

    @Test
    void filesOfAllReleasesAreRead() throws IOException {
        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);
        newTimeline().expect(FORMATTED, PROMOTED);
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("name/trefoil-journal", Files.readString(file));

        for (byte[] release : golden.readAllReleases("name/trefoil-journal").values()) {
            Files.write(file, release);
            newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
            assertRejects(newTimeline(), PROMOTED_AGAIN);
        }
    }

    /** An upgrade of HDFS moves {@code current} aside and makes another, which would pass for new. */
    @Test
    void marksRebuiltDirectoryLikePreviousOne() throws IOException {
        NamespaceTimeline running = newTimeline();
        running.markRecreated();
        assertThat(file).doesNotExist();
        running.requireCompatible(FORMATTED, NOTHING_LOST);
        Files.delete(file);

        running.markRecreated();

        assertThat(file).hasContent(FORMATTED + "\n");
        assertRejects(newTimeline(), PROMOTED);
    }

    @Test
    void rejectsNamespaceFromBeforePromotion() throws IOException {
        NamespaceTimeline running = newTimeline();
        running.requireCompatible(FORMATTED, NOTHING_LOST);

        assertRejects(running, PROMOTED);
        assertRejects(running, PROMOTED);
        assertRejects(newTimeline(), PROMOTED);
        assertThat(file).hasContent(FORMATTED + "\n");
        running.requireCompatible(FORMATTED, NOTHING_LOST);
    }

    @Test
    void rejectsNamespaceFromBeforeSecondPromotion() throws IOException {
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);

        assertRejects(newTimeline(), PROMOTED_AGAIN);
    }

    /** The journal was initialized from a namespace that went back to an instant: its transactions have the ids of others. */
    @Test
    void rejectsNamespaceFromBeforeRestore() throws IOException {
        NamespaceTimeline.LostRangeSource lost = () -> List.of(VoidRange.of(99, Long.MAX_VALUE, 0, 5_000));
        NamespaceTimeline running = newTimeline();
        running.requireCompatible(FORMATTED, NOTHING_LOST);

        for (NamespaceTimeline timeline : List.of(running, newTimeline())) {
            assertThatExceptionOfType(VoidNamespaceException.class)
                    .isThrownBy(() -> timeline.requireCompatible(FORMATTED_AGAIN, lost))
                    .withMessageContaining("run hdfs namenode -bootstrapStandby on this host");
        }
        assertThat(running.mayEnter(FORMATTED_AGAIN)).isFalse();
        assertThat(newTimeline().refusalReason(FORMATTED_AGAIN, lost.ranges())).isPresent();
        assertThat(file).hasContent(FORMATTED + "\n");
        running.requireCompatible(FORMATTED, NOTHING_LOST);
    }

    /** Its edits go on where the archive's instant is long past. */
    @Test
    void rejectsJournalThatRestoredNamespaceReplaces() throws IOException {
        ArchiveRestoreRecord.write(file.getParent(), FORMATTED);

        for (Incarnation replaced : List.of(FORMATTED, Incarnation.ofFormat(50, 0x77))) {
            assertThatExceptionOfType(VoidNamespaceException.class)
                    .isThrownBy(() -> newTimeline().requireCompatible(replaced, NOTHING_LOST))
                    .withMessageContaining("hdfs namenode -initializeSharedEdits");
            assertThat(newTimeline().refusalReason(replaced, List.of())).isPresent();
        }
        assertThat(file).doesNotExist();

        newTimeline().markFormatted(FORMATTED_AGAIN);
        newTimeline().requireCompatible(FORMATTED_AGAIN, NOTHING_LOST);
        // As when all hosts with the new journal are lost, and some still have the old one.
        assertThatExceptionOfType(VoidNamespaceException.class)
                .isThrownBy(() -> newTimeline().requireCompatible(FORMATTED, NOTHING_LOST));
    }

    /** The clock of the host that formatted it may lag. */
    @Test
    void restoredNamespaceJoinsJournalInitializedFromIt() throws IOException {
        ArchiveRestoreRecord.write(file.getParent(), FORMATTED_AGAIN);

        newTimeline().markFormatted(FORMATTED);

        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);
    }

    /** By one that starts without a mark, such as one that fetched it from a NameNode with the old name directory. */
    @Test
    void rejectsFetchedImageFromBeforeRestore() throws IOException {
        NamespaceTimeline.LostRangeSource lost = () -> List.of(VoidRange.of(99, Long.MAX_VALUE, 0, 5_000));
        Path image = TestImages.write(file.resolveSibling("fsimage_0000000000000000100"), 4_999);

        assertThatExceptionOfType(VoidNamespaceException.class)
                .isThrownBy(() -> newTimeline().requireCompatible(FORMATTED_AGAIN, lost))
                .withMessageContaining(image + " is void");

        TestImages.write(image, 5_000);
        newTimeline().requireCompatible(FORMATTED_AGAIN, lost);
    }

    /** Else it would stand in elections, and end whenever it wins one. */
    @Test
    void outdatedNamespaceMayNotWriteBeforeItReads() throws IOException {
        List<VoidRange> lost = List.of(VoidRange.of(99, Long.MAX_VALUE, 0, 5_000));
        assertThat(newTimeline().mayWrite(FORMATTED_AGAIN, lost)).isTrue();
        TestImages.write(file.resolveSibling("fsimage_0000000000000000100"), 4_999);
        assertThat(newTimeline().mayWrite(FORMATTED_AGAIN, lost)).isFalse();
        Files.delete(file.resolveSibling("fsimage_0000000000000000100"));

        NamespaceTimeline running = newTimeline();
        running.requireCompatible(FORMATTED, NOTHING_LOST);

        assertThat(newTimeline().mayWrite(FORMATTED, List.of())).isTrue();
        assertThat(newTimeline().mayWrite(FORMATTED_AGAIN, List.of())).isTrue();
        assertThat(running.mayWrite(FORMATTED_AGAIN, lost)).isFalse();
        assertThat(newTimeline().mayWrite(FORMATTED_AGAIN, lost)).isFalse();
    }

    /** A host was formatted alone, its NameNode served for a while, and its pool node joined the journal in force since. */
    @Test
    void namespaceOfVoidJournalIsKeptOutOfOlderOne() throws IOException {
        newTimeline().requireCompatible(FORMATTED_AGAIN, NOTHING_LOST);

        assertThatIOException()
                .isThrownBy(() -> newTimeline().requireCompatible(FORMATTED, NOTHING_LOST))
                .withMessageContainingAll("only pool nodes with " + FORMATTED, "-bootstrapStandby");
        assertThat(newTimeline().mayWrite(FORMATTED, List.of())).isFalse();
        assertThat(file).hasContent(FORMATTED_AGAIN + "\n");
    }

    @Test
    void restoredNamespaceNeverReverts() throws IOException {
        NamespaceTimeline.LostRangeSource lost = () -> List.of(VoidRange.of(99, Long.MAX_VALUE, 0, 5_000));
        newTimeline().requireCompatible(FORMATTED_AGAIN, lost);

        assertThatIOException()
                .isThrownBy(() -> newTimeline().requireCompatible(FORMATTED, lost))
                .withMessageContaining("only pool nodes with " + FORMATTED);
    }

    /** The next initialization from it repeats what is lost, and must not lock out the host that it is made on. */
    @Test
    void formattingHostContinuesWithNewIncarnation() throws IOException {
        NamespaceTimeline.LostRangeSource lost = () -> List.of(VoidRange.of(99, Long.MAX_VALUE, 0, 5_000));
        newTimeline().requireCompatible(FORMATTED, lost);

        newTimeline().markFormatted(FORMATTED_AGAIN);

        assertThat(file).hasContent(FORMATTED_AGAIN + "\n");
        newTimeline().requireCompatible(FORMATTED_AGAIN, lost);
    }

    /** From a NameNode that had not heard of the promotion: there is no mark, or it was made when there was no image yet. */
    @Test
    void rejectsFetchedImageFromBeforePromotion() throws IOException {
        NamespaceTimeline.LostRangeSource lost = () -> List.of(VoidRange.of(100, Long.MAX_VALUE, 0, 5_000));
        newTimeline().requireCompatible(PROMOTED, lost);
        Path image = TestImages.write(file.resolveSibling("fsimage_0000000000000000101"), 4_999);

        for (int time = 0; time < 2; time++) {
            assertThatExceptionOfType(VoidNamespaceException.class)
                    .isThrownBy(() -> newTimeline().requireCompatible(PROMOTED, lost))
                    .withMessageContaining(image + " is void")
                    .withMessageContaining("run hdfs namenode -bootstrapStandby on this host");
            Files.deleteIfExists(file);
        }
        assertThat(file).doesNotExist();
        assertThat(newTimeline().refusalReason(PROMOTED, lost.ranges())).isPresent();

        TestImages.write(image, 5_000);
        newTimeline().requireCompatible(PROMOTED, lost);
        assertThat(newTimeline().refusalReason(PROMOTED, lost.ranges())).isEmpty();
    }

    @Test
    void rejectsJournalWhenLostTransactionsAreUnknown() throws IOException {
        NamespaceTimeline.LostRangeSource unknown = () -> {
            throw new IOException("No majority");
        };

        for (Incarnation incarnation : List.of(FORMATTED, PROMOTED)) {
            assertThatIOException()
                    .isThrownBy(() -> newTimeline().requireCompatible(incarnation, unknown))
                    .withMessage("No majority");
            assertThat(file).doesNotExist();
        }
    }

    @Test
    void poolNodeEntersPromotedIncarnationOnlyAfterNamespace() throws IOException {
        assertThat(newTimeline().mayEnter(FORMATTED)).isTrue();
        assertThat(newTimeline().mayEnter(PROMOTED)).isFalse();
        assertThat(NamespaceTimeline.of(JournalId.of("ns1"), List.of()).mayEnter(PROMOTED))
                .isTrue();

        NamespaceTimeline running = newTimeline();
        running.requireCompatible(PROMOTED, NOTHING_LOST);
        assertThat(running.mayEnter(PROMOTED)).isTrue();
        assertThat(newTimeline().mayEnter(PROMOTED)).isTrue();
        assertThat(newTimeline().mayEnter(PROMOTED_AGAIN)).isFalse();

        assertRejects(running, PROMOTED_AGAIN);
        assertThat(running.mayEnter(PROMOTED_AGAIN)).isFalse();
    }

    @Test
    void poolNodeStaysOutWhenPartOfNamespacePredatesPromotion() throws IOException {
        Path other = directory.resolve("other");
        Path unmarked = directory.resolve("unmarked");
        Files.createDirectories(other.resolve("current"));
        Files.createDirectories(unmarked.resolve("current"));
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
        assertThat(NamespaceTimeline.of(JournalId.of("ns1"), List.of(directory, unmarked))
                        .mayEnter(PROMOTED))
                .isTrue();

        Files.writeString(other.resolve("current").resolve("trefoil-journal"), FORMATTED + "\n");

        assertThat(NamespaceTimeline.of(JournalId.of("ns1"), List.of(directory, other))
                        .mayEnter(PROMOTED))
                .isFalse();
    }

    /** The file was made when there was no image yet, and names the incarnation all the same. */
    @Test
    void imageOfLostTransactionsKeepsPoolNodeOut() throws IOException {
        NamespaceTimeline.LostRangeSource lost = () -> List.of(VoidRange.of(100, Long.MAX_VALUE, 0, 5_000));
        newTimeline().requireCompatible(PROMOTED, lost);
        TestImages.write(file.resolveSibling("fsimage_0000000000000000101"), 4_999);
        NamespaceTimeline started = newTimeline();

        assertThatExceptionOfType(VoidNamespaceException.class)
                .isThrownBy(() -> started.requireCompatible(PROMOTED, lost));

        assertThat(started.mayEnter(PROMOTED)).isFalse();
    }

    @Test
    void followsReinitializedJournal() throws IOException {
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
        newTimeline().requireCompatible(FORMATTED_AGAIN, NOTHING_LOST);

        assertThat(file).hasContent(FORMATTED_AGAIN + "\n");
    }

    /** Those that a promotion gave up may be in reach while those that it made are not. */
    @Test
    void promotedNamespaceNeverReverts() throws IOException {
        NamespaceTimeline running = newTimeline();
        running.requireCompatible(PROMOTED, NOTHING_LOST);

        for (NamespaceTimeline timeline : List.of(running, newTimeline())) {
            assertThatIOException()
                    .isThrownBy(() -> timeline.requireCompatible(FORMATTED, NOTHING_LOST))
                    .withMessageContaining("only pool nodes with " + FORMATTED);
        }
        assertThat(file).hasContent(PROMOTED + "\n");
        running.requireCompatible(PROMOTED, NOTHING_LOST);
    }

    @Test
    void promotedHostContinuesWhetherOrNotPromotionCompleted() throws IOException {
        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);
        newTimeline().expect(FORMATTED, PROMOTED);
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
        assertThat(file).hasContent(PROMOTED + "\n");

        newTimeline().expect(PROMOTED, PROMOTED_AGAIN);
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
        assertThat(file).hasContent(PROMOTED + "\n");
        assertRejects(newTimeline(), PROMOTED_AGAIN);
    }

    @Test
    void unmarkedDirectoryContinuesWithEitherIncarnation() throws IOException {
        newTimeline().expect(PROMOTED, PROMOTED_AGAIN);

        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
    }

    @Test
    void recordsNothingForUnseenJournal() throws IOException {
        newTimeline().requireCompatible(Incarnation.NONE, NOTHING_LOST);

        assertThat(file).doesNotExist();
    }

    @Test
    void rejectsPromotedJournalWhenFileIsUnreadable() throws IOException {
        Files.writeString(file, "what?\n");

        assertThatIOException()
                .isThrownBy(() -> newTimeline().requireCompatible(PROMOTED, NOTHING_LOST))
                .withMessageContaining("what?");
        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);
        assertThat(file).hasContent(FORMATTED + "\n");
    }

    /** A format that stops half-way leaves nodes with an incarnation that the repetition must know, and may come to nothing. */
    @Test
    void formatIsKnownBeforeItBegins() throws IOException {
        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);

        newTimeline().expectFormat(FORMATTED_AGAIN);

        assertThat(newTimeline().knownIncarnations()).containsExactly(FORMATTED, FORMATTED_AGAIN);
        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);
        assertThat(file).hasContent(FORMATTED + "\n");
    }

    /** It may be of the journal in force, and must not be taken for part of the new one alone. */
    @Test
    void unmarkedDirectoryStaysUnmarkedBeforeFormat() throws IOException {
        newTimeline().expectFormat(FORMATTED_AGAIN);

        assertThat(file).doesNotExist();
    }

    @Test
    void formatIsRefusedWhenDirectoryCannotRecordIt() throws IOException {
        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);
        preventMarking();

        assertThatIOException().isThrownBy(() -> newTimeline().expectFormat(FORMATTED_AGAIN));
        assertThatExceptionOfType(UnmarkedDirectoryException.class)
                .isThrownBy(() -> newTimeline().markFormatted(FORMATTED_AGAIN))
                .withMessageContaining("Cannot mark " + file.getParent());
    }

    private Path preventMarking() throws IOException {
        return Files.createDirectories(file.resolveSibling("trefoil-journal.part"));
    }

    /** What HDFS writes there would pass for part of any incarnation later. */
    @Test
    void rejectsDirectoryThatCannotBeMarkedAtStart() throws IOException {
        Path obstacle = preventMarking();

        assertThatExceptionOfType(UnmarkedDirectoryException.class)
                .isThrownBy(() -> newTimeline().requireCompatible(FORMATTED, NOTHING_LOST))
                .withMessageContaining("Cannot mark " + file.getParent());
        assertThat(file).doesNotExist();
        Files.delete(obstacle);
        newTimeline().requireCompatible(FORMATTED, NOTHING_LOST);
        assertThat(file).hasContent(FORMATTED + "\n");
    }

    /** One of several disks may fail: HDFS goes on, and drops that directory when it next writes to it. */
    @Test
    void marksDirectoryLaterWhenDiskRecoversAtRunTime() throws IOException {
        NamespaceTimeline running = newTimeline();
        running.requireCompatible(FORMATTED, NOTHING_LOST);
        Path obstacle = preventMarking();

        running.requireCompatible(FORMATTED_AGAIN, NOTHING_LOST);
        running.requireCompatible(FORMATTED_AGAIN, NOTHING_LOST);
        assertThat(file).hasContent(FORMATTED + "\n");
        Files.delete(obstacle);
        running.requireCompatible(FORMATTED_AGAIN, NOTHING_LOST);

        assertThat(file).hasContent(FORMATTED_AGAIN + "\n");
    }

    /** The file names what it was made from before, and there may be no image that betrays it. */
    @Test
    void appliedIncarnationCountsWhenMarkFails() throws IOException {
        AtomicReference<Incarnation> followed = new AtomicReference<>(Incarnation.NONE);
        NamespaceTimeline running = NamespaceTimeline.of(JournalId.of("ns1"), List.of(directory), followed);
        running.requireCompatible(FORMATTED, NOTHING_LOST);
        Files.delete(file);
        preventMarking();

        assertRejects(running, PROMOTED);
        NamespaceTimeline inAnotherRole = NamespaceTimeline.of(JournalId.of("ns1"), List.of(directory), followed);
        assertRejects(inAnotherRole, PROMOTED);
        inAnotherRole.requireCompatible(FORMATTED, NOTHING_LOST);
        inAnotherRole.requireCompatible(FORMATTED_AGAIN, NOTHING_LOST);
    }

    @Test
    void processNeverRevertsWhenMarkFails() throws IOException {
        NamespaceTimeline running = newTimeline();
        running.requireCompatible(PROMOTED, NOTHING_LOST);
        Files.delete(file);
        preventMarking();

        assertThatIOException()
                .isThrownBy(() -> running.requireCompatible(FORMATTED, NOTHING_LOST))
                .withMessageContaining("only pool nodes with " + FORMATTED);
        running.requireCompatible(PROMOTED, NOTHING_LOST);
    }

    @Test
    void comparesOnlyAppliedIncarnationWithoutNameDirectory() throws IOException {
        Files.delete(directory.resolve("current"));
        NamespaceTimeline timeline = newTimeline();

        timeline.requireCompatible(FORMATTED, NOTHING_LOST);
        newTimeline().requireCompatible(PROMOTED, NOTHING_LOST);
        assertRejects(timeline, PROMOTED);
    }
}
