/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.trefoil.foundation.TracedGroups;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.WireReader;
import io.trefoil.journal.writer.WriterReplay;
import io.trefoil.journal.writer.events.AckPolicy;
import io.trefoil.journal.writer.events.AddressSource;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the trace of a writer, and replays it through the rules. */
public final class WriterTraceReader {

    /** In place of the bytes of edits: no rules look at more than their size. */
    private static byte[] edits = new byte[1 << 20];

    private final ByteBuf trace;
    private final WireReader in;
    private final WriterReplay replay;

    private WriterTraceReader(ByteBuf trace, WriterReplay replay) {
        this.trace = trace;
        this.in = new WireReader(trace, ByteBuffer::allocate);
        this.replay = replay;
    }

    /**
     * Replays a trace, whose last record may be incomplete.
     *
     * @return how many events the rules saw
     * @throws io.trefoil.foundation.DriverFault if the driver did something else than the rules asked for
     */
    public static long replay(Path file) throws IOException, BadFrameException {
        WriterReplay replay = new WriterReplay();
        try (TracedGroups groups = TracedGroups.open(file)) {
            for (Optional<byte[]> group = groups.next(); group.isPresent(); group = groups.next()) {
                new WriterTraceReader(Unpooled.wrappedBuffer(group.get()), replay).record();
            }
        }
        return replay.events();
    }

    private void record() throws BadFrameException {
        WriterRecord kind = kind(trace.readByte());
        switch (kind) {
            case BEGAN -> {
                long nowNanos = in.number64();
                replay.began(settings(), nowNanos);
            }
            case SENT_ENTRIES -> sentEntries();
            case SENT -> replay.sent(address(), TracedMessages.message(trace, MessageCodec::readRequest));
            case READY -> replay.ready();
            case COMMITTED -> replay.committed(in.number64());
            case ACKNOWLEDGED -> replay.acknowledged(in.number64());
            case FENCED -> replay.fenced();
            case RETURNED -> replay.returned(in.flag(), in.number64());
            case SETTLED -> replay.settled(in.number64());
            case TOLD_LEASE -> replay.toldLease(in.number64());
            case TOLD_ALONE -> replay.toldAlone(in.number64());
            case GRANTED_READS -> replay.grantedReads(in.node(), in.number64());
            case CLOSED -> replay.closed();
            default -> {
                long digest = in.number64();
                long nowNanos = in.number64();
                replay.saw(digest, event(kind), nowNanos);
            }
        }
    }

    private static WriterRecord kind(int code) throws BadFrameException {
        for (WriterRecord kind : WriterRecord.values()) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw new BadFrameException(new IllegalArgumentException("A record of kind " + code));
    }

    private void sentEntries() throws BadFrameException {
        NodeAddress to = address();
        var incarnation = in.incarnation();
        var epoch = in.epoch();
        var prev = in.position();
        int count = in.number32();
        var last = in.position();
        var committed = in.position();
        replay.sentEntries(
                to,
                AppendRequest.of(
                        incarnation, epoch, WriterId.of("traced"), 1, prev, List.of(), committed, in.number64()),
                last,
                count);
    }

    private WriterEvent event(WriterRecord kind) throws BadFrameException {
        return switch (kind) {
            case PEER_CONNECTED -> WriterEvent.peerConnected(address(), in.node(), in.flag(), in.epoch());
            case PEER_DISCONNECTED -> WriterEvent.peerDisconnected(address());
            case PEER_REFUSED -> WriterEvent.peerRefused(address(), in.incarnation());
            case REPLIED -> {
                NodeAddress from = address();
                long sentNanos = in.number64();
                long leaseMillis = in.number64();
                yield WriterEvent.replied(
                        from, TracedMessages.message(trace, MessageCodec::readReply), sentNanos, leaseMillis);
            }
            case TERM_REQUESTED -> WriterEvent.termRequested();
            case APPEND_REQUESTED -> {
                int size = in.number32();
                Entry entry = in.entries().get(0);
                yield WriterEvent.appendRequested(
                        entry.kind(), entry.txIds(), entry.kind() == EntryKind.EDITS ? edits(size) : entry.payload());
            }
            case PURGE_REQUESTED -> WriterEvent.purgeRequested(in.number64());
            case ANNOUNCE_DELAY_PASSED -> WriterEvent.announceDelayPassed(in.number64());
            case PART_SENT -> WriterEvent.partSent(address(), in.number64(), in.number64());
            case LOAD_FAILED -> WriterEvent.loadFailed(address(), address());
            case LOAD_PURGED -> WriterEvent.loadPurged(address(), in.summary());
            case ANSWERS_WANTED -> WriterEvent.answersWanted();
            case READS_WANTED -> WriterEvent.readsWanted(in.node());
            case LEASE_WANTED -> WriterEvent.leaseWanted(in.number64());
            case TICKED -> WriterEvent.ticked();
            case STEP_DOWN_REQUESTED -> WriterEvent.stepDownRequested();
            default -> throw new BadFrameException(new IllegalArgumentException("A record of kind " + kind));
        };
    }

    private static Bytes edits(int size) {
        if (size > edits.length) {
            edits = new byte[size];
        }
        return Bytes.wrap(edits, 0, size);
    }

    private NodeAddress address() throws BadFrameException {
        return NodeAddress.parse(in.text());
    }

    private WriterSettings settings() throws BadFrameException {
        WriterSettings.Builder settings =
                WriterSettings.builder().writer(in.writer()).namespace(in.namespace());
        List<NodeAddress> addresses = new ArrayList<>();
        for (int left = in.number32(); left > 0; left--) {
            addresses.add(address());
        }
        settings.addresses(addresses).addressSource(AddressSource.valueOf(in.text()));
        String local = in.text();
        if (!local.isEmpty()) {
            settings.localNode(NodeAddress.parse(local));
        }
        return settings.leaseMillis(in.number64())
                .ackTimeoutMillis(in.number64())
                .retryMillis(in.number64())
                .minReplicas(in.number32())
                .ackPolicy(AckPolicy.valueOf(in.text()))
                .holdsAnswersUntilCommitted(in.flag())
                .catchUpBytesPerSecond(in.number64())
                .windowBytes(in.number64())
                .partBytes(in.number32())
                .build();
    }
}
