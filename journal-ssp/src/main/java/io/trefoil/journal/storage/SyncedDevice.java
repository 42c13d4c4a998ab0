/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import java.io.IOException;

/** A device that syncs, and has not always done so: see {@link UnsyncedDevice}. */
public final class SyncedDevice extends ForwardingStorageDevice {
    private final UnsyncedMark mark;

    public SyncedDevice(StorageDevice device, UnsyncedMark mark) {
        super(device);
        this.mark = mark;
    }

    @Override
    public boolean isFormatted() throws IOException {
        return super.isFormatted() && !mark.isOfAnotherBoot();
    }

    @Override
    public JournalStorage open() throws IOException {
        JournalStorage storage = super.open();
        try {
            mark.settle();
            return storage;
        } catch (IOException | RuntimeException | Error e) {
            storage.close();
            throw e;
        }
    }
}
