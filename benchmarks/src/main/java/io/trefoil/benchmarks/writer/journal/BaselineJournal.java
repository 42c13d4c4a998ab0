/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.writer.journal;

import java.io.IOException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.EditLogOutputStream;
import org.apache.hadoop.hdfs.server.namenode.EditsDoubleBuffer;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/** A journal without segments, recovery or fencing, with batches that merely become durable: a baseline to compare with. */
public final class BaselineJournal implements MeasuredJournal {
    private static final int BUFFER_BYTES = 512 * 1024;

    private final BatchSink sink;

    public BaselineJournal(BatchSink sink) {
        this.sink = sink;
    }

    @Override
    public EditLogOutputStream start(long firstTxId) throws IOException {
        return new Stream(sink);
    }

    @Override
    public void end(long firstTxId, long lastTxId) throws IOException {
        sink.roll();
    }

    @Override
    public void close() throws IOException {
        sink.close();
    }

    /** Puts HDFS's own double buffer before the sink, as the streams of real journals do. */
    private static final class Stream extends EditLogOutputStream {
        private final BatchSink sink;
        private final EditsDoubleBuffer buffer = new EditsDoubleBuffer(BUFFER_BYTES);

        Stream(BatchSink sink) throws IOException {
            this.sink = sink;
            setCurrentLogVersion(HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
        }

        @Override
        public void write(FSEditLogOp op) throws IOException {
            buffer.writeOp(op, getCurrentLogVersion());
        }

        @Override
        public void writeRaw(byte[] bytes, int offset, int length) throws IOException {
            buffer.writeRaw(bytes, offset, length);
        }

        @Override
        public void create(int layoutVersion) {
            // There is nothing to create.
        }

        @Override
        public void setReadyToFlush() {
            buffer.setReadyToFlush();
        }

        @Override
        public boolean shouldForceSync() {
            return buffer.shouldForceSync();
        }

        @Override
        protected void flushAndSync(boolean durable) throws IOException {
            int size = buffer.countReadyBytes();
            if (size > 0) {
                SizedOutput batch = new SizedOutput(size);
                buffer.flushTo(batch);
                sink.makeDurable(batch.toBuffer());
            }
        }

        @Override
        public void close() throws IOException {
            buffer.close();
        }

        @Override
        public void abort() {
            // The stream holds no resources.
        }
    }
}
