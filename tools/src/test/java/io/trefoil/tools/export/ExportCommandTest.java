/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are written whole and in a row, or not at all. */
class ExportCommandTest {
    @TempDir
    Path directory;

    private final FakePool pool = new FakePool(3);

    ExportCommandTest() {
        pool.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
        add(1, 4, true);
        add(5, 9, true);
        add(10, 12, false);
    }

    @Test
    void exportsEachSegmentAsFile() throws IOException {
        Path to = directory.resolve("new/folder");

        assertThat(export("--to", to.toString())).as(pool.errors).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .isEqualTo(
                        """
                        FILE          FIRST  LAST  BYTES  SEGMENT
                        edits_1..4        1     4     12  ended
                        edits_5..9        5     9     12  ended
                        edits_10..12     10    12     14  in progress
                        transactions 1 to 12 written to %s
                        """
                                .formatted(to));
        assertThat(to.resolve("edits_5..9")).hasContent("segment 5..9");
        assertThat(names(to)).containsExactly("edits_1..4", "edits_10..12", "edits_5..9");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to)))
                .as("others on the host, who must not see the keys in them")
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("edits_5..9"))))
                .isEqualTo("rw-------");
    }

    @Test
    void reportsExportProgress() {
        export("--to", directory.toString());

        assertThat(pool.begun).containsExactly("export, transactions");
        assertThat(pool.counted.total).isEqualTo(12);
        assertThat(pool.counted.done).isEqualTo(12);
        assertThat(pool.counted.ended).isTrue();
    }

    @Test
    void jsonListsExportedFiles() {
        assertThat(export("--to", directory.toString(), "--json", "--from", "3"))
                .isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("\"first\": 1", "\"last\": 12", "\"file\": \"edits_5..9\"", "\"ended\": false");
    }

    @Test
    void rejectsGapBetweenSegments() throws IOException {
        pool.segments.remove(1);

        assertThat(export("--to", directory.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("transactions are missing: segment 10..12 follows 1..4");
        assertThat(names(directory)).isEmpty();
    }

    @Test
    void rejectsUnfinishedSegmentInMiddle() {
        pool.segments.set(1, segment(5, 9, false));

        assertThat(export("--to", directory.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("segment 5..9 has no end");
    }

    @Test
    void rejectsStartTransactionNotInJournal() {
        pool.segments.remove(0);

        assertThat(export("--to", directory.toString(), "--from", "4")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("transaction 4 is no longer kept, the first is 5");

        pool.segments.clear();
        assertThat(export("--to", directory.toString(), "--from", "4")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("no committed transactions from 4 on");
    }

    @Test
    void failedReadRemovesFile() throws IOException {
        pool.unreadableSegment = Optional.of(pool.segments.get(2));

        assertThat(export("--to", directory.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("wanted transaction 10, found nothing");
        assertThat(names(directory)).isEmpty();
    }

    @Test
    void refusesToOverwriteExistingFile() throws IOException {
        Files.writeString(directory.resolve("edits_5..9"), "mine");

        assertThat(export("--to", directory.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("edits_5..9 exists already");
        assertThat(names(directory)).containsExactly("edits_5..9");
        assertThat(directory.resolve("edits_5..9")).hasContent("mine");
    }

    @Test
    void refusesDirectoryOfNameNode() throws IOException {
        Path current = Files.createDirectory(directory.resolve("current"));
        Files.writeString(current.resolve("fsimage_0000000000000000042"), "an image");

        for (Path target : List.of(directory, current)) {
            assertThat(export("--to", target.toString())).isEqualTo(ExitCode.FINDING);
            assertThat(pool.errors).contains(current + " is of a NameNode");
        }
        assertThat(names(directory)).containsExactly("current");
        assertThat(names(current)).containsExactly("fsimage_0000000000000000042");
    }

    @Test
    void reportsReasonWhenTargetIsFile() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "mine");

        assertThat(export("--to", file.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors.trim()).isEqualTo(file + ": exists already");
    }

    @Test
    void exportsNothingWithoutMajority() {
        pool.node(1).silence = "Connection refused";
        pool.node(2).silence = "Connection refused";

        assertThat(export("--to", directory.toString())).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("NO MAJORITY", "nothing was exported");

        pool.node(3).silence = "Connection refused";
        assertThat(export("--to", directory.toString())).isEqualTo(ExitCode.NOBODY_ANSWERED);
    }

    @Test
    void requiresTargetDirectory() {
        assertThat(export()).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--to");
    }

    private void add(long first, long last, boolean finalized) {
        pool.segments.add(segment(first, last, finalized));
    }

    private static SegmentInfo segment(long first, long last, boolean finalized) {
        TxRange txIds = TxRange.of(first, last);
        return SegmentInfo.of(txIds, finalized, -66, txIds, 1);
    }

    private static String[] names(Path directory) {
        String[] names = directory.toFile().list();
        Arrays.sort(names);
        return names;
    }

    private int export(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "journal";
        arguments[1] = "export";
        System.arraycopy(options, 0, arguments, 2, options.length);
        return pool.run(arguments);
    }
}
