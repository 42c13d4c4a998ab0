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
    Path folder;

    private Path file;

    @BeforeEach
    void chooseFile() {
        file = folder.resolve("ns1.unapplied");
    }

    @Test
    void nextProcessKnowsUnappliedEdit() {
        UnappliedEdit.in(file).note(7, "MkdirOp [path=/a\nb]", "IOException: no");

        UnappliedEdit next = UnappliedEdit.in(file);
        assertThat(next.text()).as("before its disk has answered").isEmpty();
        next.restore();
        assertThat(next.text()).isEqualTo("transaction 7, MkdirOp [path=/a b]: IOException: no");
    }

    @Test
    void fileFormatIsUnchanged() throws IOException {
        UnappliedEdit.in(file).note(7, "MkdirOp [path=/a]", "IOException: no");
        GoldenFiles golden = GoldenFiles.ofModule();
        golden.requireSame("disk/ns1.unapplied", Files.readAllBytes(file));

        for (byte[] written : golden.everyRelease("disk/ns1.unapplied").values()) {
            Files.write(file, written);
            UnappliedEdit edit = UnappliedEdit.in(file);
            edit.restore();
            assertThat(edit.text()).isEqualTo("transaction 7, MkdirOp [path=/a]: IOException: no");
        }
    }

    @Test
    void keepsReasonWhenSameEditFailsWithoutOne() {
        UnappliedEdit edit = UnappliedEdit.in(file);
        edit.note(7, "MkdirOp", "IOException: no");

        edit.note(7, "MkdirOp", "");
        assertThat(edit.text()).endsWith(": IOException: no");

        edit.note(8, "AddOp", "");
        assertThat(edit.text()).isEqualTo("transaction 8, AddOp");
    }

    @Test
    void removesNoteWhenEditIsApplied() {
        UnappliedEdit edit = UnappliedEdit.in(file);
        edit.note(7, "MkdirOp", "IOException: no");

        edit.applied(6);
        assertThat(edit.text()).isNotEmpty();
        edit.applied(7);

        assertThat(edit.text()).isEmpty();
        assertThat(file).doesNotExist();
    }

    @Test
    void ignoresForeignFile() throws IOException {
        Files.writeString(file, "seven\n");

        UnappliedEdit edit = UnappliedEdit.in(file);
        edit.restore();

        assertThat(edit.text()).isEmpty();
    }

    @Test
    void keepsNewerNoteWhenEarlierOneIsRecalled() {
        UnappliedEdit.in(file).note(7, "MkdirOp", "IOException: no");
        UnappliedEdit next = UnappliedEdit.in(file);

        next.note(9, "AddOp", "");
        next.restore();

        assertThat(next.text()).isEqualTo("transaction 9, AddOp");
    }

    @Test
    void truncatesLongEdit() {
        UnappliedEdit edit = UnappliedEdit.inMemory();

        edit.note(7, "x".repeat(100_000), "y".repeat(100_000));

        assertThat(edit.text()).hasSizeLessThan(3_000);
    }
}
