/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;

/**
 * Gives files the owner of other files, as a NameNode could neither read nor lock files that a command creates as root. Changes
 * nothing where the owner is already right, so root is not needed there; and nothing on a file system without owners.
 */
public final class FileOwnershipCopier {

    private FileOwnershipCopier() {}

    /**
     * Gives a file, or a directory with all its content, to the owner and the group of another one.
     *
     * @throws IOException if a file has another owner and cannot be handed over
     */
    public static void copyOwner(Path model, Path root) throws IOException {
        PosixFileAttributeView view = view(model);
        if (view == null) {
            return;
        }
        PosixFileAttributes attributes = view.readAttributes();
        Files.walkFileTree(root, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes ignored) throws IOException {
                setOwner(directory, attributes);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes ignored) throws IOException {
                setOwner(file, attributes);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Gives a file the permissions of another one. */
    static void copyMode(Path model, Path file) throws IOException {
        PosixFileAttributeView view = view(model);
        if (view != null) {
            view(file).setPermissions(view.readAttributes().permissions());
        }
    }

    private static PosixFileAttributeView view(Path file) {
        return Files.getFileAttributeView(file, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static void setOwner(Path file, PosixFileAttributes attributes) throws IOException {
        PosixFileAttributeView view = view(file);
        PosixFileAttributes found = view.readAttributes();
        if (!found.owner().equals(attributes.owner())) {
            view.setOwner(attributes.owner());
        }
        if (!found.group().equals(attributes.group())) {
            view.setGroup(attributes.group());
        }
    }
}
