/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A device that forwards everything to another one; subclasses override the methods that differ. */
public abstract class ForwardingStorageDevice implements StorageDevice {

    private final StorageDevice device;

    protected ForwardingStorageDevice(StorageDevice device) {
        this.device = device;
    }

    @Override
    public Duration stallTime() {
        return device.stallTime();
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
        return device.open();
    }
}
