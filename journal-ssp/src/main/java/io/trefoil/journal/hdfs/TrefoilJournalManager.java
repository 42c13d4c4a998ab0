/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.foundation.hdfs.HadoopLinkage;
import io.trefoil.foundation.hdfs.LocalOrder;
import io.trefoil.foundation.hdfs.TrefoilSettings;
import io.trefoil.journal.hdfs.config.NameNodeSettings;
import io.trefoil.journal.hdfs.edits.CommittedSegments;
import io.trefoil.journal.hdfs.edits.LocalEdits;
import io.trefoil.journal.hdfs.edits.ServingTerm;
import io.trefoil.journal.hdfs.edits.SspEditLogInputStream;
import io.trefoil.journal.hdfs.edits.SspEditLogOutputStream;
import io.trefoil.journal.hdfs.edits.StorageUpgrade;
import io.trefoil.journal.hdfs.edits.Term;
import io.trefoil.journal.hdfs.pin.PinRegistry;
import io.trefoil.journal.hdfs.promote.NamespaceTimeline;
import io.trefoil.journal.hdfs.promote.RollbackBound;
import io.trefoil.journal.hdfs.promote.UnmarkedDirectoryException;
import io.trefoil.journal.hdfs.promote.VoidNamespaceException;
import io.trefoil.journal.hdfs.restore.ArchiveRestoreRecord;
import io.trefoil.journal.hdfs.tailing.TailingGate;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.format.FormatOrder;
import io.trefoil.journal.pool.format.NewestImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.JournalManager;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.util.ExitUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HDFS's {@code JournalManager} for a journal, whatever stores it (paper §4.1).
 *
 * <p>HDFS builds a new one at every change of role. What must outlive that belongs to the process and is only looked up
 * here.
 *
 * <p>A late or missing majority makes the methods that write wait, never fail: HDFS ends the NameNode when any of them
 * throws. They throw when this writer was fenced ({@code FencedException}), which must end the NameNode, and when HDFS
 * asks for something that contradicts the log. HDFS calls the methods under its edit log's monitor, except {@code
 * selectInputStreams}.
 *
 * <p>Uses {@code JournalManager} and its package-private parent {@code LogsPurgeable}, {@code NamespaceInfo}, {@code
 * Storage}, {@code StorageInfo}, {@code ExitUtil.terminate}.
 */
public abstract class TrefoilJournalManager implements JournalManager {
    private static final Logger LOG = LoggerFactory.getLogger(TrefoilJournalManager.class);

    private static final int DEFAULT_BUFFER_BYTES = 512 * 1024;
    /** A few milliseconds are enough if there is a writer; without one nothing more is committed. */
    private static final Duration ANNOUNCED_WITHIN = Duration.ofMillis(100);

    private final OpenedJournal opened;
    private final NameNodeSettings settings;
    private final Journal journal;
    private final TailingGate gate;
    private final CommittedSegments committed;
    private final Configuration conf;
    private final NamespaceTimeline timeline;
    /** The incarnations that the name directories were made from before HDFS formatted them. */
    private Set<Incarnation> knownBefore = Collections.emptySet();
    /** The images that are void if the journal is initialized from them; empty if HDFS formats a new namespace. */
    private Optional<List<VoidRange>> lostBefore = Optional.empty();

    private Optional<NewestImage> newestBefore = Optional.empty();
    /** Whether HDFS was told of data: it formats then only if the operator wants that replaced. */
    private boolean isReplacementConfirmed;

    private volatile Optional<Term> term = Optional.empty();
    private Optional<PinRegistry> pins = Optional.empty();
    private int bufferBytes = DEFAULT_BUFFER_BYTES;

    /**
     * Reads the settings of a journal. Ends the process in one line if it must not go on: HDFS would bury the reason in a trace.
     *
     * @param links to Hadoop that must be complete
     */
    protected static <T> T read(Configuration conf, Supplier<T> settings, HadoopLinkage... links) {
        // A subclass is the first class of Trefoil that a NameNode instantiates; conf is the one that its web server
        // shows.
        TrefoilSettings.applyDefaults(conf);
        try {
            for (HadoopLinkage one : links) {
                one.requireComplete();
            }
            return settings.get();
        } catch (IllegalArgumentException | IllegalStateException e) {
            ExitUtil.terminate(1, "The journal cannot be opened: " + e.getMessage());
            throw e;
        }
    }

