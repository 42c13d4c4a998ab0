/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import io.trefoil.journal.transport.Hello;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decides which callers are admitted, before the node allocates anything for a caller. Thread-safe; never blocks. */
public interface AccessController {

    /** The controller that admits every caller, with all rights. */
    AccessController OPEN = new AccessController() {
        @Override
        public boolean expectsCallsFrom(InetAddress address) {
            return true;
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
            return CompletableFuture.completedFuture(Caller.of(
                    "any caller at " + credentials.address().getHostAddress(), EnumSet.allOf(AccessRight.class)));
        }
    };

    /** Whether to expect calls from an address. Unexpected callers share a few places until they are admitted or refused. */
    boolean expectsCallsFrom(InetAddress address);

    /**
     * Determines the sender of a Hello, and the rights of that caller.
     *
     * @param credentials what the connection shows of the caller
     * @return fails with {@link io.trefoil.journal.transport.SessionRefusedException} if the caller may not come in;
     *     the text is for the caller
     */
    CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials);

    /** The version of the callers' rights: a different object whenever the rights of an admitted caller may have changed; never blocks. */
    default Object rightsVersion() {
        return AccessController.class;
    }

    /**
     * Re-evaluates an admitted caller by current knowledge. Never blocks.
     *
     * @return what it may do now; no right at all if it would not come in
     */
    default Caller recheck(Hello hello, CallerCredentials credentials, Caller admitted) {
        return admitted;
    }
}
