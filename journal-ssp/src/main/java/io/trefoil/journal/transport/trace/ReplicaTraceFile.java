/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.trefoil.foundation.TraceFile;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.ReplicaRequest;
import io.trefoil.journal.replica.ReplicaState;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.field.WireWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes the trace of a replica to a file, without the bytes of edits, which the rules ignore. Each group is passed to the
 * operating system before it is answered, so that a process that is killed leaves all it answered. Thread-safe.
 */
public final class ReplicaTraceFile implements ReplicaTrace {

    /** The suffix of the names of such traces. */
    public static final String SUFFIX = ".replica";

    private final TraceFile file;
    private final ByteBuf group = Unpooled.buffer();

    /** @param prefix of the name of the file, which is new for each process: so it begins where the rules do */
    public ReplicaTraceFile(Path directory, String prefix) {
        this.file = new TraceFile(directory, prefix, SUFFIX);
    }

    @Override
    public synchronized void recordStart(ReplicaState state, long nowNanos) {
        writeRecord(TraceRecord.BEGAN, out -> {
            promise(out.node(state.node()), state.promise()).completeness(state.completeness());
            out.summary(state.committedSummary())
                    .entries(TracedEntries.withoutEdits(state.tail()))
                    .position(state.knownCommitted())
                    .number64(nowNanos)
                    .number64(state.lease().remainingMillis(nowNanos));
        });
    }

    @Override
    public synchronized void recordRequest(ReplicaState state, ReplicaRequest request, long firstTxId, long nowNanos) {
        writeRecord(TraceRecord.SAW, out -> {
            out.number64(state.digest())
                    .number64(firstTxId)
                    .number64(nowNanos)
                    .number64(state.lease().remainingMillis(nowNanos));
            writeFrame(MessageCodec.encodeRequest(
                    UnpooledByteBufAllocator.DEFAULT, 0, TracedEntries.withoutEdits(request)));
        });
    }

    @Override
    public synchronized void recordSavedPromise(Promise promise, LogCompleteness completeness) {
        writeRecord(TraceRecord.SAVED_PROMISE, out -> promise(out, promise).completeness(completeness));
    }

    @Override
    public synchronized void recordWrite(List<Entry> entries, long committedSn) {
        writeRecord(TraceRecord.WROTE, out -> {
            out.number64(committedSn).number32(entries.size());
            entries.forEach(entry -> out.position(entry.position()));
        });
    }

    @Override
    public synchronized void recordSync() {
        writeRecord(TraceRecord.SYNCED, out -> {});
    }

    @Override
    public synchronized void recordTruncate(long lastSn) {
        writeRecord(TraceRecord.TRUNCATED, out -> out.number64(lastSn));
    }

    @Override
    public synchronized void recordRebase(LogSummary base) {
        writeRecord(TraceRecord.REBASED, out -> out.summary(base));
    }

    @Override
    public synchronized void recordClose() {
        writeRecord(TraceRecord.CLOSED, out -> {});
        flush();
    }

    @Override
    public synchronized void recordShown(long sn) {
        writeRecord(TraceRecord.SHOWED, out -> out.number64(sn));
    }

    @Override
    public synchronized void recordReplies(List<Optional<PoolReply>> replies) {
        writeRecord(TraceRecord.ANSWERED, out -> {
            out.number32(replies.size());
            for (Optional<PoolReply> reply : replies) {
                out.flag(reply.isPresent());
                reply.ifPresent(
                        given -> writeFrame(MessageCodec.encodeReply(UnpooledByteBufAllocator.DEFAULT, 0, given)));
            }
        });
        flush();
    }

    private static WireWriter promise(WireWriter out, Promise promise) {
        return out.epoch(promise.epoch()).writer(promise.writer()).number64(promise.leaseMillis());
    }

    private void writeFrame(ByteBuf frame) {
        try {
            group.writeBytes(frame);
        } finally {
            frame.release();
        }
    }

    private void writeRecord(TraceRecord kind, Consumer<WireWriter> fields) {
        group.writeByte(kind.code());
        fields.accept(new WireWriter(group));
    }

    private void flush() {
        byte[] records = new byte[group.readableBytes()];
        group.readBytes(records);
        group.clear();
        file.add(records);
        file.flush();
    }
}
