/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.ForwardingFiles;
import io.trefoil.journal.storage.file.SimFiles;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
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

    /** One that is not synced ({@code trefoil.journal.fsync=false}); the machine below is never started anew. */
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

    private final class Layer extends ForwardingFiles {

        Layer() {
            super(files);
        }

        @Override
        protected <T> T around(Work work, Call<T> call) throws IOException {
            if (work != Work.CLOSE) {
                alive();
            }
            if (work == Work.SYNC) {
                working.syncs();
                alive();
            }
            return call.run();
        }

        /** Of a process that is dead, the machine has taken it already, and may have given it to another one. */
        @Override
        public Closeable lock(Path file) throws IOException {
            Closeable lock = super.lock(file);
            return () -> {
                if (!dead) {
                    lock.close();
                }
            };
        }
    }
}
