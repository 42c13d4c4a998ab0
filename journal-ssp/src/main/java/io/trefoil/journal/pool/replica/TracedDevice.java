/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Records in a trace each action of a disk once it is done: this was durable, whatever the driver assumes. */
final class TracedDevice implements StorageDevice {

    private final StorageDevice device;
    private final ReplicaTrace trace;

    TracedDevice(StorageDevice device, ReplicaTrace trace) {
        this.device = device;
        this.trace = trace;
    }

    @Override
    public boolean isFormatted() throws IOException {
        return device.isFormatted();
    }

    @Override
    public void format(StorageIdentity identity, LogSummary base, List<Entry> entries) throws IOException {
        device.format(identity, base, entries);
    }

    @Override
    public String moveAside() throws IOException {
        return device.moveAside();
    }

    @Override
    public String startOver(StorageIdentity identity, Promise promise) throws IOException {
        return device.startOver(identity, promise);
    }

    @Override
    public void requireSpace() throws IOException {
        device.requireSpace();
    }

    @Override
    public JournalStorage open() throws IOException {
        return new TracedStorage(device.open(), trace);
    }

    @Override
    public Duration stallTime() {
        return device.stallTime();
    }

    private static final class TracedStorage implements JournalStorage {

        private final JournalStorage storage;
        private final ReplicaTrace trace;

        TracedStorage(JournalStorage storage, ReplicaTrace trace) {
            this.storage = storage;
            this.trace = trace;
        }

        @Override
        public RecoveredJournal recoveredJournal() {
            return storage.recoveredJournal();
        }

        @Override
        public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
            storage.savePromise(promise, completeness);
            trace.recordSavedPromise(promise, completeness);
        }

        @Override
        public void write(List<Entry> entries, long committedSn) throws IOException {
            storage.write(entries, committedSn);
            trace.recordWrite(entries, committedSn);
        }

        @Override
        public void proveWritable() throws IOException {
            storage.proveWritable();
        }

        @Override
        public void sync() throws IOException {
            storage.sync();
            trace.recordSync();
        }

        @Override
        public void markDurable() {
            storage.markDurable();
        }

        @Override
        public void truncate(long lastSn) throws IOException {
            storage.truncate(lastSn);
            trace.recordTruncate(lastSn);
        }

        @Override
        public void rebase(LogSummary base) throws IOException {
            storage.rebase(base);
            trace.recordRebase(base);
        }

        @Override
        public void purge(long firstSn) throws IOException {
            storage.purge(firstSn);
        }

        @Override
        public List<Entry> read(long firstSn, int maxBytes) throws IOException {
            return storage.read(firstSn, maxBytes);
        }

        @Override
        public List<Entry> readFromMemory(long firstSn, int maxBytes) {
            return storage.readFromMemory(firstSn, maxBytes);
        }

        @Override
        public LogSummary base() {
            return storage.base();
        }

        @Override
        public long lastSn() {
            return storage.lastSn();
        }

        @Override
        public void close() throws IOException {
            storage.close();
        }
    }
}
