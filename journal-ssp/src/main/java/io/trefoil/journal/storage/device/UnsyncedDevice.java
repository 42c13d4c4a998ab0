/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.ForwardingJournalStorage;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;

/**
 * A device that hands entries to the operating system without syncing them ({@code trefoil.journal.fsync=false}): they
 * survive a crash of the process, but not of the machine. Promises, and changes to the structure of the log, are synced
 * as usual, together with all entries before.
 *
 * <p>What was written before a reboot of this machine is no longer this node's storage (rule R8), unless it was closed
 * cleanly; the next format moves it aside.
 */
public final class UnsyncedDevice extends MarkedDevice {
    public UnsyncedDevice(StorageDevice device, UnsyncedMark mark) {
        super(device, mark);
    }

    @Override
    JournalStorage applyMark(JournalStorage storage, UnsyncedMark mark) throws IOException {
        mark.create();
        return new UnsyncedStorage(storage, mark);
    }

    /** Does not sync after a group of entries. */
    private static final class UnsyncedStorage extends ForwardingJournalStorage {
        private final UnsyncedMark mark;

        UnsyncedStorage(JournalStorage storage, UnsyncedMark mark) {
            super(storage);
            this.mark = mark;
        }

        @Override
        public void sync() {
            // No sync: that is the point of this class.
        }

        @Override
        public void markDurable() {
            // Without syncs, it is not known what is durable.
        }

        /** Syncs everything before it closes, so that after a clean close the next boot invalidates nothing. */
        @Override
        public void close() throws IOException {
            try {
                super.sync();
                mark.syncAndRemove();
            } finally {
                super.close();
            }
        }
    }
}
