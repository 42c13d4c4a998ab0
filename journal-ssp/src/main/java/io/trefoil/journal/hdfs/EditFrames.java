/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.TxRange;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Reads the frames around HDFS's edits, not the edits themselves: opcode (1 byte), length (4, counts itself, the txid
 * and the fields), txid (8), fields, checksum (4).
 *
 * <p>The layout is that of {@code FSEditLogOp.Writer}, the same since layout version -56 ({@code EDITLOG_LENGTH}).
 */
final class EditFrames {

    private static final int OPCODE_AND_CHECKSUM = 1 + 4;
    private static final int SMALLEST = OPCODE_AND_CHECKSUM + 4 + 8;

    private EditFrames() {}

    /**
     * The transactions inside whole, consecutive frames.
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

    private static long txId(ByteBuffer buffer) throws IOException {
        if (buffer.remaining() < SMALLEST || buffer.remaining() < frameSize(buffer)) {
            throw new IOException("Not a whole edit: " + buffer.remaining() + " bytes at " + buffer.position());
        }
        return buffer.getLong(buffer.position() + 1 + 4);
    }

    private static int frameSize(ByteBuffer buffer) throws IOException {
        int length = buffer.getInt(buffer.position() + 1);
        if (length < SMALLEST - OPCODE_AND_CHECKSUM || length > Integer.MAX_VALUE - OPCODE_AND_CHECKSUM) {
            throw new IOException("Not an edit: length " + length + " at " + buffer.position());
        }
        return length + OPCODE_AND_CHECKSUM;
    }
}
