/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnappliedEditTest {
    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void chooseFile() {
        file = directory.resolve("ns1.unapplied");
    }

    @Test
    void nextProcessKnowsUnappliedEdit() {
        UnappliedEdit.inFile(file).record(7, "MkdirOp [path=/a\nb]", "IOException: no");

        UnappliedEdit next = UnappliedEdit.inFile(file);
        assertThat(next.describe()).as("before its disk has answered").isEmpty();
        next.loadNote();
        assertThat(next.describe()).isEqualTo("transaction 7, MkdirOp [path=/a b]: IOException: no");
    }

    @Test
    void fileFormatIsUnchanged() throws IOException {
        UnappliedEdit.inFile(file).record(7, "MkdirOp [path=/a]", "IOException: no");
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("disk/ns1.unapplied", Files.readAllBytes(file));

        for (byte[] written : golden.readAllReleases("disk/ns1.unapplied").values()) {
            Files.write(file, written);
            UnappliedEdit edit = UnappliedEdit.inFile(file);
            edit.loadNote();
            assertThat(edit.describe()).isEqualTo("transaction 7, MkdirOp [path=/a]: IOException: no");
        }
    }

    @Test
    void keepsReasonWhenSameEditFailsWithoutReason() {
        UnappliedEdit edit = UnappliedEdit.inFile(file);
        edit.record(7, "MkdirOp", "IOException: no");

        edit.record(7, "MkdirOp", "");
        assertThat(edit.describe()).endsWith(": IOException: no");

        edit.record(8, "AddOp", "");
        assertThat(edit.describe()).isEqualTo("transaction 8, AddOp");
    }

    @Test
    void removesNoteWhenEditIsApplied() {
        UnappliedEdit edit = UnappliedEdit.inFile(file);
        edit.record(7, "MkdirOp", "IOException: no");

        edit.clearIfApplied(6);
        assertThat(edit.describe()).isNotEmpty();
        edit.clearIfApplied(7);

        assertThat(edit.describe()).isEmpty();
        assertThat(file).doesNotExist();
    }

    @Test
    void ignoresForeignFile() throws IOException {
        Files.writeString(file, "seven\n");

        UnappliedEdit edit = UnappliedEdit.inFile(file);
        edit.loadNote();

        assertThat(edit.describe()).isEmpty();
    }

    @Test
    void keepsNewerNoteWhenEarlierOneIsRecalled() {
        UnappliedEdit.inFile(file).record(7, "MkdirOp", "IOException: no");
        UnappliedEdit next = UnappliedEdit.inFile(file);

        next.record(9, "AddOp", "");
        next.loadNote();

        assertThat(next.describe()).isEqualTo("transaction 9, AddOp");
    }

    @Test
    void truncatesLongEdit() {
        UnappliedEdit edit = UnappliedEdit.inMemory();

        edit.record(7, "x".repeat(100_000), "y".repeat(100_000));

        assertThat(edit.describe()).hasSizeLessThan(3_000);
    }
}
