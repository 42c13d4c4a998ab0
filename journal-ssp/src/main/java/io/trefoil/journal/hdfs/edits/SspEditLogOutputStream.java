/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.codec.PayloadAllocator;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.TxRange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.EditsDoubleBuffer;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A segment being written, in which each flush of HDFS is one entry of the journal.
 *
 * <p>{@link #flush} waits until a majority has the batch on disk, however long that takes. It throws only if this
 * writer was fenced, if its process ends (protocol page, "Writing", 6), or if the batch is larger than an entry may be.
 * HDFS buffers under its edit log's monitor and flushes outside of it, one flush at a time.
 *
 * <p>Uses {@code EditsDoubleBuffer}'s public part: {@code writeOp}, {@code writeRaw}, {@code setReadyToFlush},
 * {@code flushTo}, {@code shouldForceSync}, {@code getFirstReadyTxId}, {@code countReadyTxns}, {@code countReadyBytes},
 * {@code close}.
 */
public final class SspEditLogOutputStream extends EditLogOutputStream {
    private static final Logger LOG = LoggerFactory.getLogger(SspEditLogOutputStream.class);

    private final Term term;
    private final long firstTxId;
    private EditsDoubleBuffer buffer;
    private boolean rawInCurrent;
    private boolean rawInReady;

    public SspEditLogOutputStream(Term term, long firstTxId, int layoutVersion, int bufferBytes) throws IOException {
        this.term = term;
        this.firstTxId = firstTxId;
        this.buffer = new EditsDoubleBuffer(bufferBytes);
        setCurrentLogVersion(layoutVersion);
    }

    /** Never called: {@code startLogSegment} has already started the segment. */
    @Override
    public void create(int layoutVersion) {
        throw new UnsupportedOperationException("The segment was started with the stream");
    }

    @Override
    public void write(FSEditLogOp op) throws IOException {
        open().writeOp(op, getCurrentLogVersion());
    }

    @Override
    public void writeRaw(byte[] bytes, int offset, int length) throws IOException {
        open().writeRaw(bytes, offset, length);
        rawInCurrent |= length > 0;
    }

    @Override
    public void setReadyToFlush() throws IOException {
        open().setReadyToFlush();
        rawInReady = rawInCurrent;
        rawInCurrent = false;
    }

    @Override
    public boolean shouldForceSync() {
        return buffer != null && buffer.shouldForceSync();
    }

    @Override
    protected void flushAndSync(boolean durable) throws IOException {
        EditsDoubleBuffer ready = open();
        int size = ready.countReadyBytes();
        if (size == 0) {
            return;
        }
        requireFits(size);
        // The buffer counts the operations it was given, but not those inside raw bytes.
        long first = rawInReady ? 0 : ready.getFirstReadyTxId();
        int count = ready.countReadyTxns();
        // The only copy, forced by the double buffer: HDFS refills it while this batch may still be on its way to
        // replicas.
        ExactBytes copy = new ExactBytes(term.payloadAllocator().allocate(size));
        ready.flushTo(copy);
        Bytes edits = copy.bytes();
        term.appendEdits(rawInReady ? EditFrames.txIds(edits) : TxRange.of(first, first + count - 1), edits);
    }

    /** Refuses while the batch is still in the buffer: a refused batch must not be skipped, so the next flush finds it again. */
    private void requireFits(int size) throws IOException {
        if (size > EntryCodec.MAX_PAYLOAD_SIZE) {
            throw new IOException("Cannot flush a batch of " + size + " bytes to segment " + firstTxId
                    + ": a batch has at most " + EntryCodec.MAX_PAYLOAD_SIZE + " bytes. None of it was written or sent."
                    + " Lower " + DFSConfigKeys.DFS_NAMENODE_EDITS_ASYNC_LOGGING_PENDING_QUEUE_SIZE
                    + ", so that fewer operations are waiting for one flush");
        }
    }

    /** @throws IOException if there are operations that were never flushed */
    @Override
    public void close() throws IOException {
        if (buffer != null) {
            buffer.close();
            buffer = null;
        }
    }

    @Override
    public void abort() {
        LOG.warn(
                "Aborting segment firstTxId={}: edits that were not flushed are lost; no action needed: "
                        + "no client was told that they succeeded",
                firstTxId);
        buffer = null;
    }

    @Override
    public String generateReport() {
        LogSummary end = term.end();
        return "Writing segment beginning at txid " + firstTxId + " in " + term + ", up to txid " + end.lastTxId()
                + " at entry " + end.position().sn() + " of the pool " + end.members();
    }

    @Override
    public String toString() {
        return "ssp segment starting at txid " + firstTxId;
    }

    private EditsDoubleBuffer open() throws IOException {
        if (buffer == null) {
            throw new IOException("Segment " + firstTxId + " was closed or given up");
        }
        return buffer;
    }

    /** Collects a known number of bytes in a buffer of exactly that size. */
    private static final class ExactBytes extends OutputStream {
        private final ByteBuffer buffer;

        ExactBytes(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public void write(int value) {
            buffer.put((byte) value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            buffer.put(bytes, offset, length);
        }

        Bytes bytes() {
            if (buffer.hasRemaining()) {
                throw new IllegalStateException(
                        "Counted " + buffer.capacity() + " bytes of edits, found " + buffer.position());
            }
            return PayloadAllocator.toBytes(buffer);
        }
    }
}
