/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.trefoil.foundation.TraceFile;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.field.WireWriter;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterEventHandler;
import io.trefoil.journal.writer.events.WriterSettings;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes the trace of a writer to a file, without the bytes of edits. A thread of its own passes the records to the operating system
 * soon, as a thread that writes may not wait for a disk: a process that is killed leaves the beginning of its trace. Thread-safe.
 */
public final class WriterTraceFile implements WriterTrace {

    /** The suffix of the names of such traces. */
    public static final String SUFFIX = ".writer";

    /** The interval within which a repeated time is not recorded again. */
    private static final long TOLD_NANOS = 1_000_000L;

    private final TraceFile file;
    private final ByteBuf record = Unpooled.buffer();
    private final WireWriter out = new WireWriter(record);
    private long toldLeaseNanos = Long.MIN_VALUE;
    private long toldAloneNanos = Long.MIN_VALUE;

    /** @param prefix of the name of the file, which is new for each writer */
    public WriterTraceFile(Path directory, String prefix) {
        this.file = new TraceFile(directory, prefix, SUFFIX);
    }

    @Override
    public synchronized void recordStart(WriterState state, long nowNanos) {
        writeRecord(WriterRecord.BEGAN, () -> {
            WriterSettings settings = state.settings();
            out.number64(nowNanos).writer(settings.writer()).namespace(settings.namespace());
            out.number32(settings.addresses().size());
            settings.addresses().forEach(this::writeAddress);
            out.text(settings.addressSource().name());
            out.text(settings.localNode().map(NodeAddress::toString).orElse(""));
            out.number64(settings.leaseMillis())
                    .number64(settings.ackTimeoutMillis())
                    .number64(settings.retryMillis())
                    .number32(settings.minReplicas())
                    .text(settings.ackPolicy().name())
                    .flag(settings.holdsAnswersUntilCommitted())
                    .number64(settings.catchUpBytesPerSecond())
                    .number64(settings.windowBytes())
                    .number32(settings.partBytes());
        });
    }

    @Override
    public synchronized void recordEvent(WriterState state, WriterEvent event, long nowNanos) {
        event.dispatch(new EventNotes(state.digest(), nowNanos));
    }

    @Override
    public synchronized void recordSent(NodeAddress to, PoolRequest request) {
        if (request instanceof AppendRequest) {
            AppendRequest append = (AppendRequest) request;
            List<Entry> entries = append.entries();
            writeRecord(WriterRecord.SENT_ENTRIES, () -> {
                writeAddress(to);
                out.incarnation(append.incarnation())
                        .epoch(append.epoch())
                        .position(append.prev())
                        .number32(entries.size())
                        .position(entries.isEmpty() ? append.prev() : last(entries))
                        .position(append.committedPosition())
                        .number64(append.lastSn());
            });
        } else {
            writeRecord(WriterRecord.SENT, () -> {
                writeAddress(to);
                writeFrame(MessageCodec.encodeRequest(UnpooledByteBufAllocator.DEFAULT, 0, request));
            });
        }
    }

    private static LogPosition last(List<Entry> entries) {
        return entries.get(entries.size() - 1).position();
    }

    @Override
    public synchronized void recordReady() {
        writeRecord(WriterRecord.READY, () -> {});
    }

    @Override
    public synchronized void recordCommitted(long sn) {
        writeRecord(WriterRecord.COMMITTED, () -> out.number64(sn));
    }

    @Override
    public synchronized void recordAcknowledged(long sn) {
        writeRecord(WriterRecord.ACKNOWLEDGED, () -> out.number64(sn));
    }

    @Override
    public synchronized void recordFenced() {
        writeRecord(WriterRecord.FENCED, () -> {});
    }

    @Override
    public synchronized void recordReturned(EntryKind kind, long sn) {
        writeRecord(
                WriterRecord.RETURNED, () -> out.flag(kind == EntryKind.EDITS).number64(sn));
    }

    @Override
    public synchronized void recordAllCommitted(long sn) {
        writeRecord(WriterRecord.SETTLED, () -> out.number64(sn));
    }

    @Override
    public synchronized void recordReportedLease(long untilNanos) {
        if (toldLeaseNanos == Long.MIN_VALUE || untilNanos - toldLeaseNanos > TOLD_NANOS) {
            toldLeaseNanos = untilNanos;
            writeRecord(WriterRecord.TOLD_LEASE, () -> out.number64(untilNanos));
        }
    }

    @Override
    public synchronized void recordReportedSoleWriter(long nanos) {
        if (toldAloneNanos == Long.MIN_VALUE || nanos - toldAloneNanos > TOLD_NANOS) {
            toldAloneNanos = nanos;
            writeRecord(WriterRecord.TOLD_ALONE, () -> out.number64(nanos));
        }
    }

