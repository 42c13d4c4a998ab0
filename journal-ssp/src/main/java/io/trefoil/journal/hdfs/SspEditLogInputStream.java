/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.Journal;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogLoader;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committed edits of one segment, up to a fixed end.
 *
 * <p>Nothing is fetched before the first operation is read. A read that fails keeps failing, so that HDFS takes a new
 * stream: {@code RedundantEditLogInputStream} of 3.4 forgets an error while it skips, and would go on with operations
 * that were applied before. Only {@link #resync}, which is recovery by an operator, tries again.
 *
 * <p>Uses {@code FSEditLogOp.Reader} ({@code create}, {@code readOp}, {@code setMaxOpSize}) and
 * {@code FSEditLogLoader.PositionTrackingInputStream}. Not thread-safe.
 */
final class SspEditLogInputStream extends EditLogInputStream {
    private static final Logger LOG = LoggerFactory.getLogger(SspEditLogInputStream.class);

    private final Journal journal;
    private final SegmentInfo segment;
    private final boolean local;
    private int maxOpSize = DFSConfigKeys.DFS_NAMENODE_MAX_OP_SIZE_DEFAULT;
    private FSEditLogLoader.PositionTrackingInputStream tracker;
    private FSEditLogOp.Reader reader;
    private IOException failure;
    private boolean ended;

    /** @param local whether the node that is asked first is in this process */
    SspEditLogInputStream(Journal journal, SegmentInfo segment, boolean local) {
        this.journal = journal;
        this.segment = segment;
        this.local = local;
    }

    @Override
    public String getName() {
        return "ssp journal " + journal.id() + " segment " + segment.txIds()
                + (segment.finalized() ? "" : " (being written)");
    }

    /**
     * The first transaction of the segment, although reading may begin later in it: HDFS takes streams of several
     * journals for copies of each other only if these are the same.
     */
    @Override
    public long getFirstTxId() {
        return segment.txIds().first();
    }

    @Override
    public long getLastTxId() {
        return segment.found().last();
    }

    @Override
    protected FSEditLogOp nextOp() throws IOException {
        if (failure != null) {
            throw new IOException("Reading " + getName() + " failed before", failure);
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
            LOG.error("{}: no further edit can be read", getName(), e);
            return null;
        }
    }

    private FSEditLogOp next(boolean skipBroken) throws IOException {
        if (ended) {
            return null;
        }
        if (reader == null) {
            begin();
        }
        FSEditLogOp op = reader.readOp(skipBroken);
        // A batch may reach beyond the end that was promised when this stream was made.
        ended = op == null || op.getTransactionId() >= getLastTxId();
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

    /** How many bytes of edits were read. */
    @Override
    public long getPosition() {
        return tracker == null ? 0 : tracker.getPos();
    }

    /** Unknown, -1, until all has been read: the journal counts transactions. */
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

    /** After it, there are no more operations. */
    @Override
    public void close() {
        ended = true;
    }
}