    /**
     * Creates an instance.
     *
     * @param conf the NameNode's own
     */
    protected TrefoilJournalManager(Configuration conf, OpenedJournal opened) {
        this.conf = conf;
        this.opened = opened;
        settings = opened.settings();
        journal = opened.journal();
        gate = TailingGate.of(settings);
        committed = new CommittedSegments(journal);
        timeline = NamespaceTimeline.of(
                journal.id(), NameNodeSettings.nameDirectories(conf), journal.followedIncarnation());
        journal.setLocalNamespace(timeline);
    }

    /**
     * HDFS asks before it formats anything, even by force; so a journal that must not be formatted is refused here, with the
     * name directories as they were.
     */
    @Override
    public boolean hasSomeData() throws IOException {
        if (NameNodeSettings.isInitializingSharedEdits(conf)) {
            LocalEdits.requireCopied(conf, settings.owner());
            List<Path> nameDirectories = NameNodeSettings.nameDirectories(conf);
            lostBefore = Optional.of(ArchiveRestoreRecord.lostRanges(nameDirectories));
            newestBefore = ArchiveRestoreRecord.newestImage(nameDirectories);
        }
        knownBefore = timeline.knownIncarnations();
        journal.requireFormattable(newFormatOrder(NamespaceId.UNKNOWN, StorageRecord.Version.of(0, 0), false));
        isReplacementConfirmed = journal.hasSomeData();
        return isReplacementConfirmed;
    }

    private FormatOrder newFormatOrder(NamespaceId namespace, StorageRecord.Version version, boolean force) {
        FormatOrder order = FormatOrder.of(namespace, version)
                .withKnownIncarnations(knownBefore)
                .withVoidedIncarnations(settings.voidedIncarnations());
        if (lostBefore.isPresent()) {
            order = order.withContinuedNamespace(lostBefore.get());
        }
        if (newestBefore.isPresent()) {
            order = order.withNewestImage(newestBefore.get());
        }
        return force ? order.withForce() : order;
    }

    /** Formats without force; Hadoop 3.1 calls this method once the operator has confirmed. */
    public void format(NamespaceInfo namespace) throws IOException {
        format(namespace, false);
    }

    @Override
    public void format(NamespaceInfo namespace, boolean force) throws IOException {
        NamespaceId wanted = NameNodeSettings.namespace(namespace);
        LocalOrder.executeAudited("format", "journal " + journal.id() + " for " + wanted, () -> {
            timeline.markFormatted(
                    journal.format(newFormatOrder(wanted, version(namespace), force || isReplacementConfirmed)));
            return wanted;
        });
    }

    /** Becomes the writer; blocks until it is, however long the pool takes (protocol page, "A new writer"). */
    @Override
    public void recoverUnfinalizedSegments() throws IOException {
        writingTerm();
    }

    private Term writingTerm() throws IOException {
        if (!term.isPresent()) {
            term = Optional.of(newTerm());
        }
        return term.get();
    }

    private Term newTerm() throws IOException {
        int replicas = settings.writerReplicas();
        LOG.info("Becoming the writer of journal={}: waiting for inSyncNodes={}", this, replicas);
        gate.closeAndAwaitExit();
        boolean writing = false;
        try {
            ServingTerm serving = ServingTerm.of(settings);
            Term begun = new Term(journal.openWriter(replicas), serving::notifyWatcher);
            try {
                timeline.requireCompatible(
                        begun.end().incarnation(), () -> begun.end().members().lostRanges());
            } catch (IOException e) {
                begun.close();
                throw e;
            }
            Optional<String> objection = serving.objectionTo(begun.end().barriers());
            if (objection.isPresent()) {
                begun.close();
                throw new IOException("Cannot write " + this + ": " + objection.get());
            }
            writing = true;
            timeline.markInUse();
            serving.begin(begun.commitWatch());
            pins = Optional.of(PinRegistry.start(journal, () -> begun.end().barriers(), conf));
            LOG.info("Writing journal={} term={} after txid={}", this, begun, begun.acknowledgedTxId());
            return begun;
        } finally {
            if (!writing) {
                gate.open();
            }
        }
    }

