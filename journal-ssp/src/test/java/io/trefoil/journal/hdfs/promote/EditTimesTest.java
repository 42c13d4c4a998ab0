/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.trefoil.journal.hdfs.TestEdits;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.model.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.junit.jupiter.api.Test;

class EditTimesTest {
    private static final long TIME = 1_700_000_000_123L;

    private final EditTimes times = new EditTimes();

    /** Writes the fields of one edit. */
    private interface Fields {
        void writeTo(DataOutputStream out) throws IOException;
    }

    private void readEdit(FSEditLogOpCodes opcode, Fields fields) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        fields.writeTo(new DataOutputStream(bytes));
        times.read(EditFrames.newFrame(opcode, 5, bytes.toByteArray()));
    }

    private static void writeFileFields(DataOutputStream out) throws IOException {
        out.writeLong(20_001);
        out.writeUTF("/a/file");
        out.writeShort(3);
        out.writeLong(TIME);
        out.writeLong(1);
    }

    @Test
    void mkdirRevealsEditTime() throws IOException {
        readEdit(FSEditLogOpCodes.OP_MKDIR, out -> {
            out.writeLong(20_001);
            out.writeUTF("/a");
            out.writeLong(TIME);
            out.writeLong(1);
        });
        assertThat(times.lastMillis()).contains(TIME);
    }

    @Test
    void addRevealsEditTime() throws IOException {
        readEdit(FSEditLogOpCodes.OP_ADD, EditTimesTest::writeFileFields);
        assertThat(times.lastMillis()).contains(TIME);
    }

    @Test
    void closeOpUpdatesLastEditTime() throws IOException {
        readEdit(FSEditLogOpCodes.OP_CLOSE, EditTimesTest::writeFileFields);
        assertThat(times.lastMillis()).contains(TIME);
    }

    @Test
    void deleteOpUpdatesLastEditTime() throws IOException {
        readEdit(FSEditLogOpCodes.OP_DELETE, out -> {
            out.writeUTF("/a");
            out.writeLong(TIME);
        });
        assertThat(times.lastMillis()).contains(TIME);
    }

    @Test
    void renameRevealsEditTime() throws IOException {
        for (FSEditLogOpCodes opcode :
                new FSEditLogOpCodes[] {FSEditLogOpCodes.OP_RENAME, FSEditLogOpCodes.OP_RENAME_OLD}) {
            readEdit(opcode, out -> {
                out.writeUTF("/a");
                out.writeUTF("/b");
                out.writeLong(opcode == FSEditLogOpCodes.OP_RENAME ? TIME - 1 : TIME);
            });
        }
        assertThat(times.lastMillis()).contains(TIME);
    }

    /** A client sets those times as it likes. */
    @Test
    void clientSetTimesDoNotRevealEditTime() throws IOException {
        readEdit(FSEditLogOpCodes.OP_TIMES, out -> {
            out.writeUTF("/a");
            out.writeLong(TIME);
            out.writeLong(TIME);
        });
        times.read(TestEdits.bytes(6, 9));

        assertThat(times.lastMillis()).isEmpty();
    }

    @Test
    void truncatedEditDoesNotRevealEditTime() throws IOException {
        readEdit(FSEditLogOpCodes.OP_DELETE, out -> out.writeByte(1));
        readEdit(FSEditLogOpCodes.OP_DELETE, out -> out.writeUTF("/a"));
        readEdit(FSEditLogOpCodes.OP_MKDIR, out -> out.writeInt(1));

        assertThat(times.lastMillis()).isEmpty();
    }

    @Test
    void rejectsBytesWithoutEdit() {
        assertThatIOException().isThrownBy(() -> times.read(Bytes.wrap(new byte[20])));
    }
}
