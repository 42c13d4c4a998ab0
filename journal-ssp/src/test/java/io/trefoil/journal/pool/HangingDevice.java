/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.storage.ForwardingJournalStorage;
import io.trefoil.journal.storage.ForwardingStorageDevice;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** A device that stops to answer for as long as a test wants: a thread that asks it for anything hangs, and no interrupt frees it. */
public final class HangingDevice extends ForwardingStorageDevice {
    private final Object lock = new Object();
    private boolean hangs;
    private int hanging;
    private long hangingSinceNanos;

    public HangingDevice(StorageDevice device) {
        super(device);
    }

    public void hang() {
        synchronized (lock) {
            hangs = true;
        }
    }

    public void resume() {
        synchronized (lock) {
            hangs = false;
            lock.notifyAll();
        }
    }

    /** How many threads hang in it. */
    public int hangingThreadCount() {
        synchronized (lock) {
            return hanging;
        }
    }

    private void blockWhileHanging() {
        boolean interrupted = false;
        synchronized (lock) {
            if (hanging++ == 0) {
                hangingSinceNanos = System.nanoTime();
            }
            while (hangs) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            hanging--;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Duration stallTime() {
        synchronized (lock) {
            return hanging == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - hangingSinceNanos);
        }
    }

    @Override
    public boolean isFormatted() throws IOException {
        blockWhileHanging();
        return super.isFormatted();
    }

    @Override
    public JournalStorage open() throws IOException {
        blockWhileHanging();
        return new HangingStorage(super.open());
    }

    private final class HangingStorage extends ForwardingJournalStorage {
        HangingStorage(JournalStorage storage) {
            super(storage);
        }

        @Override
        public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
            blockWhileHanging();
            super.savePromise(promise, completeness);
        }

        @Override
        public void write(List<Entry> entries, long committedSn) throws IOException {
            blockWhileHanging();
            super.write(entries, committedSn);
        }

        @Override
        public void sync() throws IOException {
            blockWhileHanging();
            super.sync();
        }

        @Override
        public void truncate(long lastSn) throws IOException {
            blockWhileHanging();
            super.truncate(lastSn);
        }

        @Override
        public void rebase(LogSummary base) throws IOException {
            blockWhileHanging();
            super.rebase(base);
        }

        @Override
        public void purge(long firstSn) throws IOException {
            blockWhileHanging();
            super.purge(firstSn);
        }

        @Override
        public List<Entry> readFromMemory(long firstSn, int maxBytes) {
            return Collections.emptyList();
        }

        @Override
        public List<Entry> read(long firstSn, int maxBytes) throws IOException {
            blockWhileHanging();
            return super.read(firstSn, maxBytes);
        }

        @Override
        public void close() throws IOException {
            blockWhileHanging();
            super.close();
        }
    }
}
