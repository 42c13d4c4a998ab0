/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

/**
 * A single attempt of a call, on which a thread waits. Another thread may make it give up. That interrupts the waiting
 * thread, and {@link #end} clears the interrupt again, so that the application sees only its own interrupts.
 *
 * @param <M> what stands for a member
 */
public final class CallInFlight<M> {
    private final Thread caller = Thread.currentThread();
    private final M member;
    private final long began = System.nanoTime();
    // Guarded by this.
    private boolean ended;
    private End end = End.BY_ITSELF;
    /** Whether the application had interrupted the waiting thread before {@link #leave} did, an interrupt that stays. */
    private boolean interruptedBefore;

    /** Why an attempt ended. */
    public enum End {
        /** The call was answered, or failed. */
        BY_ITSELF,
        /** The member did not answer, and another member is active. */
        LEFT,
        /** The member was silent, and has answered other calls since, but none of this connection, which is lost. */
        LOST,
        /** The member did not answer, no other member is active, and the time was up. */
        GIVEN_UP
    }

    CallInFlight(M member) {
        this.member = member;
    }

    M member() {
        return member;
    }

    long began() {
        return began;
    }

    /** Makes the caller leave, if it still waits. */
    synchronized void leave(End why) {
        if (!ended && end == End.BY_ITSELF) {
            end = why;
            interruptedBefore = caller.isInterrupted();
            caller.interrupt();
        }
    }

    /** Ends the attempt; called by the caller when it is over. */
    synchronized End end() {
        ended = true;
        if (end != End.BY_ITSELF && !interruptedBefore) {
            Thread.interrupted();
        }
        return end;
    }
}
