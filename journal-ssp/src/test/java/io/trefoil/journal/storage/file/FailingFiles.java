/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** The file system of the machine, or another one, which refuses to change anything while it is told so. */
public class FailingFiles implements FileLayer {

    private final FileLayer files;
    private volatile boolean failing;

    public FailingFiles() {
        this(new NioFiles());
    }

    public FailingFiles(FileLayer files) {
        this.files = files;
    }

    public void fail(boolean nextAndLater) {
        failing = nextAndLater;
    }

    private void check() throws IOException {
        if (failing) {
            throw new IOException("No space left on device (told so)");
        }
    }

    @Override
    public boolean exists(Path path) throws IOException {
        return files.exists(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public long usableBytes(Path directory) {
        return files.usableBytes(directory);
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new Checked(files.open(file));
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        check();
        return new Checked(files.create(file));
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        check();
        files.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        check();
        files.rename(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        files.delete(file);
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        files.deleteTree(directory);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        check();
        files.forceDirectory(directory);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return files.lock(file);
    }

    private final class Checked implements OpenFile {
        private final OpenFile file;

        private Checked(OpenFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            file.read(into, position);
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            check();
            file.write(from, position);
        }

        @Override
        public void force() throws IOException {
            check();
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
