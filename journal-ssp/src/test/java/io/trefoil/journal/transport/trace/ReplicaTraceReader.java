/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.trefoil.foundation.TracedGroups;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.ReplicaRequest;
import io.trefoil.journal.replica.ReplicaReplay;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.WireReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the trace of a replica, and replays it through the rules. */
public final class ReplicaTraceReader {

    private final ByteBuf trace;
    private final WireReader in;
    private final ReplicaReplay replay;

    private ReplicaTraceReader(ByteBuf trace, ReplicaReplay replay) {
        this.trace = trace;
        this.in = new WireReader(trace, ByteBuffer::allocate);
        this.replay = replay;
    }

    /**
     * Replays a trace, whose last group may be incomplete.
     *
     * @return how many requests the rules saw
     * @throws io.trefoil.foundation.DriverFault if the driver did something else than the rules asked for
     */
    public static long replay(Path file) throws IOException, BadFrameException {
        ReplicaReplay replay = new ReplicaReplay();
        try (TracedGroups groups = TracedGroups.open(file)) {
            for (Optional<byte[]> group = groups.next(); group.isPresent(); group = groups.next()) {
                new ReplicaTraceReader(Unpooled.wrappedBuffer(group.get()), replay).all();
            }
        }
        return replay.events();
    }

    private void all() throws BadFrameException {
        while (trace.isReadable()) {
            record(trace.readByte());
        }
    }

    private void record(int code) throws BadFrameException {
        switch (kind(code)) {
            case BEGAN -> {
                NodeId node = in.node();
                Promise promise = promise();
                LogCompleteness completeness = in.completeness();
                LogSummary committed = in.summary();
                List<Entry> tail = in.entries();
                replay.began(node, promise, completeness, committed, tail, in.position(), in.number64(), in.number64());
            }
            case SAW ->
                replay.saw(in.number64(), in.number64(), in.number64(), in.number64(), (ReplicaRequest)
                        TracedMessages.message(trace, MessageCodec::readRequest));
            case SAVED_PROMISE -> replay.savedPromise(promise(), in.completeness());
            case WROTE -> {
                long committedSn = in.number64();
                List<LogPosition> entries = new ArrayList<>();
                for (int left = in.number32(); left > 0; left--) {
                    entries.add(in.position());
                }
                replay.wrote(entries, committedSn);
            }
            case SYNCED -> replay.synced();
            case TRUNCATED -> replay.truncated(in.number64());
            case REBASED -> replay.rebased(in.summary());
            case CLOSED -> replay.closed();
            case SHOWED -> replay.showed(in.number64());
            case ANSWERED -> {
                List<Optional<PoolReply>> replies = new ArrayList<>();
                for (int left = in.number32(); left > 0; left--) {
                    replies.add(
                            in.flag()
                                    ? Optional.of(TracedMessages.message(trace, MessageCodec::readReply))
                                    : Optional.empty());
                }
                replay.answered(replies);
            }
        }
    }

    private static TraceRecord kind(int code) throws BadFrameException {
        for (TraceRecord kind : TraceRecord.values()) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw new BadFrameException(new IllegalArgumentException("A record of kind " + code));
    }

    private Promise promise() throws BadFrameException {
        return Promise.of(in.epoch(), in.writer(), in.number64());
    }
}
