/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import io.trefoil.checkpoint.hdfs.files.Manifests;
import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.checkpoint.hdfs.files.RetainedImages;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreRecord;
import io.trefoil.checkpoint.restore.UnfinishedRestore;
import io.trefoil.foundation.DaemonThreads;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.Pause;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.pool.Journal;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockIdManager;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NNStorage;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ExitUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the images that the journal's barriers require. Runs in every NameNode, active or not, so that each can be
 * restored from its own image. Ends the NameNode if the journal was restored without it. Thread-safe.
 *
 * <p>Uses {@code FSImage.getStorage}, {@code getLastAppliedOrWrittenTxId}, {@code BlockIdManager.getGenerationStamp},
 * {@code setGenerationStamp}, {@code FSNamesystem.writeLock}, {@code FSNamesystem.getNamespaceDirs}, {@code
 * ExitUtil.terminate}.
 */
final class ImageRetainer implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(ImageRetainer.class);

    private static final long PERIOD_MILLIS = 2_000;
    /**
     * The time after which a barrier that has not been seen is gone, or will never appear. A journal without a writer may not know its last
     * barriers, and a checkpoint that begins gets its image before its barrier.
     */
    private static final Duration ORPHANED_AFTER = Duration.ofMinutes(10);

    /** The time after which an image that is not kept was too old for the checkpoint, or is lost. */
    private static final Duration KEPT_WITHIN = Duration.ofMillis(5 * PERIOD_MILLIS);

    private final NameNode nameNode;
    private final Journal journal;
    private final ScheduledExecutorService looks;
    private final long orphanedNanos;
    private final Map<CheckpointId, Long> orphanedSince = new HashMap<>();
    private final TimelineCheck timelineCheck = new TimelineCheck();
    /** The epoch of the journal's last restore, as of the last check. */
    private Optional<Long> timelineEpoch = Optional.empty();

    ImageRetainer(NameNode nameNode, Journal journal) {
        this(nameNode, journal, ORPHANED_AFTER);
    }

    ImageRetainer(NameNode nameNode, Journal journal, Duration orphanedAfter) {
        this.nameNode = nameNode;
        this.journal = journal;
        this.orphanedNanos = orphanedAfter.toNanos();
        this.looks = Executors.newSingleThreadScheduledExecutor(DaemonThreads.newFactory("checkpoint-images"));
    }

    void start() {
        looks.scheduleWithFixedDelay(DaemonThreads.logFailures(this::retain), 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private NNStorage storage() {
        return nameNode.getFSImage().getStorage();
    }

    /** Keeps the newest image for a checkpoint that begins; returns its transaction. */
    synchronized long retainNewest(CheckpointId id) throws IOException {
        RetainedImages retainedImages = RetainedImages.of(storage());
        long txId = retainedImages
                .retain(id, 0, Long.MAX_VALUE - 1)
                .orElseThrow(() -> new OrderRefusedException("The NameNode has no image in its first name directory"));
        if (timelineEpoch.isPresent()) {
            retainedImages.mark(id, timelineEpoch.get());
        }
        return txId;
    }

    synchronized void forget(CheckpointId id) throws IOException {
        RetainedImages.of(storage()).forget(id);
    }

    /** Reads the image that is kept for a checkpoint, and checks that it belongs to this namespace; returns its transaction. */
    long verify(CheckpointId id, Runnable onProgress) throws IOException {
        RetainedImages retainedImages = RetainedImages.of(storage());
        awaitRetained(retainedImages, id, onProgress);
        long txId = retainedImages.verify(id, onProgress);
        retainedImages.requireSameNamespace(id);
        return txId;
    }

    /** Waits several checks for the image of a checkpoint that was made just now, as this NameNode may not know of it yet. */
    private void awaitRetained(RetainedImages retainedImages, CheckpointId id, Runnable onProgress) throws IOException {
        long begun = System.nanoTime();
        while (!retainedImages.has(id) && System.nanoTime() - begun < KEPT_WITHIN.toNanos()) {
            Pause.sleepMillis(PERIOD_MILLIS / 10, "The NameNode ends");
            retain();
            onProgress.run();
        }
    }

    private synchronized void retain() {
        try {
            Barriers barriers = journal.barriers();
            List<Manifest> manifests = Manifests.of(barriers);
            checkTimeline(manifests);
            RetainedImages retainedImages = RetainedImages.of(storage());
            timelineEpoch = Optional.of(Manifests.timelineEpoch(manifests));
            Set<CheckpointId> neededCheckpoints = new HashSet<>();
            for (Barrier barrier : barriers.list()) {
                if (Pin.isPinName(barrier.name())) {
                    continue;
                }
                CheckpointId id = CheckpointId.parse(barrier.name());
                neededCheckpoints.add(id);
                retain(retainedImages, id, barrier);
            }
            forgetOrphans(retainedImages, neededCheckpoints, manifests);
        } catch (IOException | RuntimeException e) {
            LOG.warn("Cannot maintain the retained images of checkpoints; retrying, delayMillis={}", PERIOD_MILLIS, e);
        }
    }

    /** Keeps one image. If that fails now, the next check tries again; the failure does not affect the other images. */
    private void retain(RetainedImages retainedImages, CheckpointId id, Barrier barrier) {
        try {
            if (retainedImages
                    .retain(id, barrier.keepFrom() - 1, barrier.txId())
                    .isPresent()) {
                retainedImages.mark(id, timelineEpoch.get());
            }
        } catch (IOException e) {
            LOG.warn("Cannot retain the image of checkpoint={} yet; retrying, delayMillis={}", id, PERIOD_MILLIS, e);
        }
    }

    /**
     * Returns why this NameNode must not begin to write to a journal with these barriers; empty if it may. Judges
     * by the journal's very end, which {@link #retain} may not have seen when the NameNode becomes active. What
     * cannot be read may show that the namespace is void, so it is an objection, too. Waits for nothing but the name
     * directories.
     */
    Optional<String> writeObjection(Barriers barriers) {
        try {
            TimelineCheck.Verdict verdict = verdict(Manifests.of(barriers));
            return verdict.kind() == TimelineCheck.Kind.CURRENT
                    ? Optional.<String>empty()
                    : Optional.of(verdict.text());
        } catch (IOException e) {
            return Optional.of(TimelineCheck.Verdict.unknown(e).text());
        }
    }

    /**
     * Terminates a NameNode whose namespace dates from before the journal was restored to a checkpoint, because its host was left out or
     * cut off: it would apply edits of another namespace. While the journal is being restored, ends every NameNode: what it reads may be
     * incomplete.
     */
    private void checkTimeline(List<Manifest> manifests) {
        TimelineCheck.Verdict verdict = verdict(manifests);
        if (verdict.kind() == TimelineCheck.Kind.VOID) {
            terminate(verdict.text());
        } else if (verdict.kind() == TimelineCheck.Kind.UNKNOWN) {
            LOG.warn(
                    "Cannot verify the timeline of this NameNode: {}; retrying, delayMillis={}",
                    verdict.text(),
                    PERIOD_MILLIS);
        }
        Manifests.newestRestored(manifests).flatMap(Manifest::restoreRecord).ifPresent(this::raiseGenerationStamp);
    }

    private TimelineCheck.Verdict verdict(List<Manifest> manifests) {
        Optional<Manifest> underWay = Manifests.findRestoreInProgress(manifests);
        if (underWay.isPresent()) {
            return TimelineCheck.Verdict.isVoid(
                    "No NameNode can go on from this journal: " + UnfinishedRestore.describe(underWay.get()));
        }
        List<NameDirectoryFiles> directories = new ArrayList<>();
        for (URI uri : FSNamesystem.getNamespaceDirs(nameNode.getConf())) {
            directories.add(NameDirectoryFiles.of(new File(uri), true));
        }
        return timelineCheck.check(directories, manifests);
    }

    private static void terminate(String text) {
        LOG.error("Terminating this NameNode: {}; do: follow that advice, then start this NameNode again", text);
        ExitUtil.terminate(1, text);
    }

    /**
     * Raises the generation stamp above those of the void timeline. HDFS forgets a stamp that it read in an edit but has
     * not given to a block yet, if it becomes active from an image that a standby saved in between. It would begin
     * again below the stamps of the void timeline.
     */
    private void raiseGenerationStamp(RestoreRecord restoreRecord) {
        if (nameNode.getFSImage().getLastAppliedOrWrittenTxId() >= restoreRecord.lastTxId()) {
            FSNamesystem namesystem = nameNode.getNamesystem();
            BlockIdManager ids = namesystem.getBlockManager().getBlockIdManager();
            namesystem.writeLock();
            try {
                ids.setGenerationStamp(Math.max(ids.getGenerationStamp(), restoreRecord.generationStamp()));
            } finally {
                namesystem.writeUnlock("restored");
            }
        }
    }

    private void forgetOrphans(
            RetainedImages retainedImages, Set<CheckpointId> neededCheckpoints, List<Manifest> manifests)
            throws IOException {
        orphanedSince.keySet().removeAll(neededCheckpoints);
        for (CheckpointId id : retainedImages.ids()) {
            if (neededCheckpoints.contains(id) || mayBeRestored(retainedImages.mark(id), manifests)) {
                continue;
            }
            Long since = orphanedSince.putIfAbsent(id, System.nanoTime());
            if (since != null && System.nanoTime() - since > orphanedNanos) {
                LOG.info("Released the image of checkpoint={}, which was deleted", id);
                forget(retainedImages, id);
            }
        }
    }

    /** Whether an undo may bring back a checkpoint that a restore made void. */
    private static boolean mayBeRestored(Optional<Long> mark, List<Manifest> manifests) {
        return mark.isPresent() && manifests.stream().anyMatch(one -> one.mayRevive(mark.get()));
    }

    private void forget(RetainedImages retainedImages, CheckpointId id) {
        try {
            retainedImages.forget(id);
            orphanedSince.remove(id);
        } catch (IOException e) {
            LOG.warn("Cannot delete the image of checkpoint={} yet; retrying, delayMillis={}", id, PERIOD_MILLIS, e);
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
