/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.TxRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;

/**
 * Reads and writes the frames around HDFS's edits: opcode (1 byte), length (4, counts itself, the txid and the fields),
 * txid (8), fields, checksum (4). It interprets only the first field of the edits that {@link NamespaceCounters}
 * counts, a number.
 *
 * <p>The layout is that of {@code FSEditLogOp.Writer}, the same since layout version -56 ({@code EDITLOG_LENGTH}).
 */
public final class EditFrames {

    private static final int CHECKSUM = 4;
    private static final int NUMBER = 8;
    private static final int OPCODE_AND_CHECKSUM = 1 + CHECKSUM;
    private static final int MIN_FRAME_BYTES = OPCODE_AND_CHECKSUM + 4 + 8;

    private EditFrames() {}

    /**
     * The range of the transactions inside whole, consecutive frames.
     *
     * @throws IOException if the bytes are not that
     */
    static TxRange txIds(Bytes edits) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(edits.sharedArray(), edits.sharedOffset(), edits.size())
                .slice();
        long first = txId(buffer);
        long last = first - 1;
        while (buffer.hasRemaining()) {
            long next = txId(buffer);
            if (next != last + 1) {
                throw new IOException("Edits out of order: transaction " + next + " after " + last);
            }
            last = next;
            buffer.position(buffer.position() + frameSize(buffer));
        }
        return TxRange.of(first, last);
    }

    /**
     * The part of whole, consecutive frames that has the given transactions; shares their array.
     *
     * @throws IOException if the bytes are not that, or lack one of the transactions
     */
    public static Bytes slice(Bytes edits, TxRange range) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(edits.sharedArray(), edits.sharedOffset(), edits.size())
                .slice();
        int begin = -1;
        while (buffer.hasRemaining()) {
            long txId = txId(buffer);
            begin = txId == range.first() ? buffer.position() : begin;
            buffer.position(buffer.position() + frameSize(buffer));
            if (txId == range.last() && begin >= 0) {
                return Bytes.wrap(edits.sharedArray(), edits.sharedOffset() + begin, buffer.position() - begin);
            }
        }
        throw new IOException("Wanted transactions " + range + ", found " + txIds(edits));
    }

    /**
     * The counters after the edits inside whole frames, given those before.
     *
     * @throws IOException if the bytes are not that
     */
    public static NamespaceCounters countersAfter(Bytes edits, NamespaceCounters earlierCounters) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(edits.sharedArray(), edits.sharedOffset(), edits.size())
                .slice();
        NamespaceCounters counters = earlierCounters;
        while (buffer.hasRemaining()) {
            txId(buffer);
            int size = frameSize(buffer);
            if (size >= MIN_FRAME_BYTES + NUMBER) {
                int at = buffer.position();
                counters = counters.afterEdit(buffer.get(at), buffer.getLong(at + MIN_FRAME_BYTES - CHECKSUM));
            }
            buffer.position(buffer.position() + size);
        }
        return counters;
    }

    /** Gets the edits inside frames, one after the other. */
    public interface Visitor {

        /** @param fields what is between the transaction id and the checksum; the visitor may change its position */
        void visitEdit(byte opcode, ByteBuffer fields);
    }

    /**
     * Passes on the edits inside whole frames.
     *
     * @throws IOException if the bytes are not that
     */
    public static void visit(Bytes edits, Visitor visitor) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(edits.sharedArray(), edits.sharedOffset(), edits.size())
                .slice();
        while (buffer.hasRemaining()) {
            txId(buffer);
            int end = buffer.position() + frameSize(buffer);
            ByteBuffer fields = buffer.duplicate();
            fields.position(buffer.position() + MIN_FRAME_BYTES - CHECKSUM);
            fields.limit(end - CHECKSUM);
            visitor.visitEdit(buffer.get(buffer.position()), fields.slice());
            buffer.position(end);
        }
    }

    /** The frame of an edit whose fields are numbers, or that has no fields. */
    public static Bytes newFrame(FSEditLogOpCodes opcode, long txId, long... numbers) {
        ByteBuffer fields = ByteBuffer.allocate(numbers.length * NUMBER);
        for (long number : numbers) {
            fields.putLong(number);
        }
        return newFrame(opcode, txId, fields.array());
    }

    /** @param fields as HDFS writes them */
    public static Bytes newFrame(FSEditLogOpCodes opcode, long txId, byte[] fields) {
        ByteBuffer frame = ByteBuffer.allocate(MIN_FRAME_BYTES + fields.length);
        frame.put(opcode.getOpCode())
                .putInt(MIN_FRAME_BYTES + fields.length - OPCODE_AND_CHECKSUM)
                .putLong(txId)
                .put(fields);
        CRC32 checksum = new CRC32();
        checksum.update(frame.array(), 0, frame.position());
        frame.putInt((int) checksum.getValue());
        return Bytes.wrap(frame.array());
    }

    private static long txId(ByteBuffer buffer) throws IOException {
        if (buffer.remaining() < MIN_FRAME_BYTES || buffer.remaining() < frameSize(buffer)) {
            throw new IOException("Incomplete edit: " + buffer.remaining() + " bytes at " + buffer.position());
        }
        return buffer.getLong(buffer.position() + 1 + 4);
    }

    private static int frameSize(ByteBuffer buffer) throws IOException {
        int length = buffer.getInt(buffer.position() + 1);
        if (length < MIN_FRAME_BYTES - OPCODE_AND_CHECKSUM || length > Integer.MAX_VALUE - OPCODE_AND_CHECKSUM) {
            throw new IOException("Not an edit: length " + length + " at " + buffer.position());
        }
        return length + OPCODE_AND_CHECKSUM;
    }
}
