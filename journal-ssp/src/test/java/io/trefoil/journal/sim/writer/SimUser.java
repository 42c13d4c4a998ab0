/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.history.Transactions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What HDFS does with a writer: starts a segment, appends batches of consecutive transactions, waits for them, ends the
 * segment, perhaps takes something back, starts the next one; ends when the writer is fenced.
 */
final class SimUser {

    private static final Bytes LAYOUT_VERSION = Bytes.ofUtf8("-66");
    private static final long REST_NANOS = 50_000_000;
    private static final int MAX_TRANSACTIONS_PER_BATCH = 4;
    private static final int MAX_BATCHES_PER_SEGMENT = 12;
    private static final int MAX_SEGMENTS_TAKEN_BACK = 3;

    /** An entry to be written. */
    private record PlannedEntry(EntryKind kind, TxRange txIds, Bytes payload) {}

    private final WriterWorld world;
    private final SimWriter writer;
    private final int maxOutstanding;
    private final Deque<Entry> outstanding = new ArrayDeque<>();
    private long ackedSn;
    private long nextTxId;
    private long segmentFirstTxId;
    private int batchesLeft;
    private boolean inSegment;
    private boolean ready;
    private boolean workIsDue;
    /** Entries of a command still to be written, each when the one before is committed. */
    private final Deque<PlannedEntry> planned = new ArrayDeque<>();

    private Optional<Entry> takingBack = Optional.empty();

    SimUser(WriterWorld world, SimWriter writer, int maxOutstanding) {
        this.world = world;
        this.writer = writer;
        this.maxOutstanding = maxOutstanding;
    }

    /** The writer is ready for appends; {@code lastTxId} is the last transaction in its log. */
    void begin(long lastTxId) {
        ready = true;
        nextTxId = lastTxId + 1;
        scheduleWork();
    }

    /** Everything up to a serial number is acknowledged: the appends up to there return, if they need not be committed as well. */
    void onAcknowledged(long sn) {
        ackedSn = Math.max(ackedSn, sn);
        onCommitAdvanced();
    }

    /** More may be committed. */
    void onCommitAdvanced() {
        while (!outstanding.isEmpty() && hasReturned(outstanding.peek())) {
            onAcked(outstanding.remove());
            scheduleWork();
        }
    }

    private boolean hasReturned(Entry entry) {
        return entry.sn() <= ackedSn
                && (entry.kind() == EntryKind.EDITS
                        || entry.sn() <= writer.state().committedSn());
    }

    private void onAcked(Entry entry) {
        world.writers().onAcked(writer, entry);
        if (Transactions.discardBoundary(entry).isPresent()) {
            // Written twice: the second entry tells nodes that the first is committed.
            takingBack.ifPresent(first -> writer.report(new Fact.TakenBack(writer.id(), first)));
            takingBack = takingBack.isPresent() ? Optional.empty() : Optional.of(entry);
        }
    }

    private void scheduleWork() {
        if (!workIsDue) {
            workIsDue = true;
            long nanos = 50_000L + world.random().nextInt(world.mix().maxThinkMicros()) * 1_000L;
            writer.schedule(nanos, "user works", this::work);
        }
    }

    private void work() {
        workIsDue = false;
        if (!ready || !writer.isWriting()) {
            return;
        }
        if (!world.writers().areUsersWorking()) {
            workIsDue = true;
            writer.schedule(REST_NANOS, "user rests", this::work);
            return;
        }
        Random random = world.random();
        while (outstanding.size() < maxOutstanding) {
            if (planned.isEmpty() && !inSegment && outstanding.isEmpty()) {
                planCommand(random);
            }
            if (!planned.isEmpty()) {
                if (!outstanding.isEmpty()) {
                    return;
                }
                append(planned.remove());
            } else if (!inSegment) {
                segmentFirstTxId = nextTxId;
                batchesLeft = 1 + random.nextInt(MAX_BATCHES_PER_SEGMENT);
                inSegment = true;
                append(EntryKind.SEGMENT_START, TxRange.emptyRangeAt(nextTxId), LAYOUT_VERSION);
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

    /** Sometimes plans what HDFS's commands do between two segments: rolling upgrade rolled back, upgrade, rollback, finalize. */
    private void planCommand(Random random) {
        double chance = world.mix().takeBackChance();
        if (chance == 0 || writer.isLone() || random.nextDouble() >= chance) {
            return;
        }
        StorageRecord storage = writer.state().end().storage().orElseThrow();
        boolean upgraded = storage.event() == StorageRecord.Event.UPGRADE;
        if (random.nextBoolean()) {
            planDiscard(random, upgraded ? storage.rollbackPoint().get().lastTxId() : 0);
        } else if (upgraded) {
            planTwice(random.nextInt(4) == 0 ? storage.afterFinalize() : storage.afterRollback());
        } else {
            StorageRecord prepared = storage.beforeUpgrade(nextTxId - 1);
            planTwice(prepared);
            StorageRecord.Version version = storage.version();
            planTwice(prepared.afterUpgrade(StorageRecord.Version.of(version.layoutVersion(), version.cTime() + 1)));
        }
    }

    private void planTwice(StorageRecord record) {
        planTwice(new PlannedEntry(EntryKind.STORAGE, TxRange.NONE, record.toPayload()));
    }

    private void planTwice(PlannedEntry entry) {
        planned.add(entry);
        planned.add(entry);
    }

    /** Takes back whole segments only, and none that the rollback of an upgrade needs. */
    private void planDiscard(Random random, long rollbackTxId) {
        List<TxRange> segments =
                Transactions.upTo(world.ledger()
                                .tree()
                                .branchAt(writer.state().end().position()))
                        .segments()
                        .stream()
                        .filter(segment -> segment.first() > rollbackTxId)
                        .toList();
        if (!segments.isEmpty()) {
            int count = 1 + random.nextInt(Math.min(MAX_SEGMENTS_TAKEN_BACK, segments.size()));
            long first = segments.get(segments.size() - count).first();
            planTwice(new PlannedEntry(EntryKind.DISCARD, TxRange.emptyRangeAt(first), Bytes.EMPTY));
        }
    }

    private void append(PlannedEntry entry) {
        append(entry.kind(), entry.txIds(), entry.payload());
        nextTxId = writer.state().end().lastTxId() + 1;
    }

    private void append(EntryKind kind, TxRange txIds, Bytes payload) {
        // Recorded before it is sent: a group of one node commits at once.
        writer.append(kind, txIds, payload, outstanding::add);
    }
}
