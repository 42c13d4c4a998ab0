/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.restore;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.hdfs.config.ConfiguredFederation;
import io.trefoil.checkpoint.hdfs.config.LocalNameDirectories;
import io.trefoil.checkpoint.hdfs.files.DiskSpaceGuard;
import io.trefoil.checkpoint.hdfs.files.EditsFileWriter;
import io.trefoil.checkpoint.hdfs.files.FileOwnershipCopier;
import io.trefoil.checkpoint.hdfs.files.Manifests;
import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.checkpoint.hdfs.files.RetainedImages;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreInProgress;
import io.trefoil.checkpoint.model.RestoreRecord;
import io.trefoil.checkpoint.restore.IncompleteFile;
import io.trefoil.checkpoint.restore.NameDirectory;
import io.trefoil.checkpoint.restore.RestoreOptions;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.RestorePlanner;
import io.trefoil.checkpoint.restore.RestoreState;
import io.trefoil.checkpoint.restore.RetainedImageFile;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.checkpoint.restore.UndoPlanner;
import io.trefoil.foundation.Pause;
import io.trefoil.foundation.Progress;
import io.trefoil.foundation.TcpProbe;
import io.trefoil.journal.hdfs.NameserviceJournal;
import io.trefoil.journal.hdfs.edits.EditsExport;
import io.trefoil.journal.hdfs.edits.ImageCounters;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.restore.JournalRestorer;
import io.trefoil.journal.hdfs.restore.Timeline;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.Journal;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;

/**
 * The restore to a checkpoint on the host of one NameNode: inspects the host, and carries out the plan of {@link
 * RestorePlanner}.
 */
public final class HostRestore {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEASE_TIMEOUT = Duration.ofSeconds(30);
    private static final long PAUSE_MILLIS = 100;

    private final LocalNameDirectories own;
    private final ConfiguredFederation federation;
    private final List<NameDirectoryFiles> directories;
    private final Journal journal;
    private final Progress progress;

    /** @throws IllegalArgumentException if no NameNode is configured for this host, or it has no Trefoil journal */
    public HostRestore(Configuration conf, Progress progress) throws IOException {
        this(conf, journal -> journal, progress);
    }

    /** @param journalWrapper wraps the journal; for tests */
    public HostRestore(Configuration conf, UnaryOperator<Journal> journalWrapper, Progress progress)
            throws IOException {
        this.progress = progress;
        own = LocalNameDirectories.of(conf);
        federation = new ConfiguredFederation(conf);
        directories = own.directories();
        journal = journalWrapper.apply(NameserviceJournal.of(own.conf(), own.nameservice()));
    }

    /** @throws IllegalArgumentException as the constructor, and if a setting that is used later is wrong; connects to nothing */
    public static void require(Configuration conf) {
        LocalNameDirectories own = LocalNameDirectories.of(conf);
        NameserviceJournal.requireConfigured(own.conf(), own.nameservice());
        DiskSpaceGuard.of(own.conf());
    }

    /** Inspects everything, reads every edit and image that it needs, and changes nothing. */
    public RestorePlan plan(Checkpoint checkpoint, RestoreOptions options) throws IOException {
        return RestorePlanner.plan(inspect(checkpoint, options).build());
    }

    /** Plans to undo a restore, in the same way. */
    public UndoPlan planUndo(Checkpoint checkpoint, RestoreOptions options) throws IOException {
        RestoreState.Builder state = inspect(checkpoint, options);
        Optional<RestoreRecord> restored = Optional.ofNullable(
                        checkpoint.manifests().get(own.nameservice()))
                .flatMap(part -> part.restoreRecord()
                        .filter(back -> back.forkTxId() == part.cut().txId()));
        if (restored.isPresent()) {
            CheckpointId id = checkpoint.agreement().id();
            state.voidLineDamage(JournalRestorer.undoRefusalReason(
                    journal,
                    barrier(id),
                    restored.get().voidEpoch(),
                    restored.get().epoch()));
        }
        return UndoPlanner.plan(state.build());
    }

