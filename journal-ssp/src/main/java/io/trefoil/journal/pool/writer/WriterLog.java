/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.writer.WriterState;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a writer tells the log of its process. Each line is written by a thread of its own: whoever writes it waits for
 * the log's disk, and neither the holder of the writer's monitor nor the thread on which answers come may wait.
 * Thread-safe; no method waits or fails.
 */
final class WriterLog {
    /** Under the name of the class that users of the journal know. */
    private static final Logger LOG = LoggerFactory.getLogger(PoolWriter.class);

    private final String name;
    private final LogThread thread;

    /** @param name of the journal, at the beginning of each line */
    WriterLog(String name) {
        this.name = name;
        this.thread = new LogThread("ssp-log " + name);
    }

    void stepped(WriterState before, WriterState after) {
        if (after.stage() != before.stage()) {
            write(() -> LOG.info("{}: writer {} -> {}, {}", name, before.stage(), after.stage(), after.describe()));
        }
        if (!after.end().members().equals(before.end().members())) {
            write(() -> LOG.info(
                    "{}: the members are now {}", name, after.end().members().list()));
        }
    }

    void ready(WriterState state) {
        write(() -> LOG.info("{}: writer is ready, {}", name, state.describe()));
    }

    void droppedFromInSync(NodeAddress address, long sn, WriterState state) {
        write(() -> LOG.warn(
                "{}: {} did not acknowledge entry {} within {} ms; it is dropped from the in-sync set, and caught up",
                name,
                address,
                sn,
                state.settings().ackTimeoutMillis()));
    }

    void inSyncAgain(NodeAddress address) {
        write(() -> LOG.info("{}: {} is in sync again", name, address));
    }

    void fenced(Epoch own, Epoch by) {
        write(() -> LOG.error("{}: writer of epoch={} was fenced by epoch={}", name, own, by));
    }

    void beganAnew(Epoch epoch, Incarnation own, Incarnation by) {
        write(() -> LOG.error(
                "{}: writer of epoch={} goes on with incarnation={}, the voters that hold incarnation={} leave it no majority",
                name,
                epoch,
                own,
                by));
    }

    void broken(Epoch epoch, Throwable cause) {
        write(() -> LOG.error("{}: the writer of epoch {} is broken", name, epoch, cause));
    }

    void unreadable(NodeAddress to, NodeAddress from, IOException cause) {
        write(() -> LOG.info("{}: entries for {} could not be read from {}: {}", name, to, from, cause.toString()));
    }

    void refused(NodeAddress address, String why) {
        write(() -> LOG.warn("{}: {} refuses us: {}", name, address, why));
    }

    void sessionBroke(NodeAddress address, String why) {
        if (LOG.isDebugEnabled()) {
            write(() -> LOG.debug("{}: session with {} broke: {}", name, address, why));
        }
    }

    void tooLateToRead() {
        if (LOG.isDebugEnabled()) {
            write(() -> LOG.debug("{}: not done any more, the process ends", name));
        }
    }

    void stillWaiting(String what, WriterState state) {
        write(() -> LOG.warn(
                "{}: still waiting for {}; nothing is lost, it goes on when nodes answer: {}",
                name,
                what,
                state.describe()));
    }

    /** Takes no more lines; those that are here are written yet. */
    void end() {
        thread.end();
    }

    private void write(Runnable line) {
        thread.write(line);
    }
}
