/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.connection;

import io.netty.buffer.ByteBuf;
import io.trefoil.journal.transport.codec.MessageCodec;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.codec.field.WireReader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Splits the stream of one connection into {@link WireFrame}s. Reads nothing more after an impossible frame: the next
 * handler gets a {@link BadFrameException} and closes the connection.
 *
 * <p>Checks the fields before the body as soon as they arrive: a giant length is refused before its frame is buffered.
 */
public final class WireFrameDecoder extends StrictDecoder {

    /** Reads the body of a frame; the result becomes the message of the {@link WireFrame}. */
    interface Body {
        Object read(MessageType type, WireReader body) throws BadFrameException;
    }

    /** Buffers up to this size are not counted. */
    private static final int COUNTED_BYTES = 16 * 1024;

    /** The first bytes of a TLS connection, in place of a length: far above any allowed length. */
    private static final int TLS_HANDSHAKE = 0x1603;

    private final byte version;
    private final int maxLength;
    private final Body body;
    private final IntFunction<ByteBuffer> bufferAllocator;
    private final Optional<ConnectionMemory.Share> memory;
    private int heldBytes;
    private boolean silence;

    private WireFrameDecoder(byte version, int maxLength, Body body) {
        this(version, maxLength, body, ByteBuffer::allocate, Optional.empty());
    }

    private WireFrameDecoder(
            byte version,
            int maxLength,
            Body body,
            IntFunction<ByteBuffer> bufferAllocator,
            Optional<ConnectionMemory.Share> memory) {
        super("a frame");
        this.version = version;
        this.maxLength = maxLength;
        this.body = body;
        this.bufferAllocator = bufferAllocator;
        this.memory = memory;
    }

    public static WireFrameDecoder ofGreeting() {
        return new WireFrameDecoder(
                WireFrame.HANDSHAKE_VERSION, WireFrame.MAX_HELLO_LENGTH, MessageCodec::readGreeting);
    }

    /** Creates a decoder of greetings for nodes whose callers authenticate. */
    public static WireFrameDecoder ofGreetingWithProof() {
        return new WireFrameDecoder(
                WireFrame.HANDSHAKE_VERSION, WireFrame.MAX_PROOF_LENGTH, MessageCodec::readGreeting);
    }

    public static WireFrameDecoder ofAnswerToGreeting() {
        return new WireFrameDecoder(
                WireFrame.HANDSHAKE_VERSION, WireFrame.MAX_WELCOME_LENGTH, MessageCodec::readAnswerToGreeting);
    }

    public static WireFrameDecoder ofRequests(int maxLength) {
        return new WireFrameDecoder(WireFrame.VERSION, maxLength, MessageCodec::readRequest);
    }

    /** @param memory accounts for frames that have not arrived in full */
    public static WireFrameDecoder ofRequestsOfReader(ConnectionMemory.Share memory) {
        return new WireFrameDecoder(
                WireFrame.VERSION,
                WireFrame.MAX_READER_REQUEST_LENGTH,
                MessageCodec::readRequest,
                ByteBuffer::allocate,
                Optional.of(memory));
    }

    /**
     * @param bufferAllocator gives a buffer with an array for the payload of an entry
     * @param memory accounts for frames that have not arrived in full
     */
    public static WireFrameDecoder ofRequestsOfWriter(
            IntFunction<ByteBuffer> bufferAllocator, ConnectionMemory.Share memory) {
        return new WireFrameDecoder(
                WireFrame.VERSION,
                WireFrame.MAX_LENGTH,
                MessageCodec::readRequest,
                bufferAllocator,
                Optional.of(memory));
    }

    public static WireFrameDecoder ofReplies() {
        return new WireFrameDecoder(WireFrame.VERSION, WireFrame.MAX_LENGTH, MessageCodec::readReply);
    }

    /**
     * Allows no bytes to arrive from now on, until another message is expected, or another decoder takes the place of this
     * one.
     *
     * @throws BadFrameException if something came already
     */
    public void expectSilence() throws BadFrameException {
        silence = true;
        if (actualReadableBytes() > 0) {
            discardInput();
            throw newTooEarlyException();
        }
    }

    /** Allows the next message to arrive. */
    public void expectMessage() {
        silence = false;
    }

    @Override
    void read(ByteBuf in, List<Object> out) throws BadFrameException {
        if (silence) {
            throw newTooEarlyException();
        }
        WireFrame frame = decodeFrame(in);
        if (frame != null) {
            out.add(frame);
        }
    }

    private WireFrame decodeFrame(ByteBuf in) throws BadFrameException {
        if (in.readableBytes() < WireFrame.LENGTH_FIELD) {
            return null;
        }
        int start = in.readerIndex();
        if (version == WireFrame.HANDSHAKE_VERSION && in.getUnsignedShort(start) == TLS_HANDSHAKE) {
            throw new BadFrameException(
                    RefusalCause.TLS_MISMATCH,
                    "The other side wants TLS, this one does not speak it (trefoil.journal.tls=off): set"
                            + " trefoil.journal.tls to optional or required on this host, too, and restart it");
        }
        long length = (long) in.getInt(start) + WireFrame.LENGTH_FIELD;
        checkLength(length);
        if (in.readableBytes() < WireFrame.HEADER_LENGTH) {
            return null;
        }
        if (in.getByte(start + 4) != version) {
            throw new BadFrameException(
                    RefusalCause.UNKNOWN_VERSION,
                    "A frame of version " + in.getUnsignedByte(start + 4) + ", wanted " + version);
        }
        MessageType type = MessageType.ofCode(in.getByte(start + 5));
        if (in.readableBytes() < length) {
            // Not what can be read: a few bytes may keep a large buffer.
            reserveBuffer(in.capacity());
            return null;
        }
        requireEmpty();
        long requestId = in.getLong(start + 6);
        in.skipBytes(WireFrame.HEADER_LENGTH);
        ByteBuf fields = in.readSlice((int) length - WireFrame.HEADER_LENGTH);
        return new WireFrame(requestId, body.read(type, new WireReader(fields, bufferAllocator)), (int) length);
    }

    /** Counts the buffer of a frame that has not arrived completely. */
    private void reserveBuffer(int bytes) {
        if (memory.isPresent() && bytes > Math.max(COUNTED_BYTES, heldBytes)) {
            int more = bytes - heldBytes;
            heldBytes = bytes;
            memory.get().reserve(more);
        }
    }

    private void requireEmpty() {
        if (heldBytes > 0) {
            memory.get().release(heldBytes);
            heldBytes = 0;
        }
    }

    private static BadFrameException newTooEarlyException() {
        return new BadFrameException(
                RefusalCause.EARLY_REQUEST, "A caller must be silent between its Hello and " + "the answer");
    }

    private void checkLength(long length) throws BadFrameException {
        if (length > maxLength) {
            throw new BadFrameException(
                    RefusalCause.GIANT_FRAME, "A frame of " + length + " bytes, the limit is " + maxLength);
        }
        if (length < WireFrame.HEADER_LENGTH) {
            throw new BadFrameException(
                    RefusalCause.SHORT_FRAME,
                    "A frame of " + length + " bytes, its header has " + WireFrame.HEADER_LENGTH);
        }
    }
}
