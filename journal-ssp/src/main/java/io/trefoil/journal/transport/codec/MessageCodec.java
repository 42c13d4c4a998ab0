/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.Sha256;
import io.trefoil.journal.transport.codec.field.WireReader;
import io.trefoil.journal.transport.codec.field.WireWriter;

/**
 * Turns messages into frames and the bodies of frames into messages. Layouts: {@code docs/design/wire-format.md}.
 * Stateless; called by any thread.
 */
public final class MessageCodec {

    /** The usual size of a buffer, enough for every message without entries; messages with entries compute their own size. */
    private static final int USUAL_LENGTH = 256;

    private MessageCodec() {}

    /** The whole frame of a request; the caller releases it. */
    public static ByteBuf encodeRequest(ByteBufAllocator allocator, long requestId, PoolRequest request) {
        return encodeFrame(allocator, WireFrame.VERSION, requestId, out -> request.dispatch(new RequestWriter(out)));
    }

    /** The whole frame of an answer; the caller releases it. */
    public static ByteBuf encodeReply(ByteBufAllocator allocator, long requestId, PoolReply reply) {
        return encodeFrame(allocator, WireFrame.VERSION, requestId, out -> ReplyWriter.write(reply, out));
    }

    /** The whole frame of a message of the handshake; the caller releases it. */
    public static ByteBuf encodeHandshake(ByteBufAllocator allocator, Handshake message) {
        return encodeFrame(allocator, WireFrame.HANDSHAKE_VERSION, 0, message::write);
    }

    /** @throws BadFrameException if the body is not exactly a request of this type */
    public static PoolRequest readRequest(MessageType type, WireReader body) throws BadFrameException {
        return read(RequestReader::read, type, body);
    }

    /** @throws BadFrameException if the body is not exactly an answer of this type */
    public static PoolReply readReply(MessageType type, WireReader body) throws BadFrameException {
        return read(ReplyReader::read, type, body);
    }

    /** @throws BadFrameException if the body is neither a Hello nor a response */
    public static Handshake readGreeting(MessageType type, WireReader body) throws BadFrameException {
        return read(Handshake::readFromCaller, type, body);
    }

    /** @throws BadFrameException if the body is neither a Welcome, nor a refusal, nor a challenge */
    public static Handshake readAnswerToGreeting(MessageType type, WireReader body) throws BadFrameException {
        return read(Handshake::readAnswer, type, body);
    }

    /** The digest of a Hello as it is sent, which the receiver can compute too. */
    public static Bytes digest(ByteBuf hello) {
        return Sha256.of(hello.slice(
                hello.readerIndex() + WireFrame.HEADER_LENGTH, hello.readableBytes() - WireFrame.HEADER_LENGTH));
    }

    private static <T> T read(BodyReader<T> reading, MessageType type, WireReader body) throws BadFrameException {
        try {
            T message = reading.read(type, body);
            body.requireEnd();
            return message;
        } catch (IllegalArgumentException e) {
            throw new BadFrameException(e);
        }
    }

    private static ByteBuf encodeFrame(ByteBufAllocator allocator, byte version, long requestId, BodyWriter body) {
        ByteBuf frame = allocator.ioBuffer(USUAL_LENGTH);
        try {
            frame.writerIndex(WireFrame.HEADER_LENGTH);
            MessageType type = body.write(new WireWriter(frame));
            int length = frame.readableBytes();
            if (length > WireFrame.MAX_LENGTH) {
                throw new IllegalArgumentException(
                        "A frame of " + length + " bytes of type " + type + ", the limit is " + WireFrame.MAX_LENGTH);
            }
            frame.setInt(0, length - WireFrame.LENGTH_FIELD);
            frame.setByte(4, version);
            frame.setByte(5, type.code());
            frame.setLong(6, requestId);
            return frame;
        } catch (RuntimeException e) {
            frame.release();
            throw e;
        }
    }

    private interface BodyReader<T> {
        T read(MessageType type, WireReader body) throws BadFrameException;
    }

    private interface BodyWriter {
        MessageType write(WireWriter body);
    }
}
