/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.RefusalCause;

/** The type byte of a frame; codes never change their meaning. See {@code docs/design/wire-format.md}. */
public enum MessageType {
    HELLO(0x01),
    WELCOME(0x02),
    REFUSAL(0x03),
    CHALLENGE(0x04),
    RESPONSE(0x05),

    NEW_EPOCH(0x10),
    APPEND(0x11),
    COMMIT(0x12),
    STEP_DOWN(0x13),
    REBASE(0x14),
    FETCH(0x15),
    STATUS(0x16),
    AWAIT_COMMIT(0x17),
    SEGMENTS(0x18),
    FORMAT(0x19),
    PURGE(0x1a),
    CHANGE_MEMBERS(0x1b),
    COLLECT_CHANGES(0x1c),
    RETIRE(0x1d),
    START_OVER(0x20),
    IMAGES(0x21),
    IMAGE_PART(0x22),
    FORWARD(0x23),

    PROMISE(0x40),
    APPENDED(0x41),
    MISMATCH(0x42),
    STALE_EPOCH(0x43),
    LEASE_HELD(0x44),
    NOT_FORMATTED(0x45),
    DONE(0x46),
    ENTRIES(0x47),
    PURGED(0x48),
    STATUS_REPLY(0x49),
    SEGMENTS_REPLY(0x4a),
    FAILED(0x4b),
    CHANGE_REPLY(0x4c),
    CHANGES_REPLY(0x4d),
    OTHER_INCARNATION(0x4e),
    STARTED_OVER(0x50),
    IMAGES_REPLY(0x51),
    IMAGE_PART_REPLY(0x52),
    FORWARDED(0x53);

    private static final MessageType[] TYPES_BY_CODE = new MessageType[256];

    static {
        for (MessageType type : values()) {
            TYPES_BY_CODE[type.code & 0xff] = type;
        }
    }

    private final byte code;

    MessageType(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    public static MessageType ofCode(byte code) throws BadFrameException {
        MessageType type = TYPES_BY_CODE[code & 0xff];
        if (type == null) {
            throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, "No message has type " + (code & 0xff));
        }
        return type;
    }
}
