/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.util.List;

/**
 * Reads the bytes of one connection until the first bad one, and nothing after that: where the next message would begin is not
 * known then. A connection that ends within a message ends with an error. The next handler gets the one {@link
 * BadFrameException}, and closes the connection. Of the connection's event loop only.
 */
abstract class StrictDecoder extends ByteToMessageDecoder {

    private final String message;
    private boolean deaf;

    /** @param message what is cut if the connection ends within one, with its article */
    StrictDecoder(String message) {
        this.message = message;
    }

    /** Takes one message, if it is there in whole. */
    abstract void read(ByteBuf in, List<Object> out) throws BadFrameException;

    /** What comes from now on is dropped; whoever says so tells why. */
    final void hearNoMore() {
        deaf = true;
    }

    @Override
    protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (deaf) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            read(in, out);
        } catch (BadFrameException e) {
            hearNoMore();
            in.skipBytes(in.readableBytes());
            context.fireExceptionCaught(e);
        }
    }

    @Override
    protected final void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.isReadable() && !deaf) {
            hearNoMore();
            context.fireExceptionCaught(new BadFrameException(
                    RefusalCause.TRUNCATED_FRAME,
                    "Connection ended after " + in.readableBytes() + " bytes of " + message));
        }
    }
}
