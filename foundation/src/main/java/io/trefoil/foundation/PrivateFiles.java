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
 * Makes files and directories that only their owner may use, whatever the umask: edits and images hold the keys of
 * all delegation tokens, so a user who can read them can become any user. On a file system without POSIX permissions
 * the files are like any others. For any thread; waits for the disk.
 */
public final class PrivateFiles {

    private static final Set<PosixFilePermission> DIRECTORY_PERMISSIONS = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE_PERMISSIONS = PosixFilePermissions.fromString("rw-------");

    private PrivateFiles() {}

    /** Makes a directory unless it exists; an existing one stays as it is. Missing parents get the permissions of the umask. */
    public static void createDirectory(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath();
        if (Files.isDirectory(absolute)) {
            return;
        }
        Path parent = absolute.getParent();
        Files.createDirectories(parent);
        try {
            Files.createDirectory(absolute, attributes(parent, DIRECTORY_PERMISSIONS));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(absolute)) {
                throw e;
            }
        }
    }

    /**
     * Makes a directory, or restricts an existing one to its owner: an earlier release may have made it open to others.
     *
     * @throws IOException if it cannot be made, or is open to others and belongs to another user
     */
    public static void createOrRestrictDirectory(Path directory) throws IOException {
        createDirectory(directory);
        PosixFileAttributeView view = Files.getFileAttributeView(directory, PosixFileAttributeView.class);
        if (view != null
                && !DIRECTORY_PERMISSIONS.containsAll(view.readAttributes().permissions())) {
            view.setPermissions(DIRECTORY_PERMISSIONS);
        }
    }

    /** Makes an empty file, replacing any that exists. */
    public static void createFile(Path file) throws IOException {
        Files.deleteIfExists(file);
        Files.createFile(file, attributes(file.toAbsolutePath().getParent(), FILE_PERMISSIONS));
    }

    private static FileAttribute<?>[] attributes(Path directory, Set<PosixFilePermission> permissions) {
        boolean has =
                Files.getFileAttributeView(directory, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS) != null;
        return has
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }
}