    private RestoreState.Builder inspect(Checkpoint checkpoint, RestoreOptions options) throws IOException {
        Manifest part = checkpoint.manifests().get(own.nameservice());
        List<NameDirectory> found = new ArrayList<>();
        for (NameDirectoryFiles directory : directories) {
            found.add(directory.inspect(
                    checkpoint.agreement().id(), Optional.ofNullable(part).flatMap(Manifest::restoreRecord)));
        }
        Map<String, List<String>> running = runningNameNodes(checkpoint);
        RestoreState.Builder state = RestoreState.builder()
                .checkpoint(checkpoint)
                .nameservice(own.nameservice())
                .nameNode(own.name())
                .singleNameservice(options.singleNameservice())
                .repeatRestore(options.repeatRestore())
                .runningNameNodes(running)
                .writerPossible(isWriterPossible(running.get(own.nameservice())))
                .imageFiles(imageFiles(checkpoint.agreement().id()))
                .directories(found)
                .newestTxId(0)
                .unfinishedRestore(Manifests.findRestoreInProgress(Manifests.of(journal.barriers())));
        if (part != null) {
            List<SegmentInfo> segments =
                    EditsExport.of(journal).segments(part.cut().imageTxId() + 1);
            long newest = segments.isEmpty()
                    ? part.cut().imageTxId()
                    : segments.get(segments.size() - 1).txIds().last();
            try (Progress.Task task = progress.begin("read edits", "transactions")) {
                state.newestTxId(newest)
                        .editsDamage(EditsFileWriter.findDamage(
                                EditsExport.of(journal),
                                part.cut().imageTxId() + 1,
                                part.cut().txId(),
                                task));
            }
        }
        return state;
    }

    private Map<String, List<String>> runningNameNodes(Checkpoint checkpoint) {
        Map<String, List<String>> running = new TreeMap<>();
        List<String> nameservices = new ArrayList<>(checkpoint.agreement().nameservices());
        if (!nameservices.contains(own.nameservice())) {
            nameservices.add(own.nameservice());
        }
        for (String nameservice : nameservices) {
            List<String> names = new ArrayList<>();
            federation.nameNodeAddresses(nameservice).forEach((name, address) -> {
                // Where no process listens, or the host is out of reach, the journal's lease tells whether it writes.
                if (TcpProbe.isListening(address, TIMEOUT)) {
                    names.add(name);
                }
            });
            running.put(nameservice, names);
        }
        return running;
    }

    /**
     * Whether a writer may still be active. A lease may outlive its writer and the restart of a pool node, so if no
     * NameNode runs, this waits for the lease to end.
     */
    private boolean isWriterPossible(List<String> runningServers) throws IOException {
        long deadline = System.nanoTime() + LEASE_TIMEOUT.toNanos();
        while (!journal.queryLease(TIMEOUT).leaseFree()) {
            if (!runningServers.isEmpty() || System.nanoTime() > deadline) {
                return true;
            }
            pause();
        }
        return false;
    }

    private static void pause() throws IOException {
        Pause.sleepMillis(PAUSE_MILLIS, "Interrupted while waiting for the end of a lease");
    }

    private List<RetainedImageFile> imageFiles(CheckpointId id) throws IOException {
        List<RetainedImageFile> imageFiles = new ArrayList<>();
        for (NameDirectoryFiles directory : directories) {
            RetainedImages retainedImages = new RetainedImages(directory.current());
            Optional<Path> image = retainedImages.find(id);
            if (image.isPresent()) {
                imageFiles.add(imageFile(retainedImages, id, image.get()));
            }
        }
        return imageFiles;
    }

