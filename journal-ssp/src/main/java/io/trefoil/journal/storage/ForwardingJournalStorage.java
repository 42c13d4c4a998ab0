/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import java.io.IOException;
import java.util.List;

/** Storage that forwards everything to another one; subclasses override the methods that differ. */
public abstract class ForwardingJournalStorage implements JournalStorage {

    private final JournalStorage storage;

    protected ForwardingJournalStorage(JournalStorage storage) {
        this.storage = storage;
    }

    @Override
    public RecoveredJournal recoveredJournal() {
        return storage.recoveredJournal();
    }

    @Override
    public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
        storage.savePromise(promise, completeness);
    }

    @Override
    public void write(List<Entry> entries, long committedSn) throws IOException {
        storage.write(entries, committedSn);
    }

    @Override
    public void sync() throws IOException {
        storage.sync();
    }

    @Override
    public void markDurable() {
        storage.markDurable();
    }

    @Override
    public void proveWritable() throws IOException {
        storage.proveWritable();
    }

    @Override
    public void truncate(long lastSn) throws IOException {
        storage.truncate(lastSn);
    }

    @Override
    public void rebase(LogSummary base) throws IOException {
        storage.rebase(base);
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
