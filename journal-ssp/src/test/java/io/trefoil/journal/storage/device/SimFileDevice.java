/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.file.SimFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * The real files of a journal on a simulated file system, as one process sees them: each sync takes its time, and once the
 * process is dead nothing of what it was about to do gets to the disk.
 */
public final class SimFileDevice {

    /** Lets time pass while a disk works. */
    public interface Working {
        void syncs();
    }

    private static final Path DIRECTORY = Path.of("/pool/journal");

    private final SimFiles files;
    private final Working working;
    private boolean dead;

    public SimFileDevice(SimFiles files, Working working) {
        this.files = files;
        this.working = working;
    }

    public StorageDevice device(StorageSizes sizes, Random random) {
        // Its calls take no time; a clock of the machine would give one seed several histories.
        return new FileStorageDevice(DIRECTORY, sizes, new Layer(), Runnable::run, random::nextInt, () -> 0);
    }

    /** One that is not synced ({@code dfs.ssp.fsync=false}); the machine below is never started anew. */
    public StorageDevice unsynced(StorageSizes sizes, Random random) {
        return new UnsyncedDevice(device(sizes, random), new UnsyncedMark(DIRECTORY, new Layer(), "boot"));
    }

    /** The process is no more. */
    public void die() {
        dead = true;
    }

    private void alive() throws IOException {
        if (dead) {
            throw new IOException("The process is dead (simulated)");
        }
    }

    private void sync() throws IOException {
        alive();
        working.syncs();
        alive();
    }

    private final class Layer implements FileLayer {

        @Override
        public boolean exists(Path path) throws IOException {
            alive();
            return files.exists(path);
        }

        @Override
        public List<String> list(Path directory) throws IOException {
            alive();
            return files.list(directory);
        }

        @Override
        public long usableBytes(Path directory) {
            return files.usableBytes(directory);
        }

        @Override
        public OpenFile open(Path file) throws IOException {
            alive();
            return new Handle(files.open(file));
        }

        @Override
        public OpenFile create(Path file) throws IOException {
            alive();
            return new Handle(files.create(file));
        }

        @Override
        public void createDirectories(Path directory) throws IOException {
            alive();
            files.createDirectories(directory);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            alive();
            files.rename(from, to);
        }

        @Override
        public void delete(Path file) throws IOException {
            alive();
            files.delete(file);
        }

        @Override
        public void deleteTree(Path directory) throws IOException {
            alive();
            files.deleteTree(directory);
        }

        @Override
        public void forceDirectory(Path directory) throws IOException {
            sync();
            files.forceDirectory(directory);
        }

        @Override
        public Closeable lock(Path file) throws IOException {
            alive();
            Closeable lock = files.lock(file);
            return () -> {
                if (!dead) {
                    lock.close();
                }
            };
        }
    }

    private final class Handle implements OpenFile {
        private final OpenFile file;

        Handle(OpenFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            alive();
            file.read(into, position);
        }

        @Override
        public void write(ByteBuffer from, long position) throws IOException {
            alive();
            file.write(from, position);
        }

        @Override
        public void force() throws IOException {
            sync();
            file.force();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
