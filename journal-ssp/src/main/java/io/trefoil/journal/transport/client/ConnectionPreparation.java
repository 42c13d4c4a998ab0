/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The data that a caller prepares before it connects: the node's address, and the first authentication token. */
final class ConnectionPreparation {
    private final InetSocketAddress address;
    private final boolean hasAlternative;
    private final String mechanism;
    private final AuthenticationExchange exchange;
    private final Bytes first;

    private ConnectionPreparation(
            InetSocketAddress address,
            boolean hasAlternative,
            String mechanism,
            AuthenticationExchange exchange,
            Bytes first) {
        this.address = address;
        this.hasAlternative = hasAlternative;
        this.mechanism = mechanism;
        this.exchange = exchange;
        this.first = first;
    }

    /** Prepares it; may block, for instance on a KDC. */
    static ConnectionPreparation begin(InetSocketAddress address, boolean hasAlternative, Authentication authentication)
            throws IOException {
        AuthenticationExchange exchange = authentication.beginAsCaller(address.getAddress());
        return new ConnectionPreparation(
                address, hasAlternative, authentication.mechanism(), exchange, exchange.process(Bytes.EMPTY));
    }

    InetSocketAddress address() {
        return address;
    }

    /** Whether the node has another address that has not been tried yet, so that the wait for this one must be short. */
    boolean hasAlternative() {
        return hasAlternative;
    }

    AuthenticationExchange exchange() {
        return exchange;
    }

    Hello addProof(Hello hello) {
        return isMutual() ? hello.withAuthentication(mechanism, first) : hello;
    }

    /** Whether the node must authenticate too. */
    boolean isMutual() {
        return !mechanism.equals(Hello.NO_AUTHENTICATION);
    }
}
