/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;

/** A device that syncs now, but may not always have done so: see {@link UnsyncedDevice}. */
public final class SyncedDevice extends MarkedDevice {
    public SyncedDevice(StorageDevice device, UnsyncedMark mark) {
        super(device, mark);
    }

    @Override
    JournalStorage applyMark(JournalStorage storage, UnsyncedMark mark) throws IOException {
        mark.syncAndRemove();
        return storage;
    }
}