    @Override
    public EditLogOutputStream startLogSegment(long firstTxId, int layoutVersion) throws IOException {
        Term writing = term.orElseThrow(() ->
                new IOException("Cannot start segment " + firstTxId + ": its segments were not recovered " + "first"));
        writing.startSegment(firstTxId, layoutVersion);
        gate.watcher().onSegmentStart();
        return new SspEditLogOutputStream(writing, firstTxId, layoutVersion, bufferBytes);
    }

    @Override
    public void finalizeLogSegment(long firstTxId, long lastTxId) throws IOException {
        Term writing = term.orElseThrow(
                () -> new IOException("Cannot end segment " + firstTxId + ": this is not the journal's writer"));
        writing.endSegment(TxRange.of(firstTxId, lastTxId));
    }

    @Override
    public void setOutputBufferCapacity(int size) {
        bufferBytes = size;
    }

    /**
     * Adds one stream for each segment that has transactions from {@code fromTxId} on; streams give committed
     * transactions only.
     *
     * <p>A standby's tailer, and its last catch-up before it becomes active, set {@code onlyDurableTxns}. They get the
     * segment being written as well, whatever {@code inProgressOk} says, unless the configuration sets
     * {@code dfs.ha.tail-edits.in-progress} to false. HDFS withholds it by default, because the end of a file or of a
     * JournalNode's segment may not be durable; here everything offered is durable and has a definite end. So standbys
     * follow at once with stock settings, not after the next roll. A new writer has always ended that segment.
     *
     * <p>HDFS's tailer gets everything that was acknowledged before it asked, because it may tail for a client that was
     * told of a change. {@link SspTailingPlugin}'s thread already knows of a commit and waits for no other.
     *
     * <p>Other callers get the unfinished segment only if they ask for it. A NameNode that starts does not ask, since
     * it tails right afterwards; neither does one that decides what to purge, since it counts segments.
     */
    @Override
    public void selectInputStreams(
            Collection<EditLogInputStream> streams, long fromTxId, boolean inProgressOk, boolean onlyDurableTxns)
            throws IOException {
        if (onlyDurableTxns && !term.isPresent() && !gate.isHeldByCurrentThread()) {
            journal.awaitWritten(ANNOUNCED_WITHIN);
        }
        List<SegmentInfo> segments = committed.segmentsFrom(Math.max(0, fromTxId), term);
        requireCurrentTimeline();
        if (onlyDurableTxns) {
            // The NameNode does not tail before the image is loaded.
            timeline.markInUse();
        }
        // All or nothing: an exception on the way must not leave HDFS with a part.
        streams.addAll(onlyDurableTxns ? streamsToTail(segments) : streamsToRead(segments, inProgressOk));
    }

    /**
     * Ends the NameNode if its namespace is void, or would not say later what it is made from: HDFS would go on without edits, and
     * save and upload images of lost transactions.
     */
    private void requireCurrentTimeline() throws IOException {
        try {
            timeline.requireCompatible(journal.lastShownIncarnation(), journal::lostRanges);
        } catch (VoidNamespaceException | UnmarkedDirectoryException e) {
            LOG.error(
                    "This NameNode cannot continue: {}; do: start it again if its service does not; it then "
                            + "becomes a standby",
                    e.getMessage());
            ExitUtil.terminate(1, e.getMessage());
        }
    }

    private List<SspEditLogInputStream> streamsToRead(List<SegmentInfo> segments, boolean includesUnfinished) {
        List<SspEditLogInputStream> streams = new ArrayList<>();
        for (SegmentInfo segment : segments) {
            if (segment.finalized() || includesUnfinished) {
                streams.add(SspEditLogInputStream.of(journal, segment, opened.hasReplica()));
            }
        }
        return streams;
    }

