/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server.session;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelPromise;
import io.trefoil.journal.protocol.ForwardedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import io.trefoil.journal.transport.connection.RefusalCounters;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The path of answers to one caller. Answers that a turn's own thread gives during the turn are sent with one flush at
 * its end; all others are sent at once. The answering thread encodes them, so that the checksums of a large answer do
 * not occupy an event loop.
 */
public final class ReplySender {

    /**
     * A caller that leaves more than this unread is disconnected, or, if it forwards calls, gets no further answers to them; a single
     * answer may exceed the limit.
     */
    private static final long MAX_UNREAD_BYTES = 64L * 1024 * 1024;

    /** The value that Netty returns for a closed channel. */
    private static final long CLOSED = Long.MAX_VALUE;

    /** The size below which answers are not counted, unless the caller has already left many bytes unread. */
    private static final int COUNTED_BYTES = 16 * 1024;

    private static final int UNCOUNTED_BYTES = 64 * 1024;

    private final Channel channel;
    private final ConnectionMemory.Share memory;
    private final RefusalCounters refusals;
    private final AtomicInteger expected = new AtomicInteger();
    private volatile Thread turn;

    public ReplySender(Channel channel, ConnectionMemory.Share memory, RefusalCounters refusals) {
        this.channel = channel;
        this.memory = memory;
        this.refusals = refusals;
    }

    /** Expects one more answer, and returns how many are expected now. */
    int expectOneMore() {
        return expected.incrementAndGet();
    }

    void beginTurn() {
        turn = Thread.currentThread();
    }

    void endTurn() {
        turn = null;
        channel.flush();
    }

    void answer(long requestId, PoolReply reply) {
        expected.decrementAndGet();
        long unread = channel.bytesBeforeWritable();
        if (unread == CLOSED) {
            return;
        }
        if (unread > MAX_UNREAD_BYTES && reply instanceof ForwardedReply) {
            // Many clients' calls share the session. No more than the requests without an answer can follow.
            send(requestId, ((ForwardedReply) reply).withoutAnswer());
            return;
        }
        if (unread > MAX_UNREAD_BYTES) {
            refusals.recordRefusal(
                    RefusalCause.ANSWERS_NOT_READ,
                    channel.remoteAddress(),
                    "The caller does not read its answers: more than " + MAX_UNREAD_BYTES + " bytes are " + "waiting");
            channel.close();
            return;
        }
        send(requestId, reply);
    }

    private void send(long requestId, PoolReply reply) {
        ByteBuf frame = MessageCodec.encodeReply(channel.alloc(), requestId, reply);
        ChannelPromise written = newWritePromise(frame.readableBytes());
        if (turn == Thread.currentThread() && channel.isWritable()) {
            channel.write(frame, written);
        } else {
            channel.writeAndFlush(frame, written);
        }
    }

    /** Unread bytes up to the high water mark; more precision is not needed for the comparison. */
    private long unreadBytes() {
        return channel.config().getWriteBufferHighWaterMark() - channel.bytesBeforeUnwritable();
    }

    private ChannelPromise newWritePromise(int bytes) {
        if (bytes < COUNTED_BYTES && unreadBytes() < UNCOUNTED_BYTES) {
            return channel.voidPromise();
        }
        memory.reserve(bytes);
        return channel.newPromise().addListener(done -> memory.release(bytes));
    }
}
