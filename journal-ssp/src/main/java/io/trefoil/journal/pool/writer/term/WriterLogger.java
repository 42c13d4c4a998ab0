/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer.term;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.writer.WriterState;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a writer's lines to the log of its process. A separate thread writes each line: writing waits for the log's disk, and
 * neither a step of the rules nor the thread that receives answers may wait. Thread-safe; no method
 * waits or fails.
 */
public final class WriterLogger {
    private static final Logger LOG = LoggerFactory.getLogger(WriterLogger.class);

    private final String name;
    private final LogThread thread;

    /** @param name of the journal, at the beginning of each line */
    public WriterLogger(String name) {
        this.name = name;
        this.thread = new LogThread("ssp-log " + name);
    }

    public void logStep(WriterState before, WriterState after) {
        if (after.stage() != before.stage()) {
            write(() -> LOG.info(
                    "journal={}: writer stage={} -> {}, {}", name, before.stage(), after.stage(), after.describe()));
        }
        if (!after.end().members().equals(before.end().members())) {
            write(() -> LOG.info(
                    "journal={}: members={}", name, after.end().members().list()));
        }
    }

    public void logReady(WriterState state) {
        write(() -> LOG.info("journal={}: writer is ready, {}", name, state.describe()));
    }

    public void logDroppedFromInSync(NodeAddress address, long sn, WriterState state) {
        write(() -> LOG.warn(
                "journal={}: node={} did not acknowledge entry {} within {} ms; it is dropped from the in-sync set until caught up"
                        + "; no action needed; if this recurs, check its disk and network",
                name,
                address,
                sn,
                state.settings().ackTimeoutMillis()));
    }

    public void logRejoinedInSync(NodeAddress address) {
        write(() -> LOG.info("journal={}: node={} is in sync again", name, address));
    }

    public void logMisplacedMember(NodeAddress address, Member member) {
        write(() -> LOG.error(
                "journal={}: node={} claims to be storage={}, which is the member at {}: its answers do not count, and it is "
                        + "sent no entries. If that storage was moved, 'hdfs trefoil journal add {}' lets it "
                        + "keep its vote there; it never takes the place of another member",
                name,
                address,
                member.id(),
                member.address(),
                address));
    }

    public void logFenced(Epoch ownEpoch, Epoch higherEpoch) {
        write(() -> LOG.warn(
                "journal={}: writer of epoch={} was fenced by epoch={}; no action needed: another NameNode is "
                        + "the writer",
                name,
                ownEpoch,
                higherEpoch));
    }

    public void logReinitialized(Epoch epoch, Incarnation ownIncarnation, Incarnation newIncarnation) {
        write(() -> LOG.error(
                "journal={}: writer of epoch={} has incarnation={}, while incarnation={} {}; do: see "
                        + "'hdfs trefoil journal status'",
                name,
                epoch,
                ownIncarnation,
                newIncarnation,
                ownIncarnation.isAbove(newIncarnation)
                        ? "is in force, which the host that formatted the journal did not know about"
                        : "is held by so many voters that this writer has no majority"));
    }

    public void logFailure(Epoch epoch, Throwable cause) {
        write(() -> LOG.error(
                "journal={}: the writer of epoch={} failed; do: report the cause; this NameNode exits, "
                        + "and another takes over",
                name,
                epoch,
                cause));
    }

    public void logUnreadable(NodeAddress to, NodeAddress from, IOException cause) {
        write(() -> LOG.info(
                "journal={}: entries for node={} could not be read from source={}: {}",
                name,
                to,
                from,
                cause.toString()));
    }

    public void logRefused(NodeAddress address, String reason) {
        write(() -> LOG.warn(
                "journal={}: node={} rejects this writer: {}; do: see 'hdfs trefoil journal status'",
                name,
                address,
                reason));
    }

    public void logSessionBroken(NodeAddress address, String reason) {
        if (LOG.isDebugEnabled()) {
            write(() -> LOG.debug("journal={}: session with node={} broke: {}", name, address, reason));
        }
    }

    public void logEventDropped() {
        if (LOG.isDebugEnabled()) {
            write(() -> LOG.debug("journal={}: event dropped, the process is exiting", name));
        }
    }

    public void logStillWaiting(String operation, WriterState state) {
        write(() -> LOG.warn(
                "journal={}: still waiting for {}; nothing is lost, and writing continues when nodes answer: {}; "
                        + "do: start the pool nodes that are down",
                name,
                operation,
                state.describe()));
    }

    /** Accepts no more lines; those already accepted are still written. */
    public void shutDown() {
        thread.shutDown();
    }

    private void write(Runnable logCall) {
        thread.write(logCall);
    }
}
