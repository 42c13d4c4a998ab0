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
    private volatile String failure = "";
    private boolean halted;
    private volatile boolean closed;

    StorageHealth(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Why nothing can be done with it at the moment; empty if it works, or if there is none yet. For any thread. */
    String failure() {
        return failure;
    }

    /** Whether there may be storage that cannot be used; a replica that was closed had what it had. For any thread. */
    boolean isOutOfOrder() {
        return !closed && !failure.isEmpty();
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether an operator has to look before it is opened again. */
    boolean isHalted() {
        return halted;
    }

    /** Until it is open nothing is known of it, least of all that it is empty. */
    void opening() {
        reopening.underWay();
        failure = OPENING;
    }

    void openingEnded() {
        reopening.ended();
    }

    void openingEndedInVain() {
        reopening.endedInVain();
    }

    /** It is open, or there is none. */
    void nothingWrong() {
        failure = "";
    }

    /** What an operator had to look at is not in use any more. */
    void noLongerHalted() {
        halted = false;
    }

    /** It works again: the next failure is a first one. */
    void worksAgain() {
        reopening.works();
    }

    /** It was not there when it was to be opened again; it is looked for again later. */
    void stillMissing() {
        reopening.failedAt(nanoTime.getAsLong());
    }

    /** Before anything else is done about a failure: there may be no memory for what says more. */
    void failing() {
        failure = FAILED;
    }

    void failed(Throwable cause) {
        failure = FAILED + ": " + cause;
        reopening.failedAt(nanoTime.getAsLong());
    }

    void halted(String reason) {
        failure = reason;
        halted = true;
    }

    void closed() {
        closed = true;
        failure = CLOSED;
    }

    /** Whether the caller is to open it again now; he says when that {@link #openingEnded}, or {@link #openingEndedInVain}. */
    boolean beginsReopening() {
        return !failure.isEmpty() && reopening.begins(nanoTime.getAsLong());
    }
}
