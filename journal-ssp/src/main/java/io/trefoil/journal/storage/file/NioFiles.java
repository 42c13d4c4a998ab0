/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import io.trefoil.foundation.PrivateFiles;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** The file system of this machine. */
public final class NioFiles implements FileLayer {

    @Override
    public boolean exists(Path path) {
        return Files.exists(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(directory)) {
            for (Path path : paths) {
                names.add(path.getFileName().toString());
            }
        }
        return names;
    }

    @Override
    public long usableBytes(Path directory) {
        // Not Files.getFileStore, which looks at every mount there is.
        File file = directory.toFile();
        return file.getTotalSpace() == 0 ? Long.MAX_VALUE : file.getUsableSpace();
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new NioFile(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        return new NioFile(
                file,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IOException("There is no directory above " + directory);
        }
        createDirectories(parent);
        PrivateFiles.createDirectory(directory);
        forceDirectory(parent);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.delete(file);
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        UninterruptibleIo.sync(() -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        });
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(directory)) {
            PrivateFiles.createOrRestrictDirectory(directory);
        }
        return DirectoryLock.acquire(file);
    }
}
