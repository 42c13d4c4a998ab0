/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.hdfs.files.ManifestsTest;
import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.checkpoint.model.Manifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineCheckTest {
    private static final Manifest NEVER_RESTORED_TO = ManifestsTest.checkpoint("late", 20);
    private static final Manifest RESTORED_TO =
            NEVER_RESTORED_TO.withRestore(ManifestsTest.restoreRecord(7, 20, 0, 1_000));

    @TempDir
    private Path directory;

    private final TimelineCheck timelineCheck = new TimelineCheck();
    private Path mark;

    @BeforeEach
    void createCurrentDirectory() throws IOException {
        mark = Files.createDirectories(directory.resolve("current")).resolve("trefoil-lineage");
    }

    private TimelineCheck.Verdict judge(Manifest checkpoint) {
        return timelineCheck.check(List.of(new NameDirectoryFiles(directory, true)), List.of(checkpoint));
    }

    private TimelineCheck.Verdict judge(String marked, Manifest checkpoint) throws IOException {
        Files.writeString(mark, marked + "\n");
        return judge(checkpoint);
    }

    private String readMark() throws IOException {
        return Files.readString(mark).trim();
    }

    @Test
    void verdictIsVoidWhenDirectoryPredatesRestore() throws IOException {
        TimelineCheck.Verdict verdict = judge("3", RESTORED_TO);

        assertThat(verdict.kind()).isEqualTo(TimelineCheck.Kind.VOID);
        assertThat(verdict.text()).contains("is from before the nameservice was restored to checkpoint late.");
        assertThat(readMark()).isEqualTo("3");
    }

    /** Epochs begin anew with a journal that is initialized again: the next restore may have a lower one. */
    @Test
    void markOfEarlierJournalDoesNotHideRestore() throws IOException {
        assertThat(judge("1000", NEVER_RESTORED_TO)).isEqualTo(TimelineCheck.Verdict.CURRENT);
        assertThat(readMark()).isEqualTo("0");

        assertThat(judge(RESTORED_TO).kind()).isEqualTo(TimelineCheck.Kind.VOID);
    }

    /** Its images tell, as they do without a mark; here there are none of a void timeline. */
    @Test
    void directoryWithHigherMarkIsJudgedByImages() throws IOException {
        assertThat(judge("1000", RESTORED_TO)).isEqualTo(TimelineCheck.Verdict.CURRENT);
        assertThat(readMark()).isEqualTo("7");
    }

    @Test
    void verdictIsUnknownWhenDirectoryIsUnreadable() throws IOException {
        assertUnknown(judge("seven", RESTORED_TO), "found 'seven'");

        Files.delete(mark);
        // A damaged one: what is in it is not known.
        Files.writeString(mark.resolveSibling("fsimage_0000000000000000025"), "no image");
        assertUnknown(judge(RESTORED_TO), "fsimage_0000000000000000025");
    }

    private void assertUnknown(TimelineCheck.Verdict verdict, String found) {
        assertThat(verdict.kind()).isEqualTo(TimelineCheck.Kind.UNKNOWN);
        assertThat(verdict.text())
                .contains("Name directory " + directory + " cannot be read", found, "dfs.namenode.name.dir");
    }

    @Test
    void verdictIsUnknownWhenDirectoryIsMissing() throws IOException {
        Files.delete(directory.resolve("current"));

        assertThat(judge(RESTORED_TO).kind()).isEqualTo(TimelineCheck.Kind.UNKNOWN);
    }

    /** HDFS goes on with the others, and so may the NameNode: what it has loaded is known. */
    @Test
    void unreadableDirectoryKeepsVerdictUntilJournalIsRestored() throws IOException {
        assertThat(judge("0", NEVER_RESTORED_TO)).isEqualTo(TimelineCheck.Verdict.CURRENT);

        assertThat(judge("?", NEVER_RESTORED_TO)).isEqualTo(TimelineCheck.Verdict.CURRENT);
        assertThat(judge("?", RESTORED_TO).kind()).isEqualTo(TimelineCheck.Kind.UNKNOWN);
    }

    @Test
    void voidVerdictTakesPrecedenceOverUnreadableDirectory() throws IOException {
        Files.writeString(mark, "3");
        NameDirectoryFiles isVoid = new NameDirectoryFiles(directory, true);
        NameDirectoryFiles gone = new NameDirectoryFiles(directory.resolve("gone"), true);

        for (List<NameDirectoryFiles> both : List.of(List.of(isVoid, gone), List.of(gone, isVoid))) {
            assertThat(timelineCheck.check(both, List.of(RESTORED_TO)).kind()).isEqualTo(TimelineCheck.Kind.VOID);
        }
    }
}
