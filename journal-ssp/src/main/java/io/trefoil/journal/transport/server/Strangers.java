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
 * through even while an attacker opens masses of idle connections; with a plain limit, these would lock everyone out.
 * Masses from one address evict none from any other.
 *
 * <p>Synchronized: the service loops share it, once per connection.
 */
final class Strangers {

    private final int limit;
    private final int limitPerAddress;
    private final Set<Greeter> greeters = new LinkedHashSet<>();
    private final Map<InetAddress, Set<Greeter>> byAddress = new HashMap<>();

    Strangers(int limit, int limitPerAddress) {
        this.limit = limit;
        this.limitPerAddress = Math.min(limit, limitPerAddress);
    }

    /** For logs. */
    String limits() {
        return "More than " + limit + " connections, or " + limitPerAddress + " from one address,";
    }

    /** Adds a connection; returns the one that it evicts, if any. */
    synchronized Optional<Greeter> enter(Greeter greeter, InetAddress address) {
        Set<Greeter> ofAddress = byAddress.computeIfAbsent(address, first -> new LinkedHashSet<>());
        ofAddress.add(greeter);
        greeters.add(greeter);
        if (ofAddress.size() > limitPerAddress) {
            return Optional.of(oldest(ofAddress));
        }
        return greeters.size() > limit ? Optional.of(oldest(greeters)) : Optional.<Greeter>empty();
    }

    private Greeter oldest(Set<Greeter> of) {
        Iterator<Greeter> oldestFirst = of.iterator();
        Greeter oldest = oldestFirst.next();
        leave(oldest);
        return oldest;
    }

    synchronized void leave(Greeter greeter) {
        if (greeters.remove(greeter)) {
            Set<Greeter> ofAddress = byAddress.get(greeter.remote());
            ofAddress.remove(greeter);
            if (ofAddress.isEmpty()) {
                byAddress.remove(greeter.remote());
            }
        }
    }
}
