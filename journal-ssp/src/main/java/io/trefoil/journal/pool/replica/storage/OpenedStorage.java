/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Storage of a replica that has been opened and read, but is not yet in use. */
final class OpenedStorage {

    private static final Logger LOG = LoggerFactory.getLogger(OpenedStorage.class);

    private final JournalStorage storage;
    private final Promise promise;
    private final SegmentIndex index;

    private OpenedStorage(JournalStorage storage) throws IOException {
        this.storage = storage;
        this.promise = promiseOf(storage);
        this.index = new SegmentIndex(storage.base());
        index.readUpTo(storage.recoveredJournal().committedSummary().position().sn(), storage);
    }

    /** Reads everything committed; empty if there is no storage. */
    static Optional<OpenedStorage> open(StorageDevice device) throws IOException {
        return open(device, false);
    }

    /**
     * Opens storage as {@link #open} does, after a failure. A full disk can be read, but the node must not say that it
     * works before the disk takes entries again.
     */
    static Optional<OpenedStorage> openWritable(StorageDevice device) throws IOException {
        return open(device, true);
    }

    private static Optional<OpenedStorage> open(StorageDevice device, boolean writable) throws IOException {
        if (!device.isFormatted()) {
            return Optional.empty();
        }
        if (writable) {
            device.requireSpace();
        }
        JournalStorage opened = device.open();
        try {
            if (writable) {
                opened.proveWritable();
            }
            return Optional.of(new OpenedStorage(opened));
        } catch (IOException | RuntimeException | Error e) {
            opened.close();
            throw e;
        }
    }

    JournalStorage storage() {
        return storage;
    }

    Promise promise() {
        return promise;
    }

    SegmentIndex index() {
        return index;
    }

    private static Promise promiseOf(JournalStorage storage) throws IOException {
        RecoveredJournal journal = storage.recoveredJournal();
        LogPosition committed = journal.committedSummary().position();
        Epoch written = journal.tail().isEmpty()
                ? committed.epoch()
                : journal.tail().get(journal.tail().size() - 1).epoch();
        if (!journal.promise().epoch().isBelow(written)) {
            return journal.promise();
        }
        // Only a format's entries have an epoch above the promise: no node promised anything for them.
        Promise atLeast = Promise.of(written, WriterId.NOBODY, 0);
        storage.savePromise(atLeast, journal.completeness());
        return atLeast;
    }

    /** Closes storage that will not be used. */
    void closeQuietly() {
        try {
            storage.close();
        } catch (IOException e) {
            LOG.warn("Cannot close unused storage: {}; no action needed", e.toString());
        }
    }
}
