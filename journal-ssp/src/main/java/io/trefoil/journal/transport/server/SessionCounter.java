/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import io.netty.channel.Channel;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.SessionRefusedException;
import java.net.InetAddress;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the sessions of each address, whatever identity the callers proved. Sessions for writing and for reading are
 * counted separately, so that a host whose readers run wild does not lock out its own NameNode's writer.
 *
 * <p>Unlike {@link PendingHandshakes}, refuses the new one: a working session must not end for one that may be too many.
 *
 * <p>Synchronized: the service loops share it, twice per session.
 */
final class SessionCounter {

    private final int limit;
    private final Map<SimpleImmutableEntry<InetAddress, CallerRole>, Integer> counts = new HashMap<>();

    SessionCounter(int limit) {
        this.limit = limit;
    }

    /**
     * Counts a session until its connection ends.
     *
     * @throws SessionRefusedException if the address already has as many as it may have
     */
    void register(Channel channel, InetAddress address, CallerRole role) throws SessionRefusedException {
        SimpleImmutableEntry<InetAddress, CallerRole> kind = new SimpleImmutableEntry<>(address, role);
        if (!tryAdd(kind)) {
            throw new SessionRefusedException(
                    SessionRefusedException.Reason.SESSION_LIMIT,
                    "There are " + limit + " sessions as " + role + " from " + address.getHostAddress()
                            + ", as many as one address may have; close some");
        }
        channel.closeFuture().addListener(closed -> remove(kind));
    }

    private synchronized boolean tryAdd(SimpleImmutableEntry<InetAddress, CallerRole> kind) {
        int count = counts.getOrDefault(kind, 0);
        if (count >= limit) {
            return false;
        }
        counts.put(kind, count + 1);
        return true;
    }

    private synchronized void remove(SimpleImmutableEntry<InetAddress, CallerRole> kind) {
        counts.computeIfPresent(kind, (key, count) -> count == 1 ? null : count - 1);
    }
}
