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
 * Decodes the bytes of one connection up to the first fault and no further, as the start of the next message is then unknown. A connection
 * that ends within a message is a fault too. The next handler gets the one {@link BadFrameException}, and closes the connection. Used by
 * the connection's event loop only.
 */
abstract class StrictDecoder extends ByteToMessageDecoder {

    private final String message;
    private boolean deaf;

    /** @param message the name of a message, with its article, for the error if the connection ends within one */
    StrictDecoder(String message) {
        this.message = message;
    }

    /** Decodes one message, if it has arrived completely. */
    abstract void read(ByteBuf in, List<Object> out) throws BadFrameException;

    /** Drops everything that arrives from now on; the caller reports why. */
    final void discardInput() {
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
            discardInput();
            in.skipBytes(in.readableBytes());
            context.fireExceptionCaught(e);
        }
    }

    @Override
    protected final void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.isReadable() && !deaf) {
            discardInput();
            context.fireExceptionCaught(new BadFrameException(
                    RefusalCause.TRUNCATED_FRAME,
                    "Connection ended after " + in.readableBytes() + " bytes of " + message));
        }
    }
}