    private static RetainedImageFile imageFile(RetainedImages retainedImages, CheckpointId id, Path image) {
        Optional<String> damage = Optional.empty();
        String storage = "";
        try {
            storage = NameDirectoryFiles.storage(image.getParent());
            retainedImages.verify(id, () -> {});
        } catch (IOException e) {
            damage = Optional.of(String.valueOf(e.getMessage()));
        }
        return RetainedImageFile.of(image.toString(), NameDirectoryFiles.txIdOfImage(image), storage, damage);
    }

    public String nameservice() {
        return own.nameservice();
    }

    /** The fault that stock HDFS code finds when it loads this host's image and the edits up to the cut; empty if there is none. */
    public Optional<String> deepDamage(Checkpoint checkpoint, Cut cut) throws IOException {
        CheckpointId id = checkpoint.agreement().id();
        for (RetainedImageFile imageFile : imageFiles(id)) {
            if (!imageFile.damage().isPresent()) {
                return deepDamage(id, Paths.get(imageFile.path()), cut);
            }
        }
        return Optional.of("this host has no intact image to load");
    }

    private Optional<String> deepDamage(CheckpointId id, Path image, Cut cut) {
        ScratchNamespaces namespaces = new ScratchNamespaces(own.conf(), directories.get(0), journal);
        try {
            long files = namespaces.load("deep-" + id, image, cut.txId(), loaded -> loaded.namesystem()
                    .getFilesTotal());
            return files == cut.files()
                    ? Optional.<String>empty()
                    : Optional.of(image + " and the edits after it have " + files + " files and directories, and "
                            + cut.files() + " were there at the cut");
        } catch (IOException e) {
            return Optional.of(image + " and the edits after it cannot be loaded: " + e.getMessage());
        }
    }

    /**
     * The files of the checkpoint that will be incomplete; loads two namespaces, one after the other.
     *
     * @return empty if the journal is restored already: then the lost files can no longer be known
     */
    public Optional<List<IncompleteFile>> findIncompleteFiles(RestorePlan plan) throws IOException {
        if (plan.voidedCount() == 0) {
            return Optional.empty();
        }
        return Optional.of(new IncompleteFileFinder(own.conf(), directories, journal).find(plan));
    }

    /**
     * Carries out the restore.
     *
     * @param time becomes part of the names of what is moved aside
     * @return what was done, line by line
     * @throws IOException if it did not finish; it can be run again
     */
    public List<String> execute(RestorePlan plan, String time) throws IOException {
        if (!plan.executable()) {
            throw new IllegalArgumentException("Nothing can be done: " + plan);
        }
        List<String> completedSteps = new ArrayList<>();
        List<Closeable> locks = new ArrayList<>();
        try {
            for (NameDirectoryFiles directory : directories) {
                locks.add(directory.lock());
            }
            CheckpointId id = plan.checkpoint().agreement().id();
            Manifest part = plan.checkpoint().manifests().get(own.nameservice());
            requireStopped(plan.checkpoint(), plan.journal());
            for (NameDirectory planned : plan.directoriesToReplace()) {
                NameDirectoryFiles.of(Paths.get(planned.path()).toFile(), planned.holdsImages())
                        .requireSpace(Paths.get(plan.image().get().path()), DiskSpaceGuard.of(own.conf()));
            }
            long epoch = plan.journal()
                    ? restoreJournal(plan, part, time, completedSteps)
                    : part.restoreRecord().get().epoch();
            Path image = Paths.get(plan.image().get().path());
            for (NameDirectory planned : plan.directoriesToReplace()) {
                NameDirectoryFiles directory =
                        NameDirectoryFiles.of(Paths.get(planned.path()).toFile(), planned.holdsImages());
                Optional<Path> moved =
                        directory.installImage(image, epoch, NameDirectoryFiles.movedAsideSuffix(id, epoch) + time);
                moved.ifPresent(old -> completedSteps.add(directory.current() + " is now " + old));
                completedSteps.add(directory.current() + " is new, "
                        + (planned.holdsImages()
                                ? "with the image of transaction "
                                        + plan.image().get().txId()
                                : "empty"));
            }
            return completedSteps;
        } finally {
            for (Closeable lock : locks) {
                lock.close();
            }
        }
    }

