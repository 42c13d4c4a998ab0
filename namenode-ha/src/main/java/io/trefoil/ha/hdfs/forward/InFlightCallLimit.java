/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The room for calls in progress: a limit for all of them together, and a share of it for each user, so that no user crowds out the others.
 * Thread-safe.
 */
final class InFlightCallLimit {
    /** The limit of calls, half of the requests that a pool node accepts on one connection at once. */
    static final int MAX_CALLS = 512;

    static final long MAX_BYTES = 32L << 20;

    /** The divisor of the room for one user's share: a user may have a quarter of it. */
    private static final int SHARES = 4;

    private final Usage all = new Usage();
    /** The users with calls in progress, of whom there are never more than the limit of calls. */
    private final Map<String, Usage> users = new HashMap<>();

    /** The part of the room that is in use. */
    private static final class Usage {
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
    final class Slot {
        private final String user;
        private final int size;
        private boolean left;

        private Slot(String user, int size) {
            this.user = user;
            this.size = size;
        }

        /** Releases the place; a second call changes nothing. */
        void release() {
            synchronized (InFlightCallLimit.this) {
                if (left) {
                    return;
                }
                left = true;
                all.remove(size);
                Usage own = users.get(user);
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
    synchronized Optional<Slot> tryAcquire(String user, int size) {
        Usage own = users.getOrDefault(user, new Usage());
        if (all.calls >= MAX_CALLS
                || all.bytes >= MAX_BYTES
                || own.calls >= MAX_CALLS / SHARES
                || own.bytes >= MAX_BYTES / SHARES) {
            return Optional.empty();
        }
        all.add(size);
        own.add(size);
        users.put(user, own);
        return Optional.of(new Slot(user, size));
    }

    /** Returns the number of places that are in use. */
    synchronized int acquiredCount() {
        return all.calls;
    }
}
