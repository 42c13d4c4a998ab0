/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.model.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;

/**
 * Finds when the last edits were made, by the clock of the NameNode that wrote them. Only those kinds of edits count whose
 * time comes from that clock, and not from a client. Not thread-safe.
 *
 * <p>The layouts are those of {@code FSEditLogOp}'s {@code writeFields}; before the time there are at most an id, one or two
 * paths, and a replication.
 */
final class EditTimes {
    private static final int ID = 8;
    private static final int REPLICATION = 2;

    private Optional<Long> lastMillis = Optional.empty();

    /**
     * Reads further edits.
     *
     * @throws IOException if the bytes are not whole frames
     */
    void read(Bytes edits) throws IOException {
        EditFrames.visit(edits, this::read);
    }

    /** The time of the last edit that has one, in milliseconds since 1970; empty if there was none. */
    Optional<Long> lastMillis() {
        return lastMillis;
    }

    private void read(byte opcode, ByteBuffer fields) {
        if (opcode == FSEditLogOpCodes.OP_MKDIR.getOpCode()) {
            recordTime(skipPath(skip(fields, ID)));
        } else if (opcode == FSEditLogOpCodes.OP_ADD.getOpCode() || opcode == FSEditLogOpCodes.OP_CLOSE.getOpCode()) {
            recordTime(skip(skipPath(skip(fields, ID)), REPLICATION));
        } else if (opcode == FSEditLogOpCodes.OP_DELETE.getOpCode()) {
            recordTime(skipPath(fields));
        } else if (opcode == FSEditLogOpCodes.OP_RENAME.getOpCode()
                || opcode == FSEditLogOpCodes.OP_RENAME_OLD.getOpCode()) {
            recordTime(skipPath(skipPath(fields)));
        }
    }

    private static ByteBuffer skipPath(ByteBuffer fields) {
        return fields.remaining() < 2 ? skip(fields, fields.remaining()) : skip(fields, fields.getShort() & 0xffff);
    }

    /** Skips up to that many bytes. */
    private static ByteBuffer skip(ByteBuffer fields, int bytes) {
        fields.position(fields.position() + Math.min(bytes, fields.remaining()));
        return fields;
    }

    private void recordTime(ByteBuffer fields) {
        if (fields.remaining() >= Long.BYTES) {
            lastMillis = Optional.of(fields.getLong());
        }
    }
}
