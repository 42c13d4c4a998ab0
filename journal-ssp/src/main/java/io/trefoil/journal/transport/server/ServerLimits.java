/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import java.time.Duration;

/** How much a {@link NettyPoolServer} accepts from its callers. Immutable. */
@AutoValue
public abstract class ServerLimits {

    /** Room for every NameNode and reader of a large installation, hundredfold. */
    public static final ServerLimits USUAL = of(Duration.ofSeconds(10), 1000, 4000);

    /** Of one address that have not been let in: a host with all NameNodes and readers of many journals that all begin anew. */
    public static final int USUAL_PER_ADDRESS = 200;

    /** Sessions of each kind of one address: every NameNode and reader of a large installation on one host. */
    public static final int USUAL_SESSIONS_PER_ADDRESS = 1000;

    /** Connections from where nobody is expected that have not said hello; they never push out any other. */
    static final int MAX_UNEXPECTED = 64;

    /** Of the heap, for what connections have in the works: more would come at the cost of what the process is for. */
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

    /** The same, with that many connections from one address that have not been let in. */
    public final ServerLimits withMaxHandshakesPerAddress(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("At least one connection from each address, got " + count);
        }
        return new AutoValue_ServerLimits(
                handshakeTimeout(), maxHandshakes(), count, maxSessionsPerAddress(), maxConnections(), maxBytes());
    }

    /** The same, with that many sessions of each kind from one address. */
    public final ServerLimits withMaxSessionsPerAddress(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("At least one session from each address, got " + count);
        }
        return new AutoValue_ServerLimits(
                handshakeTimeout(), maxHandshakes(), maxHandshakesPerAddress(), count, maxConnections(), maxBytes());
    }

    /** A connection that has not said hello by then is closed. */
    public abstract Duration handshakeTimeout();

    /** Connections that have not said hello yet; one more pushes the oldest of them out. */
    public abstract int maxHandshakes();

    /** The same, of one address; one more pushes the oldest of that address out. */
    public abstract int maxHandshakesPerAddress();

    /** Sessions for writing, and as many for reading, of one address; one more is refused. */
    public abstract int maxSessionsPerAddress();

    /** Connections in all; one more is closed at once. */
    public abstract int maxConnections();

    /**
     * Bytes of requests that wait or have not come in whole, and of answers that callers have not read, of all connections
     * together ({@link ConnectionMemory}). The arrays that payloads are cut from may take as many again.
     */
    public abstract long maxBytes();
}
