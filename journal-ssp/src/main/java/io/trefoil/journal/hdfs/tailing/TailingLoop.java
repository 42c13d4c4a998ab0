/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.tailing;

import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.replica.storage.CommitSignal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ha.EditLogTailer;
import org.apache.hadoop.util.ExitUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of {@code SspTailingPlugin}'s thread: waits for a commit, then has HDFS's own tailer apply what is
 * committed.
 *
 * <p>While it waits it holds no lock. While it tails it holds the checkpoint lock, as HDFS's tailer does, and is inside
 * the {@link TailingGate}, so that a NameNode that becomes active can stop it first.
 *
 * <p>Uses {@code NameNode.isStandbyState}, {@code isObserverState}, {@code getFSImage}, {@code getNamesystem};
 * {@code FSNamesystem.cpLockInterruptibly}, {@code cpUnlock}, {@code getEditLogTailer}, {@code isNeedRollbackFsImage};
 * {@code FSImage.getLastAppliedOrWrittenTxId}, which takes no lock; {@code EditLogTailer.doTailEdits};
 * {@code ExitUtil.terminate}.
 */
public final class TailingLoop {
    private static final Logger LOG = LoggerFactory.getLogger(TailingLoop.class);

    private static final Duration WAIT = Duration.ofSeconds(1);
    /** How often a thread that does not tail checks whether its NameNode follows again. */
    private static final long IDLE_MILLIS = 200;

    private static final long FIRST_PAUSE_MILLIS = 10;
    private static final long MAX_PAUSE_MILLIS = 1_000;
    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final NameNode nameNode;
    private final TailingGate gate;
    private final JournalSource source;
    private final boolean makesCheckpoints;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final LongConsumer lags;
    private volatile Optional<CommitSignal> heard = Optional.empty();
    private final CommitSignal.Listener hearing = this::onCommitted;
    private long pauseMillis = FIRST_PAUSE_MILLIS;
    private long loggedNanos = System.nanoTime() - LOG_NANOS;

    /** Looks up the journal; called repeatedly until its node can be started. */
    public interface JournalSource {
        Journal journal() throws IOException;
    }

    /** @param lags gets the nanoseconds from hearing of each commit until it is applied */
    public TailingLoop(NameNode nameNode, TailingGate gate, JournalSource source, LongConsumer lags) {
        this.nameNode = nameNode;
        this.gate = gate;
        this.source = source;
        this.lags = lags;
        this.makesCheckpoints = nameNode.getConf()
                .getBoolean(
                        DFSConfigKeys.DFS_HA_STANDBY_CHECKPOINTS_KEY, DFSConfigKeys.DFS_HA_STANDBY_CHECKPOINTS_DEFAULT);
    }

    /** Returns after {@link #stop}. */
    public Void run() {
        LOG.info("Tailing edits as they are committed");
        gate.setRollbackImagePending(this::isRollbackImagePending);
        gate.startFollowing();
        while (stopped.getCount() > 0) {
            try {
                runOnce();
            } catch (InterruptedException e) {
                LOG.debug("Tailing interrupted: the process is stopping, or its role is changing");
            } catch (LinkageError e) {
                // It would only come again. HDFS's own tailer continues, at its own pace.
                LOG.error(
                        "Stopped tailing: this release of Hadoop lacks an API that Trefoil uses, so edits are "
                                + "applied every dfs.ha.tail-edits.period; do: run 'hdfs trefoil preflight --linkage', "
                                + "which lists what is missing",
                        e);
                break;
            } catch (IOException | RuntimeException | Error e) {
                // No edit failed. HDFS's tailer will meet the same error, and decides what happens to the NameNode.
                report(e);
                pauseLonger();
            }
        }
        gate.setRollbackImagePending(() -> false);
        heard.ifPresent(commits -> commits.remove(hearing));
        gate.lag().pauseTracking();
        return null;
    }

    /**
     * Whether a rolling upgrade has begun and its rollback image is not made yet. An observer makes no image, so it may
     * keep following.
     */
    private boolean isRollbackImagePending() {
        return makesCheckpoints
                && nameNode.isStandbyState()
                && nameNode.getNamesystem().isNeedRollbackFsImage();
    }

