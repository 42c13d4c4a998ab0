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
     * Asks the member for its role.
     *
     * @throws IOException if it did not answer, or refused to say
     */
    MemberAnswer probe(M member) throws IOException;

    /** Identifies the member in all clients that share answers; equal only if they would trust each other's answers. */
    default Object sharingKey(M member) {
        return member;
    }

    /**
     * Whether the client's own configuration names the member. One that it only learned of may have an address that
     * this client cannot reach, for example behind NAT: the client waits for it only once it has answered.
     */
    default boolean isConfigured(M member) {
        return true;
    }

    /** Receives each answer, including those to other clients' probes; called on any thread; must not wait. */
    default void onAnswer(M member, MemberAnswer answer) {}
}
