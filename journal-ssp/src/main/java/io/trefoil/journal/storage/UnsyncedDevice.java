/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import java.io.IOException;
import java.util.List;

/**
 * A device whose entries are handed to the operating system and not waited for ({@code dfs.ssp.fsync=false}): they survive
 * the end of the process, and not that of the machine. Promises, and whatever changes the form of the log, are synced as
 * ever, and with them all entries before.
 */
public final class UnsyncedDevice implements StorageDevice {

    private final StorageDevice device;

    public UnsyncedDevice(StorageDevice device) {
        this.device = device;
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
    public JournalStorage open() throws IOException {
        return new Unsynced(device.open());
    }

    /** Waits for nothing after a group of entries. */
    private static final class Unsynced extends ForwardingJournalStorage {

        Unsynced(JournalStorage storage) {
            super(storage);
        }

        @Override
        public void sync() {
            // Not waited for: that is the point.
        }
    }
}
