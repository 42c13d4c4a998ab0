/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.TxRange;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;

/**
 * What HDFS does with a writer: starts a segment, appends batches of consecutive transactions, waits for them, ends the
 * segment, starts the next; and is gone when the writer is fenced.
 */
final class SimUser {

    private static final Bytes LAYOUT_VERSION = Bytes.ofUtf8("-66");
    private static final long REST_NANOS = 50_000_000;
    private static final int MAX_TRANSACTIONS_PER_BATCH = 4;
    private static final int MAX_BATCHES_PER_SEGMENT = 12;

    private final Simulation simulation;
    private final SimWriter writer;
    private final int maxOutstanding;
    private final Deque<Entry> outstanding = new ArrayDeque<>();
    private long nextTxId;
    private long segmentFirstTxId;
    private int batchesLeft;
    private boolean inSegment;
    private boolean ready;
    private boolean workIsDue;

    SimUser(Simulation simulation, SimWriter writer, int maxOutstanding) {
        this.simulation = simulation;
        this.writer = writer;
        this.maxOutstanding = maxOutstanding;
    }

    /** The writer may be appended to; {@code lastTxId} is the last transaction in its log. */
    void begin(long lastTxId) {
        ready = true;
        nextTxId = lastTxId + 1;
        workSoon();
    }

    /** Everything up to a serial number is committed: the appends up to there return. */
    void committed(long sn) {
        while (!outstanding.isEmpty() && outstanding.peek().sn() <= sn) {
            simulation.acked(writer, outstanding.remove());
            workSoon();
        }
    }

    private void workSoon() {
        if (!workIsDue) {
            workIsDue = true;
            long nanos = 50_000L + simulation.random().nextInt(simulation.mix().maxThinkMicros()) * 1_000L;
            writer.after(nanos, "user works", this::work);
        }
    }

    private void work() {
        workIsDue = false;
        if (!ready || !writer.isWriting()) {
            return;
        }
        if (!simulation.usersWork()) {
            workIsDue = true;
            writer.after(REST_NANOS, "user rests", this::work);
            return;
        }
        Random random = simulation.random();
        while (outstanding.size() < maxOutstanding) {
            if (!inSegment) {
                segmentFirstTxId = nextTxId;
                batchesLeft = 1 + random.nextInt(MAX_BATCHES_PER_SEGMENT);
                inSegment = true;
                append(EntryKind.SEGMENT_START, TxRange.emptyAt(nextTxId), LAYOUT_VERSION);
            } else if (batchesLeft-- > 0) {
                long last = nextTxId + random.nextInt(MAX_TRANSACTIONS_PER_BATCH);
                Bytes edits = Bytes.ofUtf8(writer.id() + " wrote " + nextTxId + " to " + last);
                append(EntryKind.EDITS, TxRange.of(nextTxId, last), edits);
                nextTxId = last + 1;
            } else {
                inSegment = false;
                append(EntryKind.SEGMENT_END, TxRange.of(segmentFirstTxId, nextTxId - 1), Bytes.EMPTY);
            }
        }
    }

    private void append(EntryKind kind, TxRange txIds, Bytes payload) {
        // Put down before it is sent: a group of one node commits at once.
        writer.append(kind, txIds, payload, outstanding::add);
    }
}
