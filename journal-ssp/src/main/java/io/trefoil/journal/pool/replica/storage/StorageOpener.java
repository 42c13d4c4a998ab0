/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import io.trefoil.journal.pool.disk.ReplicaThreads;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Opens a replica's storage outside of turns: reading a long log takes a long time, and queries are answered meanwhile. */
public final class StorageOpener {

    private final ReplicaStorage replica;
    private final ReplicaLock turn;
    private final ReplicaThreads threads;

    public StorageOpener(ReplicaStorage replica, ReplicaLock turn, ReplicaThreads threads) {
        this.replica = replica;
        this.turn = turn;
        this.threads = threads;
    }

    /** Opens the storage for the first time, if there is any; completes when it is open, or has failed. */
    public CompletableFuture<Void> begin() {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        turn.runInTurn(replica::markOpening);
        threads.executeLongTask(() -> {
            try {
                open(replica::open, replica::useOpened, replica::recordOpenFailure);
            } finally {
                opened.complete(null);
            }
        });
        return opened;
    }

    /** Reopens failed storage if it is time to try; within a turn. */
    public void reopenIfDue() {
        if (!replica.tryBeginReopening()) {
            return;
        }
        try {
            threads.executeLongTask(() -> open(replica::reopen, replica::useReopened, replica::recordReopenFailure));
        } catch (OutOfMemoryError e) {
            // Unless this attempt ends, there will be no next one.
            replica.recordReopenFailure(new IOException("No thread could be started to open storage", e));
        }
    }

    /** Reopens failed storage if it is time to try, by taking a turn; if another caller has the turn, that caller does it. */
    public void reopenIfDueAndFree() {
        turn.runIfFree(() -> {
            reopenIfDue();
            return true;
        });
    }

    private void open(
            OpenOperation openOperation, Consumer<Optional<OpenedStorage>> onOpened, Consumer<IOException> onFailure) {
        try {
            Optional<OpenedStorage> storage = openOperation.open();
            turn.runInTurn(() -> onOpened.accept(storage));
        } catch (IOException e) {
            turn.runInTurn(() -> onFailure.accept(e));
        } catch (RuntimeException | Error e) {
            turn.runInTurn(() -> onFailure.accept(new IOException("Opening storage failed unexpectedly", e)));
            throw e;
        }
    }

    /** Opens storage without using it yet. */
    private interface OpenOperation {
        Optional<OpenedStorage> open() throws IOException;
    }
}
