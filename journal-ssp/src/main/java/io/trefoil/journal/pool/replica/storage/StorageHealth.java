/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import java.util.function.LongSupplier;

/**
 * Whether the storage of a replica can be used, why not, and when it is opened again. The owner is who has the {@link
 * ReplicaTurn}; what is documented for any thread needs no turn.
 */
final class StorageHealth {

    private static final String FAILED = "storage failed";
    private static final String OPENING = "storage is being opened";
    private static final String CLOSED = "this node is closed";

    private final LongSupplier nanoTime;
    private final Reopening reopening = new Reopening();
    private volatile StorageStage stage = StorageStage.EMPTY;
    private volatile String failure = "";

    StorageHealth(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Where it stands; for any thread. */
    StorageStage stage() {
        return stage;
    }

    /** Why nothing can be done with it at the moment; empty if it works, or if there is none yet. For any thread. */
    String failure() {
        return failure;
    }

    /** Whether there may be storage that cannot be used; a replica that was closed had what it had. For any thread. */
    boolean isOutOfOrder() {
        return stage != StorageStage.CLOSED && !failure.isEmpty();
    }

    /** It is looked for, for the first time. */
    void opening() {
        enter(StorageStage.OPENING);
        reopening.underWay();
        failure = OPENING;
    }

    void openingEnded() {
        reopening.ended();
    }

    void openingEndedInVain() {
        reopening.endedInVain();
    }

    void open() {
        enter(StorageStage.OPEN);
        failure = "";
    }

    /** There is none, or none any more. */
    void empty() {
        enter(StorageStage.EMPTY);
        failure = "";
    }

    /** An operator looked: what he had to look at is not in use any more, and nothing else is yet. */
    void noLongerHalted() {
        if (stage == StorageStage.HALTED) {
            enter(StorageStage.FAILED);
        }
    }

    /** It works again: the next failure is a first one. */
    void worksAgain() {
        reopening.works();
    }

    /** It was not there when it was to be opened again; it is looked for again later. */
    void stillMissing() {
        reopening.failedAt(nanoTime.getAsLong());
    }

    /**
     * Before anything else is done about a failure: there may be no memory for what says more.
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

    /** After {@link #failing}; what is halted stays so. */
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

    /** Whether the caller is to open it again now; he says when that {@link #openingEnded}, or {@link #openingEndedInVain}. */
    boolean beginsReopening() {
        return !failure.isEmpty() && reopening.begins(nanoTime.getAsLong());
    }

    /** What is entered again stays: storage that is formatted while it is open, for example. */
    private void enter(StorageStage next) {
        if (next != stage) {
            stage = StorageStage.EDGES.enter(stage, next);
        }
    }
}
