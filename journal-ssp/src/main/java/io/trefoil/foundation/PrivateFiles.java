/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Makes files and directories that only their owner may use, whatever the umask says: edits and images hold the keys of all delegation
 * tokens, so that whoever may read them can become any user. On a file system without such permissions they are as all others. For any
 * thread; waits for the disk.
 */
public final class PrivateFiles {

    private static final Set<PosixFilePermission> OF_DIRECTORIES = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OF_FILES = PosixFilePermissions.fromString("rw-------");

    private PrivateFiles() {}

    /** Makes a directory unless it is there, and what is missing above it as the umask says. One that is there stays as it is. */
    public static void createDirectory(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            return;
        }
        Path parent = absolute.getParent();
        Files.createDirectories(parent);
        try {
            Files.createDirectory(absolute, attributes(parent, OF_DIRECTORIES));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(absolute)) {
                throw e;
            }
        }
    }

    /**
     * Makes a directory, or takes from everybody but its owner what they may do with one that is there: one of an earlier release, perhaps.
     *
     * @throws IOException if it cannot be made, or is not the user's own and lets others in
     */
    public static void createOrCloseDirectory(Path directory) throws IOException {
        createDirectory(directory);
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view != null && !OF_DIRECTORIES.containsAll(view.readAttributes().permissions())) {
            view.setPermissions(OF_DIRECTORIES);
        }
    }

    /** Makes an empty file in the place of one that may be there. */
    public static void createFile(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, attributes(file.toAbsolutePath().getParent(), OF_FILES));
    }

    private static FileAttribute<?>[] attributes(Path directory, Set<PosixFilePermission> permissions) {
        boolean has =
                Files.getFileAttributeView(directory, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS) != null;
        return has
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