    @Override
    public synchronized void recordGrantedReads(NodeId node, long wantedNanos) {
        writeRecord(WriterRecord.GRANTED_READS, () -> out.node(node).number64(wantedNanos));
    }

    @Override
    public synchronized void recordClosed() {
        writeRecord(WriterRecord.CLOSED, () -> {});
        file.close();
    }

    private void writeAddress(NodeAddress address) {
        out.text(address.toString());
    }

    private void writeFrame(ByteBuf frame) {
        try {
            record.writeBytes(frame);
        } finally {
            frame.release();
        }
    }

    private void writeRecord(WriterRecord kind, Runnable fields) {
        record.clear().writeByte(kind.code());
        fields.run();
        byte[] whole = new byte[record.readableBytes()];
        record.readBytes(whole);
        file.add(whole);
        file.flushSoon();
    }

    /** Records an event, after the fields that all events have in common. */
    private final class EventNotes implements WriterEventHandler<RuntimeException> {
        private final long digest;
        private final long nowNanos;

        EventNotes(long digest, long nowNanos) {
            this.digest = digest;
            this.nowNanos = nowNanos;
        }

        private void writeEvent(WriterRecord kind, Consumer<WireWriter> fields) {
            writeRecord(kind, () -> {
                out.number64(digest).number64(nowNanos);
                fields.accept(out);
            });
        }

        private void writeEvent(WriterRecord kind, NodeAddress from, Consumer<WireWriter> fields) {
            writeEvent(kind, fieldsOut -> {
                writeAddress(from);
                fields.accept(fieldsOut);
            });
        }

        @Override
        public void peerConnected(NodeAddress address, NodeId node, boolean formatted, Epoch promisedEpoch) {
            writeEvent(WriterRecord.PEER_CONNECTED, address, to -> to.node(node)
                    .flag(formatted)
                    .epoch(promisedEpoch));
        }

        @Override
        public void peerDisconnected(NodeAddress address) {
            writeEvent(WriterRecord.PEER_DISCONNECTED, address, to -> {});
        }

        @Override
        public void peerRefused(NodeAddress address, Incarnation kept) {
            writeEvent(WriterRecord.PEER_REFUSED, address, to -> to.incarnation(kept));
        }

        @Override
        public void replied(NodeAddress address, PoolReply reply, long sentNanos, long leaseMillis) {
            writeEvent(WriterRecord.REPLIED, address, to -> {
                to.number64(sentNanos).number64(leaseMillis);
                writeFrame(MessageCodec.encodeReply(UnpooledByteBufAllocator.DEFAULT, 0, reply));
            });
        }

        @Override
        public void termRequested() {
            writeEvent(WriterRecord.TERM_REQUESTED, to -> {});
        }

        @Override
        public void appendRequested(EntryKind kind, TxRange txIds, Bytes payload) {
            Entry entry = Entry.of(LogPosition.of(Epoch.FORMAT, 1), kind, txIds, payload);
            writeEvent(WriterRecord.APPEND_REQUESTED, to -> to.number32(payload.size())
                    .entries(TracedEntries.withoutEdits(Collections.singletonList(entry))));
        }

        @Override
        public void purgeRequested(long minTxId) {
            writeEvent(WriterRecord.PURGE_REQUESTED, to -> to.number64(minTxId));
        }

        @Override
        public void announceDelayPassed(long sn) {
            writeEvent(WriterRecord.ANNOUNCE_DELAY_PASSED, to -> to.number64(sn));
        }

        @Override
        public void partSent(NodeAddress address, long lastSn, long payloadBytes) {
            writeEvent(
                    WriterRecord.PART_SENT, address, to -> to.number64(lastSn).number64(payloadBytes));
        }

        @Override
        public void loadFailed(NodeAddress address, NodeAddress source) {
            writeEvent(WriterRecord.LOAD_FAILED, address, to -> writeAddress(source));
        }

        @Override
        public void loadPurged(NodeAddress address, LogSummary base) {
            writeEvent(WriterRecord.LOAD_PURGED, address, to -> to.summary(base));
        }

        @Override
        public void answersWanted() {
            writeEvent(WriterRecord.ANSWERS_WANTED, to -> {});
        }

        @Override
        public void readsWanted(NodeId node) {
            writeEvent(WriterRecord.READS_WANTED, to -> to.node(node));
        }

        @Override
        public void leaseWanted(long millis) {
            writeEvent(WriterRecord.LEASE_WANTED, to -> to.number64(millis));
        }

        @Override
        public void ticked() {
            writeEvent(WriterRecord.TICKED, to -> {});
        }

        @Override
        public void stepDownRequested() {
            writeEvent(WriterRecord.STEP_DOWN_REQUESTED, to -> {});
        }
    }
}
