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
 * Keeps the counts of quotas right at a standby, so that it need not count the whole namespace when it becomes active.
 *
 * <p>A standby counts once, before the first edit that it applies after it has started or was active, and then with each edit what
 * that changes ({@link QuotaChange}). When it becomes active, HDFS's own count is led to an empty root ({@link
 * RootCountBypass}). Whatever is not surely right ends that: HDFS then counts at the next takeover, as it always does. This begins
 * anew after it, or an hour after its last count if there are no snapshots any more: they may have been there for a moment only, as
 * in a move of a subtree. What an active counts is not relied on: it does not count storage policies that change, for instance. Nor is
 * what HDFS changes between edits: blocks that were committed while this NameNode was active are completed by reports of DataNodes.
 * Then it counts again, a few times at most, since these reports come soon.
 *
 * <p>It is in HDFS's package because the counts, the root and the fields of edits are visible only there. All calls but
 * {@link #areKept} and {@link #isCounting} come under the namesystem's write lock, which guards the state.
 *
 * <p>Uses {@code FSDirectory.updateCountForQuota} and {@code rootDir}, {@code FSNamesystem.inTransitionToActive}, {@code
 * getSnapshotManager}, {@code FSImage.getLastAppliedTxId}.
 */
public final class StandbyQuotaCounts implements EditsObserver {
    private static final Logger LOG = LoggerFactory.getLogger(StandbyQuotaCounts.class);

    private static final int MOST_COUNTS = 3;
    /**
     * The shortest pause between counts, as a NameNode that counts is behind meanwhile. It may be twice as long: the
     * standbys and observers of a group should not count at once.
     */
    private static final long PAUSE_NANOS = TimeUnit.HOURS.toNanos(1);

    private enum State {
        /** HDFS's method counts before the next edit. */
        UNCOUNTED,
        /** The counts are those of all edits up to {@code keptTo}. */
        KEPT,
        /** The counts may be wrong. */
        UNKNOWN
    }

    private final FSNamesystem namesystem;
    private final LongSupplier nanoTime;
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
        this(namesystem, System::nanoTime);
    }

    /** @param nanoTime a monotonic clock */
    StandbyQuotaCounts(FSNamesystem namesystem, LongSupplier nanoTime) {
        this.namesystem = namesystem;
        this.nanoTime = nanoTime;
    }

    @Override
    public void next(FSEditLogOp edit) {
        RootCountBypass.restoreRoot(namesystem.getFSDirectory());
        settle();
        if (state == State.KEPT && betweenStreams && !isAsItWas()) {
            changedBetweenEdits(edit.getTransactionId());
        } else if (state == State.UNKNOWN && betweenStreams && mayRecount()) {
            state = State.UNCOUNTED;
            counts = MOST_COUNTS - 1;
        }
        if (state == State.UNCOUNTED) {
            countBefore(edit.getTransactionId());
        }
        if (state == State.KEPT) {
            prepare(edit);
        }
        betweenStreams = false;
    }

    private void changedBetweenEdits(long txId) {
        if (counts < MOST_COUNTS) {
            state = State.UNCOUNTED;
        } else {
            abandon("before txid=" + txId, new UncountableException("HDFS changes them between edits"));
        }
    }

    private boolean mayRecount() {
        return nanoTime.getAsLong() - countedNanos >= pauseNanos
                && namesystem.getSnapshotManager().getNumSnapshots() == 0;
    }

    private void settle() {
        QuotaChange applied = applying;
        applying = QuotaChange.none();
        try {
            applied.settle();
        } catch (UncountableException | RuntimeException | Error e) {
            abandon("after txid=" + keptTo, e);
        }
    }

    /** Counts before an edit, but not during a takeover: HDFS would count there all the same if an edit after that were not known. */
    private void countBefore(long txId) {
        long applied = applied();
        if (txId == applied + 1 && !namesystem.inTransitionToActive()) {
            keptTo = applied;
            state = State.KEPT;
            betweenStreams = false;
            counts++;
            countedNanos = nanoTime.getAsLong();
            counting = true;
            try {
                namesystem.getFSDirectory().updateCountForQuota();
            } catch (RuntimeException | Error e) {
                abandon("before txid=" + txId, e);
                return;
            } finally {
                counting = false;
            }
            log.write(() -> LOG.info("Counted quotas up to txid={}; they are maintained from now on", txId));
        }
    }

    private void prepare(FSEditLogOp edit) {
        long txId = edit.getTransactionId();
        // In the middle of a stream HDFS does not say how far it is.
        if (betweenStreams && applied() != keptTo) {
            abandon("before txid=" + txId, new UncountableException("edits up to txid=" + applied() + " were applied"));
        } else if (txId > keptTo + 1) {
            abandon("before txid=" + txId, new UncountableException("edits are missing after txid=" + keptTo));
        } else if (txId == keptTo + 1) {
            keptTo = txId;
            try {
                applying = QuotaChange.ofEdit(edit, namesystem.getFSDirectory());
            } catch (UncountableException | RuntimeException | Error e) {
                abandon("before txid=" + txId, e);
            }
        }
    }

    @Override
    public void applyFinished() {
        settle();
        betweenStreams = true;
        betweenEdits = ofRoot();
    }

    @Override
    public void segmentStarts() {
        if (!namesystem.inTransitionToActive()) {
            return;
        }
        long applied = applied();
        if (state == State.KEPT && betweenStreams && applied == keptTo && isAsItWas()) {
            RootCountBypass.replaceRoot(namesystem.getFSDirectory());
            takeovers++;
            log.write(() -> LOG.info("Quota counts are current up to txid={}: HDFS need not recount", applied));
        }
        state = State.UNCOUNTED;
        counts = 0;
    }

    private long applied() {
        return namesystem.getFSImage().getLastAppliedTxId();
    }

    /** Whether nothing was counted since the last edit; whatever counts anywhere counts in the root. */
    private boolean isAsItWas() {
        return ofRoot().equals(betweenEdits);
    }

    private QuotaCounts ofRoot() {
        return namesystem
                .getFSDirectory()
                .getRoot()
                .getDirectoryWithQuotaFeature()
                .getSpaceConsumed();
    }

    /** Whether the counts are those of all edits that it was told of, if HDFS has applied them. Any thread, without the lock. */
    public boolean areKept() {
        return state == State.KEPT;
    }

    /** Whether the whole namespace is being counted now: threads that want the lock wait for that. Any thread, without the lock. */
    public boolean isCounting() {
        return counting;
    }

    /** How often HDFS had nothing to count. */
    int takeoversWithoutCount() {
        return takeovers;
    }

    /** Even after an error, such as no memory for a count: HDFS tries the edit again, and half a count would pass for a whole one. */
    private void abandon(String where, Throwable why) {
        applying = QuotaChange.none();
        if (state == State.KEPT) {
            state = State.UNKNOWN;
            log.write(() -> LOG.info(
                    "Quota counts are not maintained {}: {}. HDFS recounts if this NameNode becomes active "
                            + "before they are",
                    where,
                    why.toString()));
        }
    }
}
