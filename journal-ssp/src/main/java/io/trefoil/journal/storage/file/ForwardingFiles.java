/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A file layer that wraps another one and intercepts each call to it, to its files and to its locks, except the query
 * for free space.
 */
public abstract class ForwardingFiles implements FileLayer {

    /** The kind of work that a call does on the disk. */
    protected enum OperationKind {
        /** Reads something, or opens or locks a file; changes nothing. */
        LOOK,
        /** Adds or changes something. */
        CHANGE,
        /** Deletes something, which works even on a full disk. */
        DELETE,
        /** Makes changes durable. */
        SYNC,
        /** Closes a file or lock. */
        CLOSE
    }

    /** A call that has a result. */
    protected interface Call<T> {
        /** @throws IOException as the call of the layer, file or lock */
        T run() throws IOException;
    }

    private interface VoidCall {
        void run() throws IOException;
    }

    private final FileLayer files;

    protected ForwardingFiles(FileLayer files) {
        this.files = files;
    }

    /**
     * Makes the call, or skips it.
     *
     * @throws IOException that of the call, or one instead
     */
    protected abstract <T> T intercept(OperationKind operation, Call<T> call) throws IOException;

    private void report(OperationKind operation, VoidCall order) throws IOException {
        intercept(operation, () -> {
            order.run();
            return true;
        });
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return intercept(OperationKind.LOOK, () -> files.exists(path));
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return intercept(OperationKind.LOOK, () -> files.list(directory));
    }

    /** Never fails, so it is not intercepted. */
    @Override
    public long usableBytes(Path directory) {
        return files.usableBytes(directory);
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new Handle(intercept(OperationKind.LOOK, () -> files.open(file)));
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        return new Handle(intercept(OperationKind.CHANGE, () -> files.create(file)));
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        report(OperationKind.CHANGE, () -> files.createDirectories(directory));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        report(OperationKind.CHANGE, () -> files.rename(from, to));
    }

    @Override
    public void delete(Path file) throws IOException {
        report(OperationKind.DELETE, () -> files.delete(file));
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        report(OperationKind.DELETE, () -> files.deleteTree(directory));
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        report(OperationKind.SYNC, () -> files.forceDirectory(directory));
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        Closeable lock = intercept(OperationKind.LOOK, () -> files.lock(file));
        return () -> report(OperationKind.CLOSE, lock::close);
    }

    private final class Handle implements OpenFile {
        private final OpenFile file;

        Handle(OpenFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return intercept(OperationKind.LOOK, file::size);
        }

        @Override
        public void read(ByteBuffer buffer, long position) throws IOException {
            report(OperationKind.LOOK, () -> file.read(buffer, position));
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            report(OperationKind.CHANGE, () -> file.write(from, position));
        }

        @Override
        public void force() throws IOException {
            report(OperationKind.SYNC, file::force);
        }

        @Override
        public void close() throws IOException {
            report(OperationKind.CLOSE, file::close);
        }
    }
}
