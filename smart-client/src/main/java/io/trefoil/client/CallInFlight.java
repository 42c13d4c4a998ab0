/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

/**
 * One attempt of a call, which a thread waits for. Another thread may make it give up. That interrupts the waiting
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
    /** Of the application, and told to it. */
    private boolean interruptedBefore;

    /** Why an attempt ended. */
    public enum End {
        /** It was answered, or failed. */
        BY_ITSELF,
        /** Its member did not answer, and another member is active. */
        LEFT,
        /** Its member was silent, and has answered others since, but by this connection nothing: it is lost. */
        LOST,
        /** Its member did not answer, no other member is active, and its time was up. */
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

    /** Called by the caller when its attempt is over. */
    synchronized End end() {
        ended = true;
        if (end != End.BY_ITSELF && !interruptedBefore) {
            Thread.interrupted();
        }
        return end;
    }
}