    /** Makes {@link #run} return; its thread must be interrupted as well. */
    public void stop() {
        stopped.countDown();
    }

    private void runOnce() throws IOException, InterruptedException {
        if (!isFollowing()) {
            gate.lag().pauseTracking();
            source.journal().unappliedEdit().ifPresent(note -> note.clearIfApplied(appliedTxId()));
            pause(IDLE_MILLIS);
            return;
        }
        long applied = appliedTxId();
        Journal journal = source.journal();
        gate.lag().startFollowing(applied);
        gate.lag().recordApplied(applied, System.nanoTime(), lags);
        journal.unappliedEdit().ifPresent(note -> note.clearIfApplied(applied));
        subscribe(journal);
        long committed = journal.awaitCommitted(applied, WAIT);
        if (committed <= applied) {
            return;
        }
        // Without a replica in this process, this is when it learns of the commit.
        gate.lag().recordCommitted(committed, System.nanoTime());
        if (!gate.tryEnter()) {
            pause(IDLE_MILLIS);
            return;
        }
        try {
            tail(nameNode.getNamesystem(), journal);
        } finally {
            gate.leave();
        }
        // Applied by either thread: HDFS's own tailer may have been faster.
        if (appliedTxId() > applied) {
            pauseMillis = FIRST_PAUSE_MILLIS;
        } else {
            // Committed, but it could not be applied: HDFS logged why. Without a pause this thread would only burn its
            // core.
            pauseLonger();
        }
    }

    private long appliedTxId() {
        return nameNode.getFSImage().getLastAppliedOrWrittenTxId();
    }

    private void subscribe(Journal journal) {
        Optional<CommitSignal> commits = journal.localCommitSignal();
        if (!commits.equals(heard)) {
            heard.ifPresent(before -> before.remove(hearing));
            heard = commits;
            heard.ifPresent(now -> now.add(hearing));
        }
    }

    /** Tells the lag meter of a commit; runs on the thread that wrote the committed entries. */
    private void onCommitted() {
        heard.ifPresent(commits -> gate.lag().recordCommitted(commits.committedTxId(), System.nanoTime()));
    }

    /** Applies what is committed; looks up the tailer each time, since every change of role makes a new one. */
    private void tail(FSNamesystem namesystem, Journal journal) throws IOException, InterruptedException {
        namesystem.cpLockInterruptibly();
        try {
            EditLogTailer tailer = namesystem.getEditLogTailer();
            if (isFollowing()) {
                gate.setStoppedAt(Optional.<UnappliedEditFinder.StopPoint>empty());
                tailer.doTailEdits();
            }
        } catch (IOException | RuntimeException | Error e) {
            terminateIfHalfApplied(journal, e);
            throw e;
        } finally {
            namesystem.cpUnlock();
        }
    }

    /**
     * Ends the process if an edit failed: half of it may be applied, and would be applied again. So does HDFS's own tailer, but only when
     * it meets the same edit, which may succeed on top of its own half. A stream that cannot be read is another matter.
     */
    private void terminateIfHalfApplied(Journal journal, Throwable cause) {
        Optional<UnappliedEditFinder.StopPoint> failed =
                gate.stoppedAt().filter(edit -> edit.isNextAfter(appliedTxId()));
        if (failed.isPresent()) {
            failed.get().note(journal, cause);
            ExitUtil.terminate(1, cause);
        }
    }

    private boolean isFollowing() {
        // Before its first role, a NameNode calls itself a standby and refuses everything; the tailer comes with the
        // role.
        return (nameNode.isStandbyState() || nameNode.isObserverState())
                && nameNode.getNamesystem().getEditLogTailer() != null;
    }

    private void report(Throwable failure) {
        long now = System.nanoTime();
        if (now - loggedNanos >= LOG_NANOS) {
            loggedNanos = now;
            LOG.warn("Tailing edits failed, retrying", failure);
        }
    }

    private void pauseLonger() {
        try {
            pause(pauseMillis);
        } catch (InterruptedException e) {
            LOG.debug("Tailing interrupted: the process is stopping, or its role is changing");
        }
        pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
    }

    private void pause(long millis) throws InterruptedException {
        stopped.await(millis, TimeUnit.MILLISECONDS);
    }
}
