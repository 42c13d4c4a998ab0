/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** The ids by which an active recognizes a call that it has executed already. Immutable. */
final class CallIdentity {
    private static final int CLIENT_ID_BYTES = 16;

    private final byte[] clientId;
    private final int callId;

    private CallIdentity(byte[] clientId, int callId) {
        this.clientId = clientId;
        this.callId = callId;
    }

    byte[] clientId() {
        return clientId.clone();
    }

    int callId() {
        return callId;
    }

    /** Gives calls their identities. Thread-safe. */
    static final class Source {
        private final byte[] own = random();
        private final AtomicInteger given = new AtomicInteger();

        /** The client's own ids, unless HDFS could not recognize the call by them; then new ones, for as long as the call is kept. */
        CallIdentity of(byte[] clientId, int callId) {
            return clientId.length == CLIENT_ID_BYTES && callId >= 0
                    ? new CallIdentity(clientId.clone(), callId)
                    : new CallIdentity(own, given.getAndIncrement() & Integer.MAX_VALUE);
        }

        private static byte[] random() {
            UUID uuid = UUID.randomUUID();
            return ByteBuffer.allocate(CLIENT_ID_BYTES)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        }
    }
}
