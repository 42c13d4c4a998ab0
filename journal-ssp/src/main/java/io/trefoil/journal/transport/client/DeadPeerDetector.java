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
 * Ends a session whose node is gone without a word; one whose node is merely slow is kept. The kernel tells what the
 * node's kernel has not acknowledged, where it can, and that is enough in most networks. Where it cannot, or
 * acknowledges for another host as a proxy does, a node that owes answers and says nothing is asked beside, by a new
 * connection, how it is. Everything runs on the transport's thread.
 */
final class DeadPeerDetector {

    /** Silence is counted in looks, so that a pause of this process, in which it hears no node, is none of the node's. */
    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int FEWEST_LOOKS = 10;
    /** A node whose process stands still takes a new connection, and says nothing by that either. */
    private static final long LONGEST_BESIDE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A disk that has not answered for so long is the reason why its node says nothing. */
    private static final long SLOW_DISK_MILLIS = 200;

    private final LinkConnection connection;
    private final NettyLink link;
    private final long patienceNanos;
    private final long lookNanos;

    private boolean heard;
    private int silentLooks;
    /** Whether the node has answered beside. */
    private boolean isThere;
    /** The connection by which the node is asked how it is; empty if it is not. */
    private Optional<Link> beside = Optional.empty();

    DeadPeerDetector(LinkConnection connection, NettyLink link) {
        this.connection = connection;
        this.link = link;
        this.patienceNanos = link.patience().now().toNanos();
        this.lookNanos = Math.min(LONGEST_LOOK_NANOS, patienceNanos / FEWEST_LOOKS);
    }

    void begin() {
        scheduleCheck();
    }

    /** The node has sent something. */
    void recordReceived() {
        heard = true;
    }

    /** The session is over. */
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
        if (heard || !connection.owesAnswers()) {
            heard = false;
            silentLooks = 0;
            return;
        }
        silentLooks++;
        long looks = patienceNanos / lookNanos;
        if (silentLooks == looks / 2) {
            connection.pingIfReading();
        } else if (silentLooks >= looks && !beside.isPresent()) {
            probeOnNewConnection();
        }
    }

    private void probeOnNewConnection() {
        Link asked = link.openProbeConnection(new Beside());
        beside = Optional.of(asked);
        // Sooner than it would be watched itself.
        long limitNanos = Math.min(LONGEST_BESIDE_NANOS, patienceNanos * 2 / 5);
        connection.channel().eventLoop().schedule(() -> closeProbe(asked), limitNanos, TimeUnit.NANOSECONDS);
    }

    private void closeProbe(Link asked) {
        asked.close();
        beside = beside.filter(other -> other != asked);
    }

    /** Ends the session soon, unless something is heard: a process that has stood still answers both connections when it goes on. */
    private void endUnlessHeard(Link asked, String gone) {
        if (!beside.filter(asked::equals).isPresent()) {
            return;
        }
        closeProbe(asked);
        connection.channel().eventLoop().schedule(() -> endIfSilent(gone), lookNanos, TimeUnit.NANOSECONDS);
    }

    private void endIfSilent(String gone) {
        if (connection.isUp() && !heard && silentLooks > 0) {
            if (isThere) {
                link.patience().doubled();
            }
            connection.end(
                    "nothing was heard for " + TimeUnit.NANOSECONDS.toMillis(patienceNanos) + " ms, and " + gone);
        }
    }

    /** Receives the outcome of the probe connection. */
    private final class Beside implements LinkListener {
        @Override
        public void up(Link asked, Welcome welcome) {
            asked.send(StatusRequest.create());
            asked.flush();
        }

        @Override
        public void replied(Link asked, PoolRequest request, PoolReply reply, long sentNanos) {
            boolean isSlow =
                    reply instanceof StatusReply && ((StatusReply) reply).diskSilentMillis() >= SLOW_DISK_MILLIS;
            if (isSlow) {
                closeProbe(asked);
                silentLooks = 0;
            } else {
                isThere = true;
                endUnlessHeard(asked, "it answers a new connection");
            }
        }

        @Override
        public void unreachable(Link asked, String why) {
            endUnlessHeard(asked, "it cannot be reached: " + why);
        }

        @Override
        public void refused(Link asked, String why) {
            endUnlessHeard(asked, "it refuses a new connection: " + why);
        }

        @Override
        public void down(Link asked, String why) {
            // Asked again at the next look.
        }

        @Override
        public void readCompleted(Link asked) {
            // One answer decides.
        }
    }
}