    /**
     * The finished segments, or the unfinished one if there are none: between the two, a standby that has just learned
     * of a rolling upgrade makes its rollback image, see {@link SspEditLogInputStream#ofUnfinished}.
     */
    private List<SspEditLogInputStream> streamsToTail(List<SegmentInfo> segments) {
        List<SspEditLogInputStream> streams = streamsToRead(segments, false);
        if (streams.isEmpty() && !segments.isEmpty() && settings.tailsUnfinished() && !gate.isRollbackImagePending()) {
            streams.add(SspEditLogInputStream.ofUnfinished(journal, segments.get(0), opened.hasReplica()));
        }
        streams.forEach(stream -> stream.setWatcher(gate.watcherOf(journal)));
        return streams;
    }

    /** Has the nodes purge later, and returns at once; they keep the transactions that a lagging node, a barrier or a pin needs. */
    @Override
    public void purgeLogsOlderThan(long minTxIdToKeep) {
        journal.purge(minTxIdToKeep);
    }

    /** Discards the segments written since a rolling upgrade began: whole segments, since HDFS rolled before it. */
    @Override
    public void discardSegments(long startTxId) throws IOException {
        Term writing = writingTerm();
        // HDFS has changed nothing yet: the shared journal is the first that it tells.
        RollbackBound.requireAllowed(
                journal.id(), startTxId - 1, writing.end().members().lostRanges());
        if (writing.discardSegments(committed, startTxId)) {
            LOG.info("Discarded segments: journal={} fromTxId={}", this, startTxId);
        } else {
            LOG.info("No segments to discard: journal={} fromTxId={}", this, startTxId);
        }
    }

    @Override
    public void doPreUpgrade() throws IOException {
        StorageUpgrade.of(writingTerm()).prepare();
    }

    @Override
    public void doUpgrade(Storage storage) throws IOException {
        StorageUpgrade.of(writingTerm()).upgradeTo(version(storage));
        timeline.markRecreated();
    }

    @Override
    public void doFinalize() throws IOException {
        StorageUpgrade.of(writingTerm()).abandonRollback();
    }

    /**
     * Reads the storage record without becoming the writer, since HDFS may still ask the operator. HDFS asks before it
     * changes a directory, and ends if this throws.
     */
    @Override
    public boolean canRollBack(StorageInfo storage, StorageInfo prevStorage, int targetLayoutVersion)
            throws IOException {
        StorageRecord record = storageRecord();
        if (!StorageUpgrade.canRollBack(record, targetLayoutVersion)) {
            return false;
        }
        List<VoidRange> lost = term.isPresent() ? term.get().end().members().lostRanges() : journal.lostRanges();
        RollbackBound.requireAllowed(journal.id(), record.rollbackPoint().get().lastTxId(), lost);
        return true;
    }

    @Override
    public void doRollback() throws IOException {
        StorageUpgrade.of(writingTerm()).rollBack();
    }

    @Override
    public long getJournalCTime() throws IOException {
        return storageRecord().version().cTime();
    }

    private StorageRecord storageRecord() throws IOException {
        Optional<StorageRecord> record = term.isPresent() ? term.get().end().storage() : journal.storageRecord();
        return record.orElseThrow(() -> new IOException(this + " is not formatted"));
    }

    private static StorageRecord.Version version(StorageInfo storage) {
        return StorageRecord.Version.of(storage.getLayoutVersion(), storage.getCTime());
    }

    /** Ends the term if there is one; the pool node of this process keeps running. */
    @Override
    public void close() {
        Optional<Term> ending = term;
        term = Optional.empty();
        pins.ifPresent(PinRegistry::close);
        pins = Optional.empty();
        if (ending.isPresent()) {
            ending.get().close();
            gate.open();
            LOG.info("No longer the writer of journal={}", this);
        }
    }

    @Override
    public String toString() {
        return opened.text();
    }
}
