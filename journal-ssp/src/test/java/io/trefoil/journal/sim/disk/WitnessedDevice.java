/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.storage.ForwardingJournalStorage;
import io.trefoil.journal.storage.ForwardingStorageDevice;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageIdentity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reports what really happens to a disk, whatever its node believes. */
public final class WitnessedDevice extends ForwardingStorageDevice {

    private final NodeAddress address;
    private final Consumer<Fact> witness;

    public WitnessedDevice(NodeAddress address, StorageDevice device, Consumer<Fact> witness) {
        super(device);
        this.address = address;
        this.witness = witness;
    }

    @Override
    public void format(StorageIdentity identity, LogSummary base, List<Entry> entries) throws IOException {
        boolean done = false;
        try {
            super.format(identity, base, entries);
            done = true;
        } finally {
            // An interrupted format left all of it or what was there before: the next opening tells.
            witness.accept(
                    done
                            ? new Fact.Formatted(address, identity.node(), base, entries)
                            : new Fact.FormatCutShort(address, identity.node(), base, entries));
        }
    }

    @Override
    public String moveAside() throws IOException {
        boolean before = isFormatted();
        try {
            return super.moveAside();
        } finally {
            if (before && !isFormatted()) {
                witness.accept(new Fact.StorageRemoved(address));
            }
        }
    }

    @Override
    public JournalStorage open() throws IOException {
        JournalStorage storage = super.open();
        RecoveredJournal found = storage.recoveredJournal();
        LogSummary base = storage.base();
        List<Entry> log = new ArrayList<>();
        // The simulated disk returns any number of entries at once; a fault in this read counts as one in the opening.
        try {
            log.addAll(storage.read(base.position().sn() + 1, Integer.MAX_VALUE));
        } catch (IOException | Error e) {
            storage.close();
            throw e;
        }
        witness.accept(new Fact.Opened(
                address, found.identity().node(), found.promise(), found.completeness(), base, List.copyOf(log)));
        return new WitnessedStorage(storage);
    }

    private final class WitnessedStorage extends ForwardingJournalStorage {
        private Promise newestPromise;
        private LogCompleteness newestCompleteness;

        private WitnessedStorage(JournalStorage storage) {
            super(storage);
            newestPromise = storage.recoveredJournal().promise();
            newestCompleteness = storage.recoveredJournal().completeness();
        }

        @Override
        public void savePromise(Promise promise, LogCompleteness completeness) throws IOException {
            super.savePromise(promise, completeness);
            newestPromise = promise;
            newestCompleteness = completeness;
            // A promise becomes durable after everything written before it.
            witness.accept(new Fact.Synced(address));
            witness.accept(
                    new Fact.PromiseSaved(address, recoveredJournal().identity().node(), promise, completeness));
        }

        @Override
        public void proveWritable() throws IOException {
            // This happens through a promise, and every saved promise is reported.
            savePromise(newestPromise, newestCompleteness);
        }

        @Override
        public void write(List<Entry> entries, long committedSn) throws IOException {
            super.write(entries, committedSn);
            witness.accept(new Fact.Written(address, entries));
        }

        @Override
        public void sync() throws IOException {
            super.sync();
            witness.accept(new Fact.Synced(address));
        }

        @Override
        public void truncate(long lastSn) throws IOException {
            super.truncate(lastSn);
            witness.accept(new Fact.Cut(address, lastSn));
        }

        @Override
        public void rebase(LogSummary base) throws IOException {
            super.rebase(base);
            witness.accept(new Fact.Rebased(address, base));
        }

        @Override
        public void purge(long firstSn) throws IOException {
            super.purge(firstSn);
            witness.accept(new Fact.Purged(address, base()));
        }
    }
}
