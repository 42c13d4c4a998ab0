/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that are not admitted yet, oldest first. A new connection beyond a limit evicts the oldest: of its
 * own address if that has too many, otherwise of all. A well-behaved caller says hello within milliseconds, and so gets
 * through even while an attacker opens masses of idle connections; with a plain limit, these would lock all callers
 * out. Masses from one address evict none from any other.
 *
 * <p>Synchronized: the service loops share it, once per connection.
 */
final class PendingHandshakes {

    private final int limit;
    private final int limitPerAddress;
    private final Set<HandshakeHandler> greeters = new LinkedHashSet<>();
    private final Map<InetAddress, Set<HandshakeHandler>> byAddress = new HashMap<>();

    PendingHandshakes(int limit, int limitPerAddress) {
        this.limit = limit;
        this.limitPerAddress = Math.min(limit, limitPerAddress);
    }

    /** The exceeded limits in words, for logs. */
    String limits() {
        return "More than " + limit + " connections, or " + limitPerAddress + " from one address,";
    }

    /** Adds a connection; returns the one that it evicts, if any. */
    synchronized Optional<HandshakeHandler> add(HandshakeHandler handshakeHandler, InetAddress address) {
        Set<HandshakeHandler> ofAddress = byAddress.computeIfAbsent(address, first -> new LinkedHashSet<>());
        ofAddress.add(handshakeHandler);
        greeters.add(handshakeHandler);
        if (ofAddress.size() > limitPerAddress) {
            return Optional.of(oldest(ofAddress));
        }
        return greeters.size() > limit ? Optional.of(oldest(greeters)) : Optional.<HandshakeHandler>empty();
    }

    private HandshakeHandler oldest(Set<HandshakeHandler> handshakes) {
        Iterator<HandshakeHandler> oldestFirst = handshakes.iterator();
        HandshakeHandler oldest = oldestFirst.next();
        remove(oldest);
        return oldest;
    }

    synchronized void remove(HandshakeHandler handshakeHandler) {
        if (greeters.remove(handshakeHandler)) {
            Set<HandshakeHandler> ofAddress = byAddress.get(handshakeHandler.remote());
            ofAddress.remove(handshakeHandler);
            if (ofAddress.isEmpty()) {
                byAddress.remove(handshakeHandler.remote());
            }
        }
    }
}
