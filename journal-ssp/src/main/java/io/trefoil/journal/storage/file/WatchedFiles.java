/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * Another file layer, each single call of which is watched: a disk that answers one call after the other is at work, however long all of
 * them take together; one that leaves a single call without an answer hangs, in whatever it was called.
 */
public final class WatchedFiles implements FileLayer {

    private final FileLayer files;
    private final DiskWatch watch;

    public WatchedFiles(FileLayer files, DiskWatch watch) {
        this.files = files;
        this.watch = watch;
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return asking(() -> files.exists(path));
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return asking(() -> files.list(directory));
    }

    @Override
    public long usableBytes(Path directory) {
        try (DiskWatch.Call call = watch.begin()) {
            return files.usableBytes(directory);
        }
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new WatchedFile(asking(() -> files.open(file)));
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        return new WatchedFile(asking(() -> files.create(file)));
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        telling(() -> files.createDirectories(directory));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        telling(() -> files.rename(from, to));
    }

    @Override
    public void delete(Path file) throws IOException {
        telling(() -> files.delete(file));
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        telling(() -> files.deleteTree(directory));
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        telling(() -> files.forceDirectory(directory));
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        Closeable lock = asking(() -> files.lock(file));
        return () -> telling(lock::close);
    }

    private <T> T asking(Question<T> question) throws IOException {
        try (DiskWatch.Call call = watch.begin()) {
            return question.ask();
        }
    }

    private void telling(Order order) throws IOException {
        try (DiskWatch.Call call = watch.begin()) {
            order.tell();
        }
    }

    private interface Question<T> {
        T ask() throws IOException;
    }

    private interface Order {
        void tell() throws IOException;
    }

    private final class WatchedFile implements OpenFile {
        private final OpenFile file;

        private WatchedFile(OpenFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return asking(file::size);
        }

        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            telling(() -> file.read(into, position));
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            telling(() -> file.write(from, position));
        }

        @Override
        public void force() throws IOException {
            telling(file::force);
        }

        @Override
        public void close() throws IOException {
            telling(file::close);
        }
    }
}
