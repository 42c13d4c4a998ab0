/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.transport.Transport;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out, while a writer's lease runs, whether the writer appears to be down after its session broke. Runs on the
 * transport's thread.
 */
final class WriterDeathProbe {

    private static final Logger LOG = LoggerFactory.getLogger(WriterDeathProbe.class);

    private final JournalReplica replica;
    private final WriterId writer;
    private final NodeAddress writerNode;
    private final Transport transport;
    /** Logging for the transport's thread, which must not wait for a disk. */
    private final LogThread log;

    private final Optional<Long> heardNanos;

    WriterDeathProbe(
            JournalReplica replica, WriterId writer, NodeAddress writerNode, Transport transport, LogThread log) {
        this.replica = replica;
        this.writer = writer;
        this.writerNode = writerNode;
        this.transport = transport;
        this.log = log;
        this.heardNanos = replica.promisedWriter().lastContactNanos();
    }

    void check() {
        if (isSilent() && replica.promisedWriter().isLeaseHeld(writer)) {
            // Clients are at the other NameNodes before the probe is answered.
            replica.promisedWriter().suspect(writer);
            transport.probe(writerNode, Duration.ofMillis(500), this::handleOutcome);
        }
    }

    private boolean isSilent() {
        return replica.promisedWriter().lastContactNanos().equals(heardNanos);
    }

    private void handleOutcome(Transport.Probe probe) {
        if (probe == Transport.Probe.REFUSED) {
            log.write(() -> LOG.info(
                    "The writer appears to be down, as its session broke and its port is closed: writer={} "
                            + "node={}",
                    writer,
                    writerNode));
            handleWriterDown();
        } else {
            transport.schedule(this::check, Duration.ofMillis(50));
        }
    }

    /** Repeats this when the rest of the lease has expired, so that callers waiting for its end are notified. */
    private void handleWriterDown() {
        Duration left = isSilent() ? replica.promisedWriter().shortenLeaseOf(writer) : Duration.ZERO;
        if (!left.isZero()) {
            transport.schedule(this::handleWriterDown, left);
        }
    }
}
