/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.TxRange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.IntFunction;
import java.util.zip.Checksum;

/**
 * Encodes entries in the one form that they have on every disk and on the wire. All numbers are big-endian:
 *
 * <pre>
 * epoch(8) sn(8) kind(1) firstTxId(8) lastTxId(8) payloadSize(4) payload
 * </pre>
 *
 * <p>The checksum, a CRC-32C over all of the form, is stored outside it: in the frame of a log file, in the message of
 * an append. Stateless; for any thread.
 */
public final class EntryCodec {

    /** The size of everything before the payload. */
    public static final int HEADER_SIZE = 8 + 8 + 1 + 8 + 8 + 4;

    /** The largest payload. A decoder refuses a larger size before it allocates any memory for it. */
    public static final int MAX_PAYLOAD_SIZE = 64 << 20;

    private static final int PAYLOAD_SIZE_OFFSET = HEADER_SIZE - 4;

    private EntryCodec() {}

    /** The size of the whole form. */
    public static int size(Entry entry) {
        return HEADER_SIZE + entry.payload().size();
    }

    /** @throws IllegalArgumentException if the payload is above {@link #MAX_PAYLOAD_SIZE} */
    public static void checkSize(Entry entry) {
        if (entry.payload().size() > MAX_PAYLOAD_SIZE) {
            throw new IllegalArgumentException(
                    entry + " has " + entry.payload().size() + " payload bytes, the limit is " + MAX_PAYLOAD_SIZE);
        }
    }

    /**
     * Encodes everything before the payload, so that the payload can go to a socket or file without a copy.
     *
     * @throws IllegalArgumentException if the payload is above {@link #MAX_PAYLOAD_SIZE}
     */
    public static byte[] header(Entry entry) {
        byte[] header = new byte[HEADER_SIZE];
        putHeader(entry, ByteBuffer.wrap(header));
        return header;
    }

    /** The checksum of an entry whose header was made by {@link #header}. */
    public static int checksum(byte[] header, Bytes payload) {
        Checksum checksum = Crc32c.create();
        checksum.update(header, 0, HEADER_SIZE);
        checksum.update(payload.sharedArray(), payload.sharedOffset(), payload.size());
        return (int) checksum.getValue();
    }

    /** The checksum of an entry's whole form. */
    public static int checksum(Entry entry) {
        return checksum(header(entry), entry.payload());
    }

    /**
     * Writes the whole form into a big-endian buffer.
     *
     * @throws IllegalArgumentException if the payload is above {@link #MAX_PAYLOAD_SIZE}
     * @throws java.nio.BufferOverflowException if the buffer has no room for it
     */
    public static void encode(Entry entry, ByteBuffer out) {
        putHeader(entry, out);
        Bytes payload = entry.payload();
        out.put(payload.sharedArray(), payload.sharedOffset(), payload.size());
    }

    /**
     * Reads one entry from a buffer; its payload is a copy. After an exception the buffer's position is undefined.
     *
     * @param checksum the checksum that the bytes must have
     * @param bufferAllocator allocates a buffer, backed by an array, for a payload of a given size
     * @throws UnsupportedFormatException if the checksum is right, but this version does not know what the bytes mean
     * @throws MalformedBytesException if the bytes are cut short, too long or have another checksum
     */
    public static Entry decode(ByteBuffer in, int checksum, IntFunction<ByteBuffer> bufferAllocator)
            throws MalformedBytesException {
        if (in.remaining() < HEADER_SIZE) {
            throw new MalformedBytesException(
                    "An entry has at least " + HEADER_SIZE + " bytes, found " + in.remaining());
        }
        byte[] header = new byte[HEADER_SIZE];
        in.get(header);
        ByteBuffer fields = ByteBuffer.wrap(header);
        int payloadSize = fields.getInt(PAYLOAD_SIZE_OFFSET);
        if (payloadSize < 0 || payloadSize > MAX_PAYLOAD_SIZE || payloadSize > in.remaining()) {
            throw new MalformedBytesException("Wanted a payload of " + payloadSize + " bytes, found " + in.remaining()
                    + "; the limit is " + MAX_PAYLOAD_SIZE);
        }
        ByteBuffer payload = bufferAllocator.apply(payloadSize);
        in.get(payload.array(), payload.arrayOffset(), payloadSize);
        Bytes bytes = PayloadAllocator.toBytes(payload);
        int found = checksum(header, bytes);
        if (found != checksum) {
            throw new MalformedBytesException(String.format(
                    "Checksum of an entry with %d payload bytes: wanted %08x, found %08x",
                    payloadSize, checksum, found));
        }
        try {
            return Entry.of(
                    LogPosition.of(Epoch.of(fields.getLong()), fields.getLong()),
                    EntryKind.ofCode(fields.get()),
                    TxRange.of(fields.getLong(), fields.getLong()),
                    bytes);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedFormatException("An entry that this version does not know: " + e.getMessage(), e);
        }
    }

    private static void putHeader(Entry entry, ByteBuffer out) {
        checkSize(entry);
        if (out.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("Entries are written big-endian, this buffer is " + out.order());
        }
        out.putLong(entry.epoch().number())
                .putLong(entry.sn())
                .put(entry.kind().code())
                .putLong(entry.txIds().first())
                .putLong(entry.txIds().last())
                .putInt(entry.payload().size());
    }
}
