/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import java.io.IOException;

/**
 * A device whose entries are handed to the operating system and not waited for ({@code dfs.ssp.fsync=false}): they survive
 * the end of the process, and not that of the machine. Promises, and whatever changes the form of the log, are synced as
 * ever, and with them all entries before.
 */
public final class UnsyncedDevice extends ForwardingStorageDevice {

    public UnsyncedDevice(StorageDevice device) {
        super(device);
    }

    @Override
    public JournalStorage open() throws IOException {
        return new Unsynced(super.open());
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

        @Override
        public void noteDurable() {
            // Nobody knows.
        }
    }
}
