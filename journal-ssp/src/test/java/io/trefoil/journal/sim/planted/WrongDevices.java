/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.planted;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.storage.ForwardingJournalStorage;
import io.trefoil.journal.storage.ForwardingStorageDevice;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;

/** Disks that do not do what they are told, which the simulator must notice. */
public final class WrongDevices {

    private WrongDevices() {}

    /** A disk with a wrapper around its open storage. */
    private static StorageDevice wrap(StorageDevice device, UnaryOperator<JournalStorage> wrong) {
        return new ForwardingStorageDevice(device) {
            @Override
            public JournalStorage open() throws IOException {
                return wrong.apply(super.open());
            }
        };
    }

    /** Reports a sync that it did not do. */
    static StorageDevice skipSyncs(StorageDevice device) {
        return wrap(device, storage -> new ForwardingJournalStorage(storage) {
            @Override
            public void sync() {}
        });
    }

    /** Does not save promises. */
    static StorageDevice losePromises(StorageDevice device) {
        return wrap(device, storage -> new ForwardingJournalStorage(storage) {
            @Override
            public void savePromise(Promise promise, LogCompleteness completeness) {}
        });
    }

    /** Cuts more than it is asked to. */
    static StorageDevice truncateTooMuch(StorageDevice device) {
        return wrap(device, storage -> new ForwardingJournalStorage(storage) {
            @Override
            public void truncate(long lastSn) throws IOException {
                super.truncate(Math.max(base().position().sn(), lastSn - 8));
            }
        });
    }

    /** Purges everything that it was told is committed. */
    static StorageDevice purgeTooMuch(StorageDevice device) {
        return wrap(device, storage -> new ForwardingJournalStorage(storage) {
            private long committedSn =
                    recoveredJournal().committedSummary().position().sn();

            @Override
            public void write(List<Entry> entries, long toldSn) throws IOException {
                super.write(entries, toldSn);
                committedSn = toldSn;
            }

            @Override
            public void purge(long firstSn) throws IOException {
                super.purge(Math.max(firstSn, committedSn));
            }
        });
    }

    /** Finds damage and does not report it. */
    public static StorageDevice hideDamage(StorageDevice device) {
        return wrap(device, storage -> new ForwardingJournalStorage(storage) {
            @Override
            public RecoveredJournal recoveredJournal() {
                RecoveredJournal found = super.recoveredJournal();
                return RecoveredJournal.of(
                        found.identity(),
                        found.promise(),
                        LogCompleteness.COMPLETE,
                        found.committedSummary(),
                        found.tail());
            }
        });
    }

    /** Sometimes writes other entries than it is given. */
    static StorageDevice falsifyEntries(StorageDevice device) {
        return wrap(device, storage -> new ForwardingJournalStorage(storage) {
            @Override
            public void write(List<Entry> entries, long committedSn) throws IOException {
                super.write(entries.stream().map(WrongDevices::falsify).toList(), committedSn);
            }
        });
    }

    private static Entry falsify(Entry entry) {
        return entry.kind() == EntryKind.EDITS && entry.sn() % 5 == 0
                ? Entry.of(entry.position(), entry.kind(), entry.txIds(), Bytes.ofUtf8("something else"))
                : entry;
    }
}
