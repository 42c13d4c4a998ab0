/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import io.trefoil.journal.storage.ForwardingStorageDevice;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;

/** A device whose storage becomes invalid after a reboot of this machine, unless its mark was removed beforehand (rule R8). */
abstract class MarkedDevice extends ForwardingStorageDevice {
    private final UnsyncedMark mark;

    MarkedDevice(StorageDevice device, UnsyncedMark mark) {
        super(device);
        this.mark = mark;
    }

    @Override
    public final boolean isFormatted() throws IOException {
        return super.isFormatted() && !mark.isFromEarlierBoot();
    }

    @Override
    public final JournalStorage open() throws IOException {
        JournalStorage storage = super.open();
        try {
            return applyMark(storage, mark);
        } catch (IOException | RuntimeException | Error e) {
            storage.close();
            throw e;
        }
    }

    /** Sets or removes the mark before the storage is used; if that fails, the storage is closed. */
    abstract JournalStorage applyMark(JournalStorage storage, UnsyncedMark mark) throws IOException;
}
