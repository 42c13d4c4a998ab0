/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Only the owner may use them. */
class PrivateFilesTest {
    @TempDir
    Path directory;

    @Test
    void createdDirectoryIsPrivateButItsParentsAreNot() throws IOException {
        Path made = directory.resolve("above/made");

        PrivateFiles.createDirectory(made);

        assertThat(mode(made)).isEqualTo("rwx------");
        assertThat(mode(made.getParent())).isEqualTo(mode(Files.createDirectory(directory.resolve("other"))));
    }

    @Test
    void closesExistingDirectoryOnlyOnRequest() throws IOException {
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-x--x"));

        PrivateFiles.createDirectory(open);
        assertThat(mode(open)).isEqualTo("rwxr-x--x");

        PrivateFiles.createOrRestrictDirectory(open);
        assertThat(mode(open)).isEqualTo("rwx------");
    }

    @Test
    void keepsStricterPermissions() throws IOException {
        Path closed = Files.createDirectory(directory.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));

        PrivateFiles.createOrRestrictDirectory(closed);

        assertThat(mode(closed)).isEqualTo("r-x------");
    }

    @Test
    void createFileReplacesReadableFile() throws IOException {
        Path file = Files.writeString(directory.resolve("edits"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        PrivateFiles.createFile(file);

        assertThat(file).isEmptyFile();
        assertThat(mode(file)).isEqualTo("rw-------");
    }

    @Test
    void rejectsFileInPlaceOfDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> PrivateFiles.createDirectory(file)).isInstanceOf(FileAlreadyExistsException.class);
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
