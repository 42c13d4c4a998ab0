/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.trefoil.journal.transport.authentication.Protection;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.io.IOException;
import java.util.List;

/**
 * Unwraps the pieces that the other side protected, and passes on the original bytes. Reads nothing more once a piece
 * was changed, repeated or left out on its way.
 */
final class UnwrappingDecoder extends StrictDecoder {

    private final Protection protection;
    private long expected;
    private boolean silence = true;

    UnwrappingDecoder(Protection protection) {
        super("a protected piece");
        this.protection = protection;
    }

    void expectPieces() {
        silence = false;
    }

    @Override
    void read(ByteBuf in, List<Object> out) throws BadFrameException {
        if (silence) {
            // Refuses even half a piece, which no later handler would see: the connection is changing its thread.
            throw new BadFrameException(RefusalCause.EARLY_REQUEST, "A caller must be silent until it is admitted");
        }
        if (in.readableBytes() < WrappingEncoder.LENGTH_FIELD) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 0 || length > Protection.MAX_PIECE) {
            throw new BadFrameException(
                    RefusalCause.GIANT_FRAME,
                    "A protected piece of " + length + " bytes, the limit is " + Protection.MAX_PIECE);
        }
        if (in.readableBytes() < WrappingEncoder.LENGTH_FIELD + length) {
            return;
        }
        byte[] wrapped = new byte[length];
        in.skipBytes(WrappingEncoder.LENGTH_FIELD).readBytes(wrapped);
        byte[] plain;
        try {
            plain = protection.unwrap(wrapped);
        } catch (IOException e) {
            throw new BadFrameException(
                    RefusalCause.PROTECTION, "A protected piece is not what the other side sent: " + e.getMessage());
        }
        if (plain.length <= WrappingEncoder.NUMBER_FIELD) {
            // No sender of ours makes empty pieces, and they would cost the node more than the sender.
            throw new BadFrameException(RefusalCause.PROTECTION, "An empty protected piece");
        }
        ByteBuf piece = Unpooled.wrappedBuffer(plain);
        long number = piece.readLong();
        if (number != expected) {
            throw new BadFrameException(
                    RefusalCause.PROTECTION, "Piece " + number + " came in place of piece " + expected);
        }
        expected++;
        out.add(piece);
    }
}
