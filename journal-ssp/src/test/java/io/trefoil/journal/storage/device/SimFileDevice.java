/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.ForwardingFiles;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.file.SimFiles;
import io.trefoil.journal.storage.log.LogDirectory;
import io.trefoil.journal.storage.log.SimLogFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;

/**
 * The real files of a journal on a simulated file system, as one process sees them: each sync takes its time, and once the
 * process is dead nothing of what it was about to do gets to the disk.
 */
public final class SimFileDevice {

    /** Lets time pass while a disk works. */
    public interface Working {
        void onSync();
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
    public StorageDevice unsyncedDevice(StorageSizes sizes, Random random) {
        return new UnsyncedDevice(device(sizes, random), new UnsyncedMark(DIRECTORY, new Layer(), "boot"));
    }

    /** Of the storage that is there; empty if there is none. */
    public static Optional<Incarnation> incarnation(SimFiles files) {
        try {
            return files.exists(DIRECTORY.resolve(IdentityFile.NAME))
                    ? Optional.of(new IdentityFile(files, DIRECTORY).read().incarnation())
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The log of the storage that is there, as it lies on the disk; empty if there is none. */
    public static Optional<SimLogFiles> log(SimFiles files) {
        return files.exists(DIRECTORY.resolve(IdentityFile.NAME))
                ? Optional.of(SimLogFiles.of(files, DIRECTORY, notedSn(files)))
                : Optional.empty();
    }

    private static long notedSn(SimFiles files) {
        Path mark = DIRECTORY.resolve(DurableMark.NAME);
        try (OpenFile file = files.exists(mark) ? files.open(mark) : null) {
            return file != null && files.isDurable(mark, 0, (int) file.size())
                    ? DurableMark.of(new LogDirectory(files, DIRECTORY, () -> 0))
                            .sn()
                    : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The process is no more. */
    public void die() {
        dead = true;
    }

    private void checkAlive() throws IOException {
        if (dead) {
            throw new IOException("The process is dead (simulated)");
        }
    }

    private final class Layer extends ForwardingFiles {

        Layer() {
            super(files);
        }

        @Override
        protected <T> T intercept(OperationKind operation, Call<T> call) throws IOException {
            if (operation != OperationKind.CLOSE) {
                checkAlive();
            }
            if (operation == OperationKind.SYNC) {
                working.onSync();
                checkAlive();
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
