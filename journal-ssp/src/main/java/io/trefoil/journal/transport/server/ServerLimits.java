/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import java.time.Duration;

/** Describes how much a {@link NettyPoolServer} accepts from its callers. Immutable. */
@AutoValue
public abstract class ServerLimits {

    /** The limit of connections: a hundred times what all NameNodes and readers of a large installation need. */
    public static final ServerLimits USUAL = of(Duration.ofSeconds(10), 1000, 4000);

    /**
     * Connections of one address that are not admitted yet: enough for a host with all NameNodes and readers of many
     * journals that all restart.
     */
    private static final int USUAL_PER_ADDRESS = 200;

    /** Sessions of each kind from one address: enough for all NameNodes and readers of a large installation on one host. */
    private static final int USUAL_SESSIONS_PER_ADDRESS = 1000;

    /** Connections from unexpected addresses that are not admitted yet; they never evict expected ones. */
    static final int MAX_UNEXPECTED = 64;

    /**
     * The divisor of the heap that gives the memory for connections: more would come at the expense of the process's
     * own work.
     */
    private static final int PARTS_OF_HEAP = 8;

    public static ServerLimits of(Duration handshakeTimeout, int maxHandshakes, int maxConnections) {
        if (handshakeTimeout.isNegative() || handshakeTimeout.isZero() || maxHandshakes < 1 || maxConnections < 1) {
            throw new IllegalArgumentException("Limits are positive, got handshake timeout " + handshakeTimeout + ", "
                    + maxHandshakes + " handshakes, " + maxConnections + " connections");
        }
        return new AutoValue_ServerLimits(
                handshakeTimeout,
                maxHandshakes,
                USUAL_PER_ADDRESS,
                USUAL_SESSIONS_PER_ADDRESS,
                maxConnections,
                Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP);
    }

    final ServerLimits withMaxBytes(long bytes) {
        return new AutoValue_ServerLimits(
                handshakeTimeout(),
                maxHandshakes(),
                maxHandshakesPerAddress(),
                maxSessionsPerAddress(),
                maxConnections(),
                bytes);
    }

    /** A copy with another limit of connections from one address that are not admitted yet. */
    final ServerLimits withMaxHandshakesPerAddress(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("At least one connection from each address, got " + count);
        }
        return new AutoValue_ServerLimits(
                handshakeTimeout(), maxHandshakes(), count, maxSessionsPerAddress(), maxConnections(), maxBytes());
    }

    /** A copy with another limit of sessions of each kind from one address. */
    final ServerLimits withMaxSessionsPerAddress(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("At least one session from each address, got " + count);
        }
        return new AutoValue_ServerLimits(
                handshakeTimeout(), maxHandshakes(), maxHandshakesPerAddress(), count, maxConnections(), maxBytes());
    }

    /** A connection that is not admitted within this time is closed. */
    public abstract Duration handshakeTimeout();

    /** The limit of connections that are not admitted yet; one more evicts the oldest of them. */
    public abstract int maxHandshakes();

    /** The limit of connections from one address that are not admitted yet; one more evicts the oldest of that address. */
    public abstract int maxHandshakesPerAddress();

    /** The limit of sessions for writing from one address, and of those for reading; further ones are refused. */
    public abstract int maxSessionsPerAddress();

    /** The limit of all connections; further ones are closed at once. */
    public abstract int maxConnections();

    /**
     * The limit of bytes of waiting or incomplete requests and of unread answers, for all connections together
     * ({@link ConnectionMemory}). The arrays that payloads are cut from may take as many again.
     */
    public abstract long maxBytes();
}
