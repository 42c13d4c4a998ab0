/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that have not said hello yet, oldest first. A newcomer beyond the limit pushes the oldest out: who
 * means well says hello within milliseconds and gets through even while somebody opens idle connections in masses,
 * which a plain limit would let lock everybody out.
 *
 * <p>Synchronized: the service loops share it, once per connection.
 */
final class Strangers {

    private final int limit;
    private final Set<Channel> channels = new LinkedHashSet<>();

    Strangers(int limit) {
        this.limit = limit;
    }

    /** The connection that has to go for this one, if any. */
    synchronized Optional<Channel> enter(Channel channel) {
        channels.add(channel);
        if (channels.size() <= limit) {
            return Optional.empty();
        }
        Iterator<Channel> oldestFirst = channels.iterator();
        Channel oldest = oldestFirst.next();
        oldestFirst.remove();
        return Optional.of(oldest);
    }

    synchronized void leave(Channel channel) {
        channels.remove(channel);
    }

    synchronized int count() {
        return channels.size();
    }
}
