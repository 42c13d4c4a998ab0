/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import java.util.function.LongSupplier;

/**
 * Whether a replica's storage can be used, why not, and when it is reopened. The owner is the thread that has the
 * {@link ReplicaLock}; methods documented for any thread need no turn.
 */
final class StorageHealth {

    private static final String FAILED = "storage failed";
    private static final String OPENING = "storage is being opened";
    private static final String CLOSED = "this node is closed";

    private final LongSupplier nanoTime;
    private final ReopenSchedule reopening = new ReopenSchedule();
    private volatile StorageStage stage = StorageStage.EMPTY;
    private volatile String failure = "";

    StorageHealth(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The stage it is in; for any thread. */
    StorageStage stage() {
        return stage;
    }

    /** Why the storage cannot be used at present; empty if it works, or if there is none yet. For any thread. */
    String failure() {
        return failure;
    }

    /**
     * Whether there may be storage that cannot be used; not after closing, since the view then shows what there was.
     * For any thread.
     */
    boolean isUnusable() {
        return stage != StorageStage.CLOSED && !failure.isEmpty();
    }

    /** The first opening begins. */
    void opening() {
        enter(StorageStage.OPENING);
        reopening.underWay();
        failure = OPENING;
    }

    void openingEnded() {
        reopening.finish();
    }

    void openingEndedInVain() {
        reopening.endedInVain();
    }

    void open() {
        enter(StorageStage.OPEN);
        failure = "";
    }

    /** Notes that there is no storage, or none any more. */
    void empty() {
        enter(StorageStage.EMPTY);
        failure = "";
    }

    /** An operator intervened: the halted storage is no longer in use, and nothing has replaced it yet. */
    void recordIntervention() {
        if (stage == StorageStage.HALTED) {
            enter(StorageStage.FAILED);
        }
    }

    /** Notes that the storage works again: the next failure counts as the first. */
    void recordRecovery() {
        reopening.works();
    }

    /** Notes that there was no storage to reopen; this is tried again later. */
    void stillMissing() {
        reopening.failedAt(nanoTime.getAsLong());
    }

    /**
     * Called before anything else is done about a failure, since there may be no memory for a fuller message.
     *
     * @return whether it worked until now, or was not there
     */
    boolean failing() {
        boolean isFirst = stage == StorageStage.EMPTY || stage == StorageStage.OPENING || stage == StorageStage.OPEN;
        if (isFirst) {
            enter(StorageStage.FAILED);
        }
        if (stage != StorageStage.CLOSED) {
            failure = FAILED;
        }
        return isFirst;
    }

    /** Called after {@link #failing}; halted storage stays halted. */
    void failed(Throwable cause) {
        if (stage != StorageStage.CLOSED) {
            failure = FAILED + ": " + cause;
        }
        reopening.failedAt(nanoTime.getAsLong());
    }

    void halted(String reason) {
        enter(StorageStage.HALTED);
        failure = reason;
    }

    void closed() {
        enter(StorageStage.CLOSED);
        failure = CLOSED;
    }

    /**
     * Whether the caller is to reopen it now; the caller then reports {@link #openingEnded} or
     * {@link #openingEndedInVain}.
     */
    boolean beginsReopening() {
        return !failure.isEmpty() && reopening.begins(nanoTime.getAsLong());
    }

    /** Ignores the current stage: for example, if storage is formatted while it is open. */
    private void enter(StorageStage next) {
        if (next != stage) {
            stage = StorageStage.EDGES.enter(stage, next);
        }
    }
}
