/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that have not said hello yet, oldest first. A new connection beyond the limit evicts the oldest. A
 * well-behaved caller says hello within milliseconds, and so gets through even while an attacker opens masses of idle
 * connections; with a plain limit, these would lock everyone out.
 *
 * <p>Synchronized: the service loops share it, once per connection.
 */
final class Strangers {

    private final int limit;
    private final Set<Greeter> greeters = new LinkedHashSet<>();

    Strangers(int limit) {
        this.limit = limit;
    }

    int limit() {
        return limit;
    }

    /** The connection that has to go for this one, if any. */
    synchronized Optional<Greeter> enter(Greeter greeter) {
        greeters.add(greeter);
        if (greeters.size() <= limit) {
            return Optional.empty();
        }
        Iterator<Greeter> oldestFirst = greeters.iterator();
        Greeter oldest = oldestFirst.next();
        oldestFirst.remove();
        return Optional.of(oldest);
    }

    synchronized void leave(Greeter greeter) {
        greeters.remove(greeter);
    }
}
