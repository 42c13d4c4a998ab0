/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept by three pool nodes; the third one is in no writer's process. */
class PoolJournalContractTest extends JournalContract {
    private final ThreePoolNodes pool = new ThreePoolNodes() {};

    @BeforeEach
    void startNodes(@TempDir Path directory) throws Exception {
        pool.directory = directory;
        pool.chooseAddresses();
        pool.startAll();
    }

    @AfterEach
    void stopNodes() throws Exception {
        pool.stopAll();
    }

    @Override
    protected Journal journal(int process) {
        return pool.journals[process];
    }

    @Override
    protected void kill(int process) throws Exception {
        pool.stop(process);
    }

    @Override
    protected int fewReplicas() {
        return 2;
    }
}
