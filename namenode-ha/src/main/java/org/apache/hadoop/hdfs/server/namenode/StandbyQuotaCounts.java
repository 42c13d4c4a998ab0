/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.hdfs.tailing.EditsObserver;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps quota counts correct on a standby, so that it need not count the whole namespace when it becomes active.
 *
 * <p>A standby counts once, before the first edit it applies after its start or a time as the active, and then with each edit the changes
 * by that edit ({@link QuotaChange}). When it becomes active, HDFS's own count is led to an empty root ({@link RootCountBypass}). Whatever
 * is not surely right ends that: HDFS then counts at the next takeover, as it always does. This begins anew after it, or an hour after its
 * last count. What an active counts is not relied on: it does not count storage policies that change, for instance. Nor is what HDFS
 * changes between edits: blocks that were committed while this NameNode was active are completed by reports of DataNodes. Then it counts
 * again, a few times at most, since these reports come soon.
 *
 * <p>It is in HDFS's package because the counts, the root and the fields of edits are visible only there. All calls but
 * {@link #areUpToDate} and {@link #isCounting} come under the namesystem's write lock, which guards the state.
 *
 * <p>Uses {@code FSDirectory.updateCountForQuota} and {@code rootDir}, {@code FSNamesystem.inTransitionToActive}, {@code
 * getSnapshotManager}, {@code FSImage.getLastAppliedTxId}.
 */
public final class StandbyQuotaCounts implements EditsObserver {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyQuotaCounts.class);

    private static final int MAX_COUNTS = 3;
    /**
     * The shortest pause between counts, as a NameNode falls behind while it counts. It may be twice as long: the
     * standbys and observers of a group should not count at once.
     */
    private static final long PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The number of inodes that are counted in about 0.1 ms. */
    private static final long SMALL = 1_000;

    private enum State {
        /** The counts are pending: HDFS's method counts before the next edit. */
        UNCOUNTED,
        /** The counts include all edits up to {@code keptTo}. */
        KEPT,
        /** The counts may be wrong. */
        UNKNOWN
    }

    private final FSNamesystem namesystem;
    private final LongSupplier nanoTime;
    private final SnapshotUsage snapshots;
    private final EditedPlaces places;
    private final LogThread log = new LogThread("quota-counts-log");
    private final long pauseNanos = PAUSE_NANOS + ThreadLocalRandom.current().nextLong(PAUSE_NANOS);
    // Written under the lock.
    private volatile State state = State.UNCOUNTED;
    private volatile boolean counting;
    private long keptTo;
    private QuotaChange applying = QuotaChange.none();
    private boolean betweenStreams = true;
    private QuotaCounts betweenEdits = new QuotaCounts.Builder().build();
    private int counts;
    private long countedNanos;
    private int takeovers;

    public StandbyQuotaCounts(FSNamesystem namesystem) {
        this(namesystem, System::nanoTime, SMALL);
    }

    /**
     * @param nanoTime a monotonic clock
     * @param small how many files and directories of stale entries are counted after each stream
     */
    StandbyQuotaCounts(FSNamesystem namesystem, LongSupplier nanoTime, long small) {
        this.namesystem = namesystem;
        this.nanoTime = nanoTime;
        this.snapshots = new SnapshotUsage(namesystem.getFSDirectory(), small);
        this.places = new EditedPlaces(namesystem.getFSDirectory(), snapshots);
    }

    @Override
    public void onEdit(FSEditLogOp edit) {
        RootCountBypass.restoreRoot(namesystem.getFSDirectory());
        settle();
        if (state == State.KEPT && betweenStreams && !isUnchanged()) {
            onChangeBetweenEdits(edit.getTransactionId());
        } else if (state == State.UNKNOWN && betweenStreams && mayRecount()) {
            state = State.UNCOUNTED;
            counts = MAX_COUNTS - 1;
        }
        if (state == State.UNCOUNTED) {
            countBefore(edit.getTransactionId());
        }
        if (state == State.KEPT) {
            prepare(edit);
        }
        betweenStreams = false;
    }

    private void onChangeBetweenEdits(long txId) {
        if (counts < MAX_COUNTS) {
            state = State.UNCOUNTED;
        } else {
            abandon("before txid=" + txId, new UncountableException("HDFS changes them between edits"));
        }
    }

    private boolean mayRecount() {
        return nanoTime.getAsLong() - countedNanos >= pauseNanos;
    }

    private void settle() {
        QuotaChange applied = applying;
        applying = QuotaChange.none();
        trySettle(applied::settle);
    }

    private boolean trySettle(QuotaChange.Settlement settlement) {
        try {
            settlement.settle();
            return true;
        } catch (UncountableException | RuntimeException | Error e) {
            abandon("after txid=" + keptTo, e);
            return false;
        }
    }

    /** Counts before an edit, but not during a takeover: HDFS would count then anyway if the effect of a later edit were unknown. */
    private void countBefore(long txId) {
        long applied = appliedTxId();
        if (txId == applied + 1 && !namesystem.inTransitionToActive()) {
            keptTo = applied;
            state = State.KEPT;
            betweenStreams = false;
            counts++;
            countedNanos = nanoTime.getAsLong();
            snapshots.clear();
            counting = true;
            try {
                namesystem.getFSDirectory().updateCountForQuota();
            } catch (RuntimeException | Error e) {
                abandon("before txid=" + txId, e);
                return;
            } finally {
                counting = false;
            }
            log.write(() -> LOG.info("Counted the quotas up to txid={}; maintaining them from now on", txId));
        }
    }

    private void prepare(FSEditLogOp edit) {
        long txId = edit.getTransactionId();
        // In the middle of a stream HDFS does not say how far it is.
        if (betweenStreams && appliedTxId() != keptTo) {
            abandon(
                    "before txid=" + txId,
                    new UncountableException("edits up to txid=" + appliedTxId() + " were applied"));
        } else if (txId > keptTo + 1) {
            abandon("before txid=" + txId, new UncountableException("edits are missing after txid=" + keptTo));
        } else if (txId == keptTo + 1) {
            keptTo = txId;
            try {
                applying = places.change(edit);
            } catch (UncountableException | RuntimeException | Error e) {
                abandon("before txid=" + txId, e);
            }
        }
    }

    @Override
    public void onStreamFinished() {
        settle();
        if (state == State.KEPT) {
            trySettle(snapshots::settleSmallCounts);
        }
        betweenStreams = true;
        betweenEdits = rootCounts();
    }

    @Override
    public void onSegmentStart() {
        if (!namesystem.inTransitionToActive()) {
            return;
        }
        long applied = appliedTxId();
        long stale = snapshots.staleSize();
        if (state == State.KEPT && betweenStreams && applied == keptTo && isUnchanged() && trySettleSnapshots()) {
            RootCountBypass.replaceRoot(namesystem.getFSDirectory());
            takeovers++;
            log.write(() -> LOG.info(
                    "Quota counts are current up to txid={}, so HDFS does not recount them; recounted={}",
                    applied,
                    stale));
        }
        state = State.UNCOUNTED;
        counts = 0;
    }

    /** Settles the deferred counts; returns whether all counts are correct now. */
    boolean trySettleSnapshots() {
        boolean settled = trySettle(snapshots::settleAll);
        betweenEdits = rootCounts();
        return settled;
    }

    private long appliedTxId() {
        return namesystem.getFSImage().getLastAppliedTxId();
    }

    /** Whether nothing was counted since the last edit, which the root shows, as it counts everything. */
    private boolean isUnchanged() {
        return rootCounts().equals(betweenEdits);
    }

    private QuotaCounts rootCounts() {
        return namesystem
                .getFSDirectory()
                .getRoot()
                .getDirectoryWithQuotaFeature()
                .getSpaceConsumed();
    }

    /** Whether the counts include all edits seen here, if HDFS has applied them. Any thread, without the lock. */
    public boolean areUpToDate() {
        return state == State.KEPT;
    }

    /** Whether the whole namespace is being counted now: threads that want the lock wait for that. Any thread, without the lock. */
    public boolean isCounting() {
        return counting;
    }

    /** Returns how often HDFS had nothing to count. */
    int takeoversWithoutCount() {
        return takeovers;
    }

    /**
     * Abandons the counts, even after an error, such as lack of memory: HDFS retries the edit, and half a count would be mistaken for a whole
     * one.
     */
    private void abandon(String where, Throwable cause) {
        applying = QuotaChange.none();
        if (state == State.KEPT) {
            state = State.UNKNOWN;
            log.write(() -> LOG.info(
                    "Stopped maintaining quota counts {}, cause={}; HDFS recounts the quotas if this NameNode "
                            + "becomes active before they are complete again",
                    where,
                    cause.toString()));
        }
    }
}
