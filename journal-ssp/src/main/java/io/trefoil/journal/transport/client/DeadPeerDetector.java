/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Welcome;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Ends a session whose node has silently disappeared, but keeps one whose node is merely slow. The kernel tells what the
 * node's kernel has not acknowledged, where it can, and that is enough in most networks. Where it cannot, or
 * acknowledges for another host as a proxy does, a node that owes answers and says nothing is probed over a separate, new connection. Everything runs on the transport's thread.
 */
final class DeadPeerDetector {

    /**
     * The longest interval between checks: silence is counted in checks, so that a pause of this process, during which it receives nothing, is not
     * blamed on the node.
     */
    private static final long MAX_CHECK_INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int MIN_CHECKS = 10;
    /** How long to wait for an answer to a probe: a paused process accepts a new connection, but sends nothing over it. */
    private static final long PROBE_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A disk that has not answered for this long explains the silence of its node. */
    private static final long SLOW_DISK_MILLIS = 200;

    private final LinkConnection connection;
    private final NettyLink link;
    private final long timeoutNanos;
    private final long lookNanos;

    private boolean heard;
    private int silentLooks;
    /** Whether the node has answered on the separate connection. */
    private boolean isThere;
    /** The separate connection over which the node is probed; empty if it is not being probed. */
    private Optional<Link> beside = Optional.empty();

    DeadPeerDetector(LinkConnection connection, NettyLink link) {
        this.connection = connection;
        this.link = link;
        this.timeoutNanos = link.silenceTimeout().current().toNanos();
        this.lookNanos = Math.min(MAX_CHECK_INTERVAL_NANOS, timeoutNanos / MIN_CHECKS);
    }

    void begin() {
        scheduleCheck();
    }

    /** The node has sent something. */
    void recordReceived() {
        heard = true;
    }

    /** The session has ended. */
    void end() {
        beside.ifPresent(Link::close);
        beside = Optional.empty();
    }

    private void scheduleCheck() {
        connection.channel().eventLoop().schedule(this::check, lookNanos, TimeUnit.NANOSECONDS);
    }

    private void check() {
        if (!connection.isUp()) {
            return;
        }
        if (link.sockets().isPeerSilent(connection.channel())) {
            connection.end("its host acknowledges nothing");
            return;
        }
        scheduleCheck();
        if (heard || !connection.hasPendingRequests()) {
            heard = false;
            silentLooks = 0;
            return;
        }
        silentLooks++;
        long looks = timeoutNanos / lookNanos;
        if (silentLooks == looks / 2) {
            connection.pingIfReading();
        } else if (silentLooks >= looks && !beside.isPresent()) {
            probeOnNewConnection();
        }
    }

    private void probeOnNewConnection() {
        Link probed = link.openProbeConnection(new ProbeConnectionListener());
        beside = Optional.of(probed);
        // Sooner than it would be watched itself.
        long limitNanos = Math.min(PROBE_TIMEOUT_NANOS, timeoutNanos * 2 / 5);
        connection.channel().eventLoop().schedule(() -> closeProbe(probed), limitNanos, TimeUnit.NANOSECONDS);
    }

    private void closeProbe(Link link) {
        link.close();
        beside = beside.filter(other -> other != link);
    }

    /** Ends the session soon unless the node sends something: a paused process answers on both connections when it resumes. */
    private void endUnlessReceived(Link link, String reason) {
        if (!beside.filter(link::equals).isPresent()) {
            return;
        }
        closeProbe(link);
        connection.channel().eventLoop().schedule(() -> endIfSilent(reason), lookNanos, TimeUnit.NANOSECONDS);
    }

    private void endIfSilent(String reason) {
        if (connection.isUp() && !heard && silentLooks > 0) {
            if (isThere) {
                link.silenceTimeout().doubleTimeout();
            }
            connection.end(
                    "nothing was heard for " + TimeUnit.NANOSECONDS.toMillis(timeoutNanos) + " ms, and " + reason);
        }
    }

    /** Receives the outcome of the probe connection. */
    private final class ProbeConnectionListener implements LinkListener {
        @Override
        public void onUp(Link link, Welcome welcome) {
            link.send(StatusRequest.create());
            link.flush();
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            boolean isSlow =
                    reply instanceof StatusReply && ((StatusReply) reply).diskStallMillis() >= SLOW_DISK_MILLIS;
            if (isSlow) {
                closeProbe(link);
                silentLooks = 0;
            } else {
                isThere = true;
                endUnlessReceived(link, "it answers a new connection");
            }
        }

        @Override
        public void onUnreachable(Link link, String reason) {
            endUnlessReceived(link, "it cannot be reached: " + reason);
        }

        @Override
        public void onRefused(Link link, String reason) {
            endUnlessReceived(link, "it refuses a new connection: " + reason);
        }

        @Override
        public void onDown(Link link, String reason) {
            // Asked again at the next check.
        }

        @Override
        public void onReadCompleted(Link link) {
            // One answer decides.
        }
    }
}
