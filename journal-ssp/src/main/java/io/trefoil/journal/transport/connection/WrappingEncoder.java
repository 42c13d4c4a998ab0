/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.trefoil.journal.transport.authentication.Protection;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Protects the frames that are sent: each becomes one or more pieces. A piece has a length of 4 bytes, then the output
 * of {@link Protection} for the piece's number and a part of the frame.
 */
final class WrappingEncoder extends ChannelOutboundHandlerAdapter {

    static final int LENGTH_FIELD = 4;
    /**
     * The size of the sequence number of a piece, by which the other side detects missing and repeated pieces, whatever the mechanism
     * itself detects.
     */
    static final int NUMBER_FIELD = 8;

    private final Protection protection;
    private long next;

    WrappingEncoder(Protection protection) {
        this.protection = protection;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        ByteBuf frame = (ByteBuf) message;
        try {
            int most = protection.maxPlainBytes() - NUMBER_FIELD;
            while (frame.readableBytes() > most) {
                context.write(wrap(context, frame, most), context.voidPromise());
            }
            context.write(wrap(context, frame, frame.readableBytes()), promise);
        } catch (IOException e) {
            promise.tryFailure(e);
            context.close();
        } finally {
            frame.release();
        }
    }

    private ByteBuf wrap(ChannelHandlerContext context, ByteBuf frame, int length) throws IOException {
        byte[] plain = new byte[NUMBER_FIELD + length];
        ByteBuffer.wrap(plain).putLong(next++);
        frame.readBytes(plain, NUMBER_FIELD, length);
        byte[] token = protection.wrap(plain);
        return context.alloc()
                .ioBuffer(LENGTH_FIELD + token.length)
                .writeInt(token.length)
                .writeBytes(token);
    }
}
