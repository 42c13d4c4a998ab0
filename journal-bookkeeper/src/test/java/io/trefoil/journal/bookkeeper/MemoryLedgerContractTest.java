/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.JournalContract;
import org.junit.jupiter.api.AfterEach;

/** The contract, kept by the store in ledgers; these are in memory, and so small that each segment changes them. */
class MemoryLedgerContractTest extends JournalContract {
    private final MemoryLedgers ledgers = new MemoryLedgers();
    private final MemoryRecord record = new MemoryRecord();
    private final CuttableProcess[] processes = {process(), process()};

    private CuttableProcess process() {
        return new CuttableProcess(JournalId.of("ns1"), record, ledgers, LedgerLimits.of(300, 500));
    }

    @AfterEach
    void closeAll() {
        for (CuttableProcess process : processes) {
            process.close();
        }
    }

    @Override
    protected Journal journal(int process) {
        return processes[process].journal();
    }

    @Override
    protected void kill(int process) {
        processes[process].cut();
    }

    @Override
    protected int fewReplicas() {
        return 1;
    }
}
