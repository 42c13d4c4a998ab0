/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The room for calls that are under way: a limit for all together, and a share of it for each user, so that no user
 * takes it from the others. Thread-safe.
 */
final class InFlightCallLimit {
    /** The limit of calls, half of the requests that a pool node accepts on one connection at once. */
    static final int MAX_CALLS = 512;

    static final long MAX_BYTES = 32L << 20;

    /** The number of shares of the room: one user may have a quarter. */
    private static final int SHARES = 4;

    private final Use all = new Use();
    /** The users that have calls under way, and thus no more than there may be calls. */
    private final Map<String, Use> users = new HashMap<>();

    /** The part of the room that is taken. */
    private static final class Use {
        int calls;
        long bytes;

        void add(int size) {
            calls++;
            bytes += size;
        }

        void remove(int size) {
            calls--;
            bytes -= size;
        }
    }

    /** The place of one call. */
    final class Place {
        private final String user;
        private final int size;
        private boolean left;

        private Place(String user, int size) {
            this.user = user;
            this.size = size;
        }

        /** Gives the place up; a second time changes nothing. */
        void leave() {
            synchronized (InFlightCallLimit.this) {
                if (left) {
                    return;
                }
                left = true;
                all.remove(size);
                Use own = users.get(user);
                own.remove(size);
                if (own.calls == 0) {
                    users.remove(user);
                }
            }
        }
    }

    /**
     * Takes a place; the last one may exceed the limits of bytes.
     *
     * @param user who is connected: those who act for many others are one
     * @param size in bytes
     * @return empty if there is none, or the user has their share
     */
    synchronized Optional<Place> take(String user, int size) {
        Use own = users.getOrDefault(user, new Use());
        if (all.calls >= MAX_CALLS
                || all.bytes >= MAX_BYTES
                || own.calls >= MAX_CALLS / SHARES
                || own.bytes >= MAX_BYTES / SHARES) {
            return Optional.empty();
        }
        all.add(size);
        own.add(size);
        users.put(user, own);
        return Optional.of(new Place(user, size));
    }

    /** How many places are taken. */
    synchronized int taken() {
        return all.calls;
    }
}
