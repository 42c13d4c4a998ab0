/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.hdfs.tailing.EditsObserver;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.Journal;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committed edits of one segment, up to an end that is fixed when HDFS asks for the stream.
 *
 * <p>Nothing is fetched before the first operation is read. A read that failed keeps failing, so that HDFS opens a new
 * stream: {@code RedundantEditLogInputStream} of 3.4 forgets an error while it skips, and would continue with
 * operations that were already applied. Only {@link #resync}, for recovery by an operator, tries again.
 *
 * <p>Uses {@code FSEditLogOp.Reader} ({@code create}, {@code readOp}, {@code setMaxOpSize}) and {@code
 * FSEditLogLoader.PositionTrackingInputStream}, {@code FSEditLogOp.opCode}. Not thread-safe.
 */
public final class SspEditLogInputStream extends EditLogInputStream {
    private static final Logger LOG = LoggerFactory.getLogger(SspEditLogInputStream.class);

    private final Journal journal;
    private final SegmentInfo segment;
    private final boolean local;
    private final boolean beforeUpgrade;
    private long lastTxId;
    private int maxOpSize = DFSConfigKeys.DFS_NAMENODE_MAX_OP_SIZE_DEFAULT;
    private FSEditLogLoader.PositionTrackingInputStream tracker;
    private FSEditLogOp.Reader reader;
    private IOException failure;
    private EditsObserver watcher = EditsObserver.NOBODY;
    private boolean reported;
    private boolean ended;
    /** The edit that HDFS is processing. */
    private Optional<FSEditLogOp> given = Optional.empty();

    private SspEditLogInputStream(Journal journal, SegmentInfo segment, boolean local, boolean beforeUpgrade) {
        this.journal = journal;
        this.segment = segment;
        this.local = local;
        this.beforeUpgrade = beforeUpgrade;
        this.lastTxId = segment.readableTxIds().last();
    }

    /** @param local whether the first node to ask is in this process */
    public static SspEditLogInputStream of(Journal journal, SegmentInfo segment, boolean local) {
        return new SspEditLogInputStream(journal, segment, local, false);
    }

    /**
     * Opens the edits of a segment that is being written, for a standby that applies them at once.
     *
     * <p>It ends before the edit that begins a rolling upgrade. When a standby has applied that edit, it makes the
     * image to which a rollback returns; since HDFS discards whole segments only, that image must be one of a segment's
     * end. HDFS ends the segment right after the edit, which is then read from the finished segment.
     */
    public static SspEditLogInputStream ofUnfinished(Journal journal, SegmentInfo segment, boolean local) {
        return new SspEditLogInputStream(journal, segment, local, true);
    }

    /** Sets the watcher of each edit that is read, before reading begins. */
    public void setWatcher(EditsObserver newWatcher) {
        watcher = newWatcher;
    }

    @Override
    public String getName() {
        return "ssp journal " + journal.id() + " segment " + segment.txIds()
                + (segment.finalized() ? "" : " (being written)");
    }

    /**
     * The first transaction of the segment, although reading may begin later in it: HDFS treats streams of several journals as copies of
     * each other only if their first transactions are equal.
     */
    @Override
    public long getFirstTxId() {
        return segment.txIds().first();
    }

    @Override
    public long getLastTxId() {
        return lastTxId;
    }

    @Override
    protected FSEditLogOp nextOp() throws IOException {
        if (failure != null) {
            throw new IOException("Reading " + getName() + " has failed already", failure);
        }
        try {
            return next(false);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    protected FSEditLogOp nextValidOp() {
        failure = null;
        try {
            return next(true);
        } catch (IOException | RuntimeException e) {
            LOG.error(
                    "stream={}: cannot read further edits; do: run 'hdfs trefoil journal verify' if this recurs",
                    getName(),
                    e);
            return null;
        }
    }

    private FSEditLogOp next(boolean skipBroken) throws IOException {
        // HDFS asks for the next one when it has applied the one before.
        given = Optional.empty();
        if (ended) {
            return null;
        }
        if (reader == null) {
            begin();
        }
        FSEditLogOp op = reader.readOp(skipBroken);
        if (op != null && beforeUpgrade && op.opCode == FSEditLogOpCodes.OP_ROLLING_UPGRADE_START) {
            lastTxId = op.getTransactionId() - 1;
            ended = true;
            return null;
        }
        // A batch may extend beyond the end that was fixed when this stream was created.
        ended = op == null || op.getTransactionId() >= lastTxId;
        if (op != null) {
            reported = true;
            given = Optional.of(op);
            watcher.onEdit(op);
        }
        return op;
    }

    private void begin() throws IOException {
        int layoutVersion = getVersion(true);
        tracker = new FSEditLogLoader.PositionTrackingInputStream(
                new BufferedInputStream(new SegmentBytes(journal, segment)));
        reader = FSEditLogOp.Reader.create(new DataInputStream(tracker), tracker, layoutVersion);
        reader.setMaxOpSize(maxOpSize);
    }

    @Override
    public int getVersion(boolean verifyVersion) throws IOException {
        int layoutVersion = segment.layoutVersion();
        boolean readable = layoutVersion >= HdfsServerConstants.NAMENODE_LAYOUT_VERSION
                && layoutVersion <= Storage.LAST_UPGRADABLE_LAYOUT_VERSION;
        if (verifyVersion && !readable) {
            throw new IOException(getName() + " was written with layout version " + layoutVersion
                    + ", this NameNode reads " + Storage.LAST_UPGRADABLE_LAYOUT_VERSION + " to "
                    + HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
        }
        return layoutVersion;
    }

    /** The number of bytes of edits read. */
    @Override
    public long getPosition() {
        return tracker == null ? 0 : tracker.getPos();
    }

    /** -1 for unknown until everything has been read: the journal counts transactions. */
    @Override
    public long length() {
        return ended ? getPosition() : -1;
    }

    @Override
    public boolean isInProgress() {
        return !segment.finalized();
    }

    @Override
    public void setMaxOpSize(int maxOpSize) {
        this.maxOpSize = maxOpSize;
        if (reader != null) {
            reader.setMaxOpSize(maxOpSize);
        }
    }

    @Override
    public boolean isLocalLog() {
        return local;
    }

    /**
     * Ends the stream; it returns no further operations. HDFS still holds its lock when it closes a stream of which it has applied some.
     */
    @Override
    public void close() {
        ended = true;
        if (reported) {
            reported = false;
            given.ifPresent(watcher::onStreamAbandoned);
            given = Optional.empty();
            watcher.onStreamFinished();
        }
    }
}
