/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

/**
 * A single attempt of a call, on which a thread waits. Another thread may make it give up. That interrupts the waiting
 * thread, and {@link #end} clears the interrupt again, so that the application sees only its own interrupts.
 *
 * @param <M> what stands for a member
 */
public final class InFlightCall<M> {
    private final Thread caller = Thread.currentThread();
    private final M member;
    private final long began = System.nanoTime();
    // Guarded by this.
    private boolean ended;
    private EndReason end = EndReason.BY_ITSELF;
    /** Whether the application interrupted the waiting thread before {@link #abort} did; such an interrupt is preserved. */
    private boolean interruptedBefore;

    /** Describes why an attempt ended. */
    public enum EndReason {
        /** The call was answered, or failed. */
        BY_ITSELF,
        /** The member did not answer, and another member is active. */
        LEFT,
        /** The member was silent, and has answered other calls since, but none on this connection, which is lost. */
        LOST,
        /** The member did not answer, no other member is active, and time was up. */
        GIVEN_UP
    }

    InFlightCall(M member) {
        this.member = member;
    }

    M member() {
        return member;
    }

    long startedNanos() {
        return began;
    }

    /** Makes the caller abandon the attempt, if it is still waiting. */
    synchronized void abort(EndReason reason) {
        if (!ended && end == EndReason.BY_ITSELF) {
            end = reason;
            interruptedBefore = caller.isInterrupted();
            caller.interrupt();
        }
    }

    /** Ends the attempt; called by the caller when the attempt has ended. */
    synchronized EndReason end() {
        ended = true;
        if (end != EndReason.BY_ITSELF && !interruptedBefore) {
            Thread.interrupted();
        }
        return end;
    }
}
