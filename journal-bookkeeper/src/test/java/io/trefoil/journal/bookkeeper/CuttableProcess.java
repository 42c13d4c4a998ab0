/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.StoreStatus;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** One process with a journal, which can be cut off from its stores: to all others it is dead then. */
final class CuttableProcess implements AutoCloseable {
    private final LedgerStore ledgers;
    private final RecordStore records;
    private final LedgerJournal journal;
    private volatile boolean isCut;
    private volatile boolean isRecordCut;
    private volatile boolean failsRecoveries;
    private volatile boolean areLedgersCut;
    private volatile boolean diesBeforeRecording;

    CuttableProcess(JournalId id, RecordStore records, LedgerStore ledgers, LedgerLimits limits) {
        this.ledgers = ledgers;
        this.records = records;
        this.journal = new LedgerJournal(id, new Records(), new Ledgers(), limits);
    }

    LedgerJournal journal() {
        return journal;
    }

    void cut() {
        isCut = true;
    }

    /** Only ZooKeeper is out of reach. */
    void cutRecord() {
        isRecordCut = true;
    }

    /** It is cut off as soon as it has created another ledger. */
    void dieBeforeRecording() {
        diesBeforeRecording = true;
    }

    /** Its ledgers can be written and read, but not recovered. */
    void failRecoveries() {
        failsRecoveries = true;
    }

    /** All ledgers are out of reach. */
    void cutLedgers() {
        areLedgersCut = true;
    }

    private void requireConnected() throws IOException {
        if (isCut) {
            throw new IOException("cut off");
        }
    }

    private void requireRecord() throws IOException {
        if (isCut || isRecordCut) {
            throw new IOException("cut off");
        }
    }

    @Override
    public void close() {
        journal.close();
    }

    /** The record as this process reaches it. */
    private final class Records implements RecordStore {
        @Override
        public Optional<VersionedLog> read() throws IOException {
            requireRecord();
            return records.read();
        }

        @Override
        public boolean compareAndSet(Optional<VersionedLog> expected, LedgerLog next) throws IOException {
            requireRecord();
            return records.compareAndSet(expected, next);
        }

        @Override
        public void close() {
            records.close();
        }
    }

    /** The ledgers as this process reaches them. */
    private final class Ledgers implements LedgerStore {
        @Override
        public WritableLedger create(Incarnation owner) throws IOException {
            requireConnected();
            WritableLedger made = ledgers.create(owner);
            if (diesBeforeRecording) {
                cut();
            }
            return new WritableLedger() {
                @Override
                public long id() {
                    return made.id();
                }

                @Override
                public CompletableFuture<Void> add(byte[] entry) {
                    if (!isCut) {
                        return made.add(entry);
                    }
                    // Neither an answer nor a failure: what is sent into a cut network.
                    return new CompletableFuture<>();
                }

                @Override
                public void close() throws IOException {
                    requireConnected();
                    made.close();
                }
            };
        }

        @Override
        public List<Long> find(Incarnation owner, long above, long below) throws IOException {
            requireConnected();
            return ledgers.find(owner, above, below);
        }

        @Override
        public List<String> availableBookies() throws IOException {
            requireConnected();
            return ledgers.availableBookies();
        }

        @Override
        public StoreStatus.Ledger describe(LedgerSpan ledger) throws IOException {
            requireConnected();
            return ledgers.describe(ledger);
        }

        @Override
        public ReadableLedger recover(long ledger) throws IOException {
            requireConnected();
            if (failsRecoveries || areLedgersCut) {
                throw new IOException("no bookie answers");
            }
            return ledgers.recover(ledger);
        }

        @Override
        public ReadableLedger open(long ledger) throws IOException {
            requireConnected();
            if (areLedgersCut) {
                throw new IOException("no bookie answers");
            }
            return ledgers.open(ledger);
        }

        @Override
        public void delete(long ledger) throws IOException {
            requireConnected();
            ledgers.delete(ledger);
        }

        @Override
        public void close() {
            // All processes of a test class share it: a client of BookKeeper ends slowly.
        }
    }
}
