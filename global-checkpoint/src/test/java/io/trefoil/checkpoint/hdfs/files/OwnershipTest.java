/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the tests run as root, files are given away; elsewhere everything belongs to one user, and nothing needs to be. */
class OwnershipTest {
    private static final String SOMEBODY = "nobody";

    @TempDir
    private Path directory;

    @Test
    void createdFilesBelongToOwnerOfModel() throws IOException {
        Path model = Files.createDirectory(directory.resolve("model"));
        if (Files.getOwner(model).getName().equals("root")) {
            Files.setOwner(
                    model, model.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(SOMEBODY));
        }
        Path made = Files.createDirectories(directory.resolve("made/within"));
        Path file = Files.writeString(made.resolve("file"), "text");

        FileOwnershipCopier.copyOwner(model, directory.resolve("made"));

        for (Path one : List.of(made.getParent(), made, file)) {
            assertThat(Files.getOwner(one)).isEqualTo(Files.getOwner(model));
            assertThat(Files.getAttribute(one, "unix:gid")).isEqualTo(Files.getAttribute(model, "unix:gid"));
        }
    }

    @Test
    void newDirectoryKeepsModeOfOldDirectory() throws IOException {
        Path old = Files.createDirectory(
                directory.resolve("old"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path made = Files.createDirectory(directory.resolve("made"));
        FileOwnershipCopier.copyMode(old, made);
        assertThat(Files.getPosixFilePermissions(made)).isEqualTo(Files.getPosixFilePermissions(old));
    }
}
