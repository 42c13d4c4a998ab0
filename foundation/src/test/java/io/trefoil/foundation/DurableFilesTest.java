/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
    @TempDir
    private Path directory;

    @Test
    void replacesFileAtomicallyAndOverwritesCrashedDraft() throws IOException {
        Path file = directory.resolve("mark");
        Files.writeString(directory.resolve("mark.part"), "what a crash left, longer than all that follows");

        DurableFiles.replace(file, "first, and long\n");
        DurableFiles.replace(file, "sécond\n");

        assertThat(file).hasContent("sécond\n");
        assertThat(directory.resolve("mark.part")).doesNotExist();
    }

    @Test
    void keepsOldTextWhenWriteFails() throws IOException {
        Path file = directory.resolve("mark");
        DurableFiles.replace(file, "old\n");
        Files.createDirectory(directory.resolve("mark.part"));

        assertThatIOException().isThrownBy(() -> DurableFiles.replace(file, "new\n"));

        assertThat(file).hasContent("old\n");
    }
}
