/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import static org.assertj.core.api.Assertions.assertThat;

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
    void nextProcessKnowsTheEdit() {
        UnappliedEdit.in(file).show(7, "MkdirOp [path=/a\nb]", "IOException: no");

        assertThat(UnappliedEdit.in(file).text()).isEqualTo("transaction 7, MkdirOp [path=/a b]: IOException: no");
    }

    @Test
    void reasonIsKeptWhenTheSameEditFailsWithoutOne() {
        UnappliedEdit edit = UnappliedEdit.in(file);
        edit.show(7, "MkdirOp", "IOException: no");

        edit.show(7, "MkdirOp", "");
        assertThat(edit.text()).endsWith(": IOException: no");

        edit.show(8, "AddOp", "");
        assertThat(edit.text()).isEqualTo("transaction 8, AddOp");
    }

    @Test
    void noteIsGoneWhenTheEditIsApplied() {
        UnappliedEdit edit = UnappliedEdit.in(file);
        edit.show(7, "MkdirOp", "IOException: no");

        edit.applied(6);
        assertThat(edit.text()).isNotEmpty();
        edit.applied(7);

        assertThat(edit.text()).isEmpty();
        assertThat(file).doesNotExist();
    }

    @Test
    void fileOfSomebodyElseIsPassedOver() throws IOException {
        Files.writeString(file, "seven\n");

        assertThat(UnappliedEdit.in(file).text()).isEmpty();
    }

    @Test
    void longEditIsCut() {
        UnappliedEdit edit = UnappliedEdit.inMemory();

        edit.show(7, "x".repeat(100_000), "y".repeat(100_000));

        assertThat(edit.text()).hasSizeLessThan(3_000);
    }
}
