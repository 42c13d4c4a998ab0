/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;

/** A device that syncs now, but has not always done so: see {@link UnsyncedDevice}. */
public final class SyncedDevice extends MarkedDevice {
    public SyncedDevice(StorageDevice device, UnsyncedMark mark) {
        super(device, mark);
    }

    @Override
    JournalStorage opened(JournalStorage storage, UnsyncedMark mark) throws IOException {
        mark.settle();
        return storage;
    }
}
