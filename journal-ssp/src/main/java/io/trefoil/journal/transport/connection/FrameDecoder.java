/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.trefoil.journal.transport.codec.BadFrameException;
import io.trefoil.journal.transport.codec.Frame;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.RefusalCause;
import io.trefoil.journal.transport.codec.WireReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Cuts the stream of one connection into {@link Frame}s. A frame that cannot be is the last thing that is read
 * from a connection: the handler behind gets a {@link BadFrameException} and closes.
 *
 * <p>The fields before the body are checked as soon as they are there: a giant length is refused before any of it
 * is kept.
 */
public final class FrameDecoder extends ByteToMessageDecoder {

    /** Reads the body of a frame; what it returns becomes the message of the {@link Frame}. */
    interface Body {
        Object read(MessageType type, WireReader body) throws BadFrameException;
    }

    private static final int COUNTED_BYTES = 256 * 1024;

    private final byte version;
    private final int maxLength;
    private final Body body;
    private final IntFunction<ByteBuffer> room;
    private final Optional<ConnectionMemory.Share> memory;
    private int heldBytes;
    private boolean silence;
    private boolean deaf;

    private FrameDecoder(byte version, int maxLength, Body body) {
        this(version, maxLength, body, ByteBuffer::allocate, Optional.empty());
    }

    private FrameDecoder(
            byte version,
            int maxLength,
            Body body,
            IntFunction<ByteBuffer> room,
            Optional<ConnectionMemory.Share> memory) {
        this.version = version;
        this.maxLength = maxLength;
        this.body = body;
        this.room = room;
        this.memory = memory;
    }

    public static FrameDecoder ofGreeting() {
        return new FrameDecoder(Frame.HANDSHAKE_VERSION, Frame.MAX_HELLO_LENGTH, MessageCodec::readGreeting);
    }

    public static FrameDecoder ofAnswerToGreeting() {
        return new FrameDecoder(Frame.HANDSHAKE_VERSION, Frame.MAX_WELCOME_LENGTH, MessageCodec::readAnswerToGreeting);
    }

    public static FrameDecoder ofRequests(int maxLength) {
        return new FrameDecoder(Frame.VERSION, maxLength, MessageCodec::readRequest);
    }

    /**
     * @param room gives a buffer with an array for the payload of an entry
     * @param memory is told of frames that have not come in whole
     */
    public static FrameDecoder ofRequestsOfWriter(IntFunction<ByteBuffer> room, ConnectionMemory.Share memory) {
        return new FrameDecoder(Frame.VERSION, Frame.MAX_LENGTH, MessageCodec::readRequest, room, Optional.of(memory));
    }

    public static FrameDecoder ofReplies() {
        return new FrameDecoder(Frame.VERSION, Frame.MAX_LENGTH, MessageCodec::readReply);
    }

    /**
     * From now on nothing may come, until another decoder takes the place of this one.
     *
     * @throws BadFrameException if something came already
     */
    public void expectSilence() throws BadFrameException {
        silence = true;
        if (actualReadableBytes() > 0) {
            deaf = true;
            throw tooEarly();
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (deaf) {
            in.skipBytes(in.readableBytes());
            return;
        }
        try {
            if (silence) {
                throw tooEarly();
            }
            Frame frame = read(in);
            if (frame != null) {
                out.add(frame);
            }
        } catch (BadFrameException e) {
            deaf = true;
            in.skipBytes(in.readableBytes());
            context.fireExceptionCaught(e);
        }
    }

    @Override
    protected void decodeLast(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.isReadable() && !deaf) {
            deaf = true;
            context.fireExceptionCaught(new BadFrameException(
                    RefusalCause.TRUNCATED_FRAME,
                    "Connection ended after " + in.readableBytes() + " bytes of a frame"));
        }
    }

    private Frame read(ByteBuf in) throws BadFrameException {
        if (in.readableBytes() < Frame.LENGTH_FIELD) {
            return null;
        }
        int start = in.readerIndex();
        long length = (long) in.getInt(start) + Frame.LENGTH_FIELD;
        checkLength(length);
        if (in.readableBytes() < Frame.HEADER_LENGTH) {
            return null;
        }
        if (in.getByte(start + 4) != version) {
            throw new BadFrameException(
                    RefusalCause.UNKNOWN_VERSION,
                    "A frame of version " + in.getUnsignedByte(start + 4) + ", wanted " + version);
        }
        MessageType type = MessageType.ofCode(in.getByte(start + 5));
        if (in.readableBytes() < length) {
            hold(in.readableBytes());
            return null;
        }
        holdNothing();
        long requestId = in.getLong(start + 6);
        in.skipBytes(Frame.HEADER_LENGTH);
        ByteBuf fields = in.readSlice((int) length - Frame.HEADER_LENGTH);
        return new Frame(requestId, body.read(type, new WireReader(fields, room)), (int) length);
    }

    /** So much of a frame is here; what fits into one read anyway does not count. */
    private void hold(int bytes) {
        if (memory.isPresent() && bytes > COUNTED_BYTES) {
            int more = bytes - heldBytes;
            heldBytes = bytes;
            memory.get().take(more);
        }
    }

    private void holdNothing() {
        if (heldBytes > 0) {
            memory.get().give(heldBytes);
            heldBytes = 0;
        }
    }

    private static BadFrameException tooEarly() {
        return new BadFrameException(RefusalCause.EARLY_REQUEST, "A caller is silent between its Hello and the answer");
    }

    private void checkLength(long length) throws BadFrameException {
        if (length > maxLength) {
            throw new BadFrameException(
                    RefusalCause.GIANT_FRAME, "A frame of " + length + " bytes, the limit is " + maxLength);
        }
        if (length < Frame.HEADER_LENGTH) {
            throw new BadFrameException(
                    RefusalCause.SHORT_FRAME, "A frame of " + length + " bytes, its header has " + Frame.HEADER_LENGTH);
        }
    }
}