    private long restoreJournal(RestorePlan plan, Manifest part, String time, List<String> completedSteps)
            throws IOException {
        CheckpointId id = part.agreement().id();
        try (JournalRestorer restore = JournalRestorer.begin(journal)) {
            Barrier barrier = barrier(restore, part);
            if (plan.voidedCount() > 0) {
                Path directory =
                        directories.get(0).root().resolve("trefoil").resolve("before-restore-" + id + "-" + time);
                try (Progress.Task task = progress.begin("export edits", "transactions")) {
                    task.reportTotal(plan.voidedCount());
                    EditsFileWriter.write(
                            restore.editsExport(),
                            part.cut().txId() + 1,
                            Long.MAX_VALUE,
                            directory,
                            DiskSpaceGuard.of(own.conf()),
                            task);
                }
                FileOwnershipCopier.copyOwner(directories.get(0).root(), directory.getParent());
                completedSteps.add("transactions from " + (part.cut().txId() + 1) + " on are exported to " + directory);
            }
            List<Manifest> manifests = Manifests.of(restore.barriers());
            // When this attempt continues an earlier one, the barriers that the earlier one made void are gone, and
            // what they said with them.
            long voidEpoch = part.restoreInProgress()
                    .map(RestoreInProgress::voidEpoch)
                    .orElse(Manifests.timelineEpoch(manifests));
            Manifest startedRestore = part.withRestore(
                    RestoreInProgress.of(restore.epoch(), false, voidEpoch), Manifests.voidRanges(manifests));
            Timeline timeline = restore.restoreToBarrier(
                    barrier,
                    knownCounters(plan),
                    CheckpointJson.toJson(startedRestore).toString(),
                    reportDone(startedRestore, made -> restored(made)
                            .restoreEpoch(made.epoch())
                            .voidEpoch(voidEpoch)
                            .voidBlockId(made.counters().contiguousId())
                            .build()));
            completedSteps.add("the journal of " + own.nameservice() + " ends at transaction "
                    + part.cut().txId() + ", and goes on in epoch " + timeline.epoch() + " with block ids above "
                    + timeline.counters().contiguousId());
            return timeline.epoch();
        }
    }

    /**
     * Brings back the state from before a restore.
     *
     * @param time becomes part of the names of what is moved aside
     * @return what was done, line by line
     * @throws IOException if it did not finish; it can be run again
     */
    public List<String> undo(UndoPlan plan, String time) throws IOException {
        if (!plan.executable()) {
            throw new IllegalArgumentException("Nothing can be done: " + plan);
        }
        List<String> completedSteps = new ArrayList<>();
        List<Closeable> locks = new ArrayList<>();
        try {
            for (NameDirectoryFiles directory : directories) {
                locks.add(directory.lock());
            }
            requireStopped(plan.checkpoint(), plan.journal());
            Manifest part = plan.checkpoint().manifests().get(own.nameservice());
            CheckpointId id = part.agreement().id();
            long epoch = plan.journal()
                    ? revertJournal(part, completedSteps)
                    : part.restoreRecord().get().epoch();
            for (NameDirectory planned : plan.directoriesToRestore()) {
                NameDirectoryFiles directory =
                        NameDirectoryFiles.of(Paths.get(planned.path()).toFile(), planned.holdsImages());
                directory.restoreMovedAside(
                        Paths.get(planned.movedAside().get()), epoch, ".before-undo-" + id + "-" + time);
                completedSteps.add(
                        directory.current() + " is " + planned.movedAside().get() + " again");
            }
            return completedSteps;
        } finally {
            for (Closeable lock : locks) {
                lock.close();
            }
        }
    }

