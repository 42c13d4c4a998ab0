/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.io.IOException;

/**
 * Asks one member for its role. Called on a separate thread for each member; that thread is interrupted when the answer
 * is no longer needed.
 *
 * @param <M> what stands for a member; compared by {@code equals}
 */
public interface MemberProbe<M> {

    /**
     * What the member says it is.
     *
     * @throws IOException if it did not answer, or refused to say
     */
    MemberAnswer ask(M member) throws IOException;

    /** What stands for the member in all clients that share answers; equal only if they would believe each other's. */
    default Object shared(M member) {
        return member;
    }

    /**
     * Whether the client was told of the member by its own configuration. One of which it only learned may have an address that
     * this client cannot reach, behind NAT for instance: it is waited for only once it has answered.
     */
    default boolean isConfigured(M member) {
        return true;
    }

    /** Called with each answer, also one to the question of another client; by any thread, and must not wait. */
    default void heard(M member, MemberAnswer answer) {}
}
