/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import io.trefoil.journal.transport.Hello;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decides who may come in, before anything is kept of him. Thread-safe; waits for nothing. */
public interface Doorkeeper {

    /** Lets everybody in, with all rights. */
    Doorkeeper OPEN = new Doorkeeper() {
        @Override
        public boolean expects(InetAddress address) {
            return true;
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, Visitor visitor) {
            return CompletableFuture.completedFuture(
                    Caller.of("anybody at " + visitor.address().getHostAddress(), EnumSet.allOf(Right.class)));
        }
    };

    /** Whether calls from there are to be expected. The others share a few places until they are admitted or refused. */
    boolean expects(InetAddress address);

    /**
     * Who says hello, and what he may do.
     *
     * @param visitor what the connection shows of him
     * @return fails with {@link io.trefoil.journal.transport.SessionRefusedException} for who may not come in; its text is for
     *     him
     */
    CompletionStage<Caller> admit(Hello hello, Visitor visitor);
}