    private long revertJournal(Manifest part, List<String> completedSteps) throws IOException {
        RestoreRecord restored = part.restoreRecord().get();
        NamespaceCounters known = newestCounters(NamespaceCounters.NONE);
        try (JournalRestorer restore = JournalRestorer.begin(journal)) {
            Barrier barrier = barrier(restore, part);
            List<Manifest> manifests = Manifests.of(restore.barriers());
            Manifest startedRestore = part.withRestore(
                    RestoreInProgress.of(restore.epoch(), true, restored.voidEpoch()),
                    Manifests.voidRangesWithout(part, manifests));
            Timeline timeline = restore.undo(
                    barrier,
                    restored.voidEpoch(),
                    restored.epoch(),
                    known,
                    CheckpointJson.toJson(startedRestore).toString(),
                    reportDone(startedRestore, made -> restored(made)
                            .restoreEpoch(restored.restoreEpoch())
                            .voidEpoch(restored.voidEpoch())
                            .voidBlockId(restored.blockId())
                            .build()));
            completedSteps.add("the journal of " + own.nameservice() + " has the transactions up to "
                    + timeline.forkTxId() + " again, and goes on in epoch " + timeline.epoch());
            return timeline.epoch();
        }
    }

    private static Function<Timeline, String> reportDone(
            Manifest startedRestore, Function<Timeline, RestoreRecord> toRecord) {
        return timeline -> CheckpointJson.toJson(startedRestore.withRestore(toRecord.apply(timeline)))
                .toString();
    }

    /**
     * The barrier of the plan, as seen by this writer: the command on another host may have been faster, and is now fenced.
     */
    private Barrier barrier(JournalRestorer restore, Manifest planned) throws IOException {
        CheckpointId id = planned.agreement().id();
        Optional<Barrier> found = restore.barriers().find(id.toString());
        if (!found.isPresent() || !Manifests.of(found.get()).equals(planned)) {
            throw new IOException("The barrier of " + id + " in the journal of " + own.nameservice()
                    + " has changed since this was planned: look again. Nothing was changed.");
        }
        return found.get();
    }

    private Barrier barrier(CheckpointId id) throws IOException {
        return journal.barriers()
                .find(id.toString())
                .orElseThrow(() -> new IOException("The barrier of " + id + " is gone"));
    }

    private static RestoreRecord.Builder restored(Timeline timeline) {
        return RestoreRecord.builder()
                .epoch(timeline.epoch())
                .forkTxId(timeline.forkTxId())
                .lastTxId(timeline.lastTxId())
                .blockId(timeline.counters().contiguousId())
                .generationStamp(timeline.counters().generationStamp());
    }

    private NamespaceCounters knownCounters(RestorePlan plan) throws IOException {
        return newestCounters(ImageCounters.read(Paths.get(plan.image().get().path())));
    }

    /** The highest counters, including those of the newest image in each of this host's directories. */
    private NamespaceCounters newestCounters(NamespaceCounters earlierCounters) throws IOException {
        NamespaceCounters known = earlierCounters;
        for (NameDirectoryFiles directory : directories) {
            Optional<Path> newest = directory.newestImage();
            if (newest.isPresent()) {
                known = known.max(ImageCounters.read(newest.get()));
            }
        }
        return known;
    }

    /** Checks once more, right before anything is changed: as the plan may be a minute old. */
    private void requireStopped(Checkpoint checkpoint, boolean changesJournal) throws IOException {
        List<String> runningServers = runningNameNodes(checkpoint).get(own.nameservice());
        if (!runningServers.isEmpty()) {
            throw new IOException("NameNodes " + runningServers + " of nameservice " + own.nameservice()
                    + " were started meanwhile: stop them. Nothing was changed.");
        }
        if (changesJournal && isWriterPossible(runningServers)) {
            throw new IOException("The pool believes in a writer of the journal of " + own.nameservice()
                    + ", which was not there a moment ago. Nothing was changed.");
        }
    }
}
