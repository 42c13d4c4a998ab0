/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec.field;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.codec.MalformedBytesException;
import io.trefoil.journal.codec.SummaryCodec;
import io.trefoil.journal.codec.UnsupportedFormatException;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Reads the fields of messages from the body of one frame. Trusts nothing: no read goes beyond the frame, and memory is
 * allocated only for bytes that are there, never for a length that is merely announced.
 *
 * <p>Values that their own classes reject cause an {@link IllegalArgumentException}, which the codec of messages turns
 * into a {@link BadFrameException}.
 */
public final class WireReader {

    static final int MAX_TEXT_LENGTH = 16 * 1024;
    static final int CHECKSUM_LENGTH = 4;
    static final int MD5_LENGTH = 16;
    static final int LOG_COMPLETE = 1;
    static final int LOG_REFETCHING = 2;

    private final ByteBuf in;
    private final IntFunction<ByteBuffer> bufferAllocator;

    /**
     * @param body exactly the bytes of the body; the reader does not release it
     * @param bufferAllocator provides an array-backed buffer for the payload of an entry
     */
    public WireReader(ByteBuf body, IntFunction<ByteBuffer> bufferAllocator) {
        this.in = body;
        this.bufferAllocator = bufferAllocator;
    }

    /** @throws BadFrameException if the body contains more than was read */
    public void requireEnd() throws BadFrameException {
        if (in.isReadable()) {
            throw newMalformedFrameException(in.readableBytes() + " bytes too many");
        }
    }

    public boolean hasMore() {
        return in.isReadable();
    }

    /** The digest of all unread bytes; does not consume them. */
    public Bytes digest() {
        return Sha256.of(in);
    }

    /** Skips the remaining bytes, which are for later versions. */
    public void skipRest() {
        in.skipBytes(in.readableBytes());
    }

    public boolean flag() throws BadFrameException {
        int value = number8();
        if (value > 1) {
            throw newMalformedFrameException("a flag is 0 or 1, found " + value);
        }
        return value == 1;
    }

    public int number8() throws BadFrameException {
        requireRemaining(1);
        return in.readUnsignedByte();
    }

    public int number32() throws BadFrameException {
        requireRemaining(4);
        return in.readInt();
    }

    public long number64() throws BadFrameException {
        requireRemaining(8);
        return in.readLong();
    }

    public String text() throws BadFrameException {
        requireRemaining(2);
        int length = in.readUnsignedShort();
        if (length > MAX_TEXT_LENGTH) {
            throw newMalformedFrameException("a text of " + length + " bytes, the limit is " + MAX_TEXT_LENGTH);
        }
        requireRemaining(length);
        byte[] utf8 = ByteBufUtil.getBytes(in.readSlice(length));
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw newMalformedFrameException("a text that is not UTF-8");
        }
    }

    public Bytes bytes() throws BadFrameException {
        return bytes(Integer.MAX_VALUE);
    }

    public Bytes bytes(int maxLength) throws BadFrameException {
        int length = number32();
        if (length < 0 || length > maxLength) {
            throw newMalformedFrameException(length + " bytes in a field of at most " + maxLength);
        }
        requireRemaining(length);
        return Bytes.wrap(ByteBufUtil.getBytes(in.readSlice(length)));
    }

    public NodeId node() throws BadFrameException {
        return NodeId.of(text());
    }

    public WriterId writer() throws BadFrameException {
        return WriterId.of(text());
    }

    public Epoch epoch() throws BadFrameException {
        return Epoch.of(number64());
    }

    public LogCompleteness completeness() throws BadFrameException {
        int code = number8();
        switch (code) {
            case LOG_COMPLETE:
                return LogCompleteness.COMPLETE;
            case LOG_REFETCHING:
                return LogCompleteness.REFETCHING;
            default:
                throw newMalformedFrameException("unknown completeness of a log: " + code);
        }
    }

    public ImageId image() throws BadFrameException {
        long txId = number64();
        long length = number64();
        requireRemaining(MD5_LENGTH);
        return ImageId.of(txId, length, ByteBufUtil.hexDump(in.readSlice(MD5_LENGTH)));
    }

    public LogPosition position() throws BadFrameException {
        Epoch epoch = epoch();
        return LogPosition.of(epoch, number64());
    }

    public NamespaceId namespace() throws BadFrameException {
        String clusterId = text();
        return NamespaceId.of(clusterId, number32());
    }

    public Incarnation incarnation() throws BadFrameException {
        long number = number64();
        return Incarnation.of(number, number64());
    }

    public LogSummary summary() throws BadFrameException {
        Bytes form = bytes(SummaryCodec.MAX_SIZE);
        ByteBuffer rest = ByteBuffer.wrap(form.sharedArray(), form.sharedOffset(), form.size());
        try {
            LogSummary summary = SummaryCodec.decode(rest);
            if (rest.hasRemaining()) {
                throw newMalformedFrameException(rest.remaining() + " bytes after the summary of a log");
            }
            return summary;
        } catch (MalformedBytesException e) {
            throw newMalformedFrameException(e.getMessage());
        }
    }

    public List<Entry> entries() throws BadFrameException {
        int count = count(CHECKSUM_LENGTH + EntryCodec.HEADER_SIZE);
        List<Entry> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(entry());
        }
        return entries;
    }

    /** The number of elements of a list, each of which has at least {@code minLength} bytes. */
    public int count(int minLength) throws BadFrameException {
        int count = number32();
        if (count < 0 || count > in.readableBytes() / minLength) {
            throw newMalformedFrameException(count + " elements in " + in.readableBytes() + " bytes");
        }
        return count;
    }

    private Entry entry() throws BadFrameException {
        int checksum = number32();
        ByteBuffer rest = in.nioBuffer();
        try {
            Entry entry = EntryCodec.decode(rest, checksum, bufferAllocator);
            in.skipBytes(rest.position());
            return entry;
        } catch (UnsupportedFormatException e) {
            throw newMalformedFrameException(e.getMessage());
        } catch (MalformedBytesException e) {
            throw new BadFrameException(RefusalCause.CHECKSUM, e.getMessage());
        }
    }

    private void requireRemaining(int length) throws BadFrameException {
        if (in.readableBytes() < length) {
            throw newMalformedFrameException("a field of " + length + " bytes, " + in.readableBytes() + " are left");
        }
    }

    private static BadFrameException newMalformedFrameException(String detail) {
        return new BadFrameException(RefusalCause.MALFORMED, "Malformed message: " + detail);
    }
}
