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

    /** The stage that the storage is in; for any thread. */
    StorageStage stage() {
        return stage;
    }

    /**
     * Returns why the storage cannot be used at present; empty if it works, or if there is none yet. For any thread.
     */
    String failureReason() {
        return failure;
    }

    /**
     * Whether there may be storage that cannot be used; not after closing, since the view then shows the last contents.
     * For any thread.
     */
    boolean isUnusable() {
        return stage != StorageStage.CLOSED && !failure.isEmpty();
    }

    /** Records that the first opening begins. */
    void markOpening() {
        enter(StorageStage.OPENING);
        reopening.markOpening();
        failure = OPENING;
    }

    void recordOpeningSuccess() {
        reopening.finish();
    }

    void recordOpeningFailure() {
        reopening.recordFailedAttempt();
    }

    void markOpen() {
        enter(StorageStage.OPEN);
        failure = "";
    }

    /** Notes that there is no storage, or that it is gone. */
    void markEmpty() {
        enter(StorageStage.EMPTY);
        failure = "";
    }

    /** Records that an operator intervened: the halted storage is no longer in use, and nothing has replaced it yet. */
    void recordIntervention() {
        if (stage == StorageStage.HALTED) {
            enter(StorageStage.FAILED);
        }
    }

    /** Notes that the storage works again: the next failure counts as the first. */
    void recordRecovery() {
        reopening.recordRecovery();
    }

    /** Notes that there was no storage to reopen; reopening is retried later. */
    void recordStillMissing() {
        reopening.recordFailure(nanoTime.getAsLong());
    }

    /**
     * Called before a failure is handled in any other way, since there may be no memory for a fuller message.
     *
     * @return whether it worked until now, or was not there
     */
    boolean beginFailure() {
        boolean isFirst = stage == StorageStage.EMPTY || stage == StorageStage.OPENING || stage == StorageStage.OPEN;
        if (isFirst) {
            enter(StorageStage.FAILED);
        }
        if (stage != StorageStage.CLOSED) {
            failure = FAILED;
        }
        return isFirst;
    }

    /** Called after {@link #beginFailure}; halted storage stays halted. */
    void markFailed(Throwable cause) {
        if (stage != StorageStage.CLOSED) {
            failure = FAILED + ": " + cause;
        }
        reopening.recordFailure(nanoTime.getAsLong());
    }

    void markHalted(String reason) {
        enter(StorageStage.HALTED);
        failure = reason;
    }

    void markClosed() {
        enter(StorageStage.CLOSED);
        failure = CLOSED;
    }

    /**
     * Whether the caller is to reopen it now; the caller then reports {@link #recordOpeningSuccess} or
     * {@link #recordOpeningFailure}.
     */
    boolean tryBeginReopening() {
        return !failure.isEmpty() && reopening.tryBegin(nanoTime.getAsLong());
    }

    /** Ignores the current stage: for example, if storage is formatted while it is open. */
    private void enter(StorageStage next) {
        if (next != stage) {
            stage = StorageStage.EDGES.enter(stage, next);
        }
    }
}
