/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.trace;

import io.netty.buffer.ByteBuf;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.WireReader;
import java.nio.ByteBuffer;

/** The messages in traces. */
final class TracedMessages {

    private TracedMessages() {}

    static <T> T message(ByteBuf group, Reading<T> reading) throws BadFrameException {
        int length = group.readInt() + WireFrame.LENGTH_FIELD - WireFrame.HEADER_LENGTH;
        group.readByte();
        MessageType type = MessageType.ofCode(group.readByte());
        group.readLong();
        return reading.read(type, new WireReader(group.readSlice(length), ByteBuffer::allocate));
    }

    /** Reads the body of a message. */
    interface Reading<T> {
        T read(MessageType type, WireReader body) throws BadFrameException;
    }
}
