/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import io.trefoil.journal.model.Bytes;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

/**
 * Encodes messages of NameNodes about the active's clock, and calls with the time at which they were sent ({@code
 * docs/design/forwarding.md}). They begin with other bytes than calls without one: an active that does not know them executes nothing.
 */
final class ActiveClockCodec {
    private static final byte CLOCK = 3;
    private static final byte DATED = 4;

    private static final int READING_BYTES = 3 * Long.BYTES;

    private ActiveClockCodec() {}

    static Bytes encodeQuestion() {
        return Bytes.wrap(new byte[] {CLOCK});
    }

    static boolean isQuestion(Bytes bytes) {
        return bytes.size() == 1 && bytes.get(0) == CLOCK;
    }

    static Bytes encodeReading(ClockReading reading) {
        return Bytes.wrap(
                put(ByteBuffer.allocate(1 + READING_BYTES).put(CLOCK), reading).array());
    }

    /** Reads an answer; empty if the receiver did not understand the query, and answered something else. */
    static Optional<ClockReading> decodeReading(Bytes answer) {
        ByteBuffer in = read(answer);
        return in.remaining() == 1 + READING_BYTES && in.get() == CLOCK
                ? Optional.of(readReading(in))
                : Optional.<ClockReading>empty();
    }

    static Bytes encodeTimestampedCall(ClockReading sentReading, Bytes call) {
        ByteBuffer out =
                put(ByteBuffer.allocate(1 + READING_BYTES + call.size()).put(DATED), sentReading);
        return Bytes.wrap(
                out.put(call.sharedArray(), call.sharedOffset(), call.size()).array());
    }

    static boolean isTimestampedCall(Bytes bytes) {
        return bytes.size() > 0 && bytes.get(0) == DATED;
    }

    /** @throws IllegalArgumentException if the bytes are too few */
    static ClockReading decodeSentTime(Bytes dated) {
        ByteBuffer in = read(dated);
        in.get();
        try {
            return readReading(in);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("Wanted a time and a call, found " + dated.size() + " bytes", e);
        }
    }

    /** The call without its time. */
    static Bytes decodeCall(Bytes dated) {
        return Bytes.wrap(
                dated.sharedArray(), dated.sharedOffset() + 1 + READING_BYTES, dated.size() - 1 - READING_BYTES);
    }

    /** The answer to a call with a time if it was not executed because of its time. */
    static Bytes encodeRefusal(String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(
                ByteBuffer.allocate(1 + text.length).put(DATED).put(text).array());
    }

    static Optional<String> decodeRefusal(Bytes answer) {
        return isTimestampedCall(answer)
                ? Optional.of(new String(
                        answer.sharedArray(), answer.sharedOffset() + 1, answer.size() - 1, StandardCharsets.UTF_8))
                : Optional.<String>empty();
    }

    private static ByteBuffer put(ByteBuffer out, ClockReading reading) {
        return out.putLong(reading.process().getMostSignificantBits())
                .putLong(reading.process().getLeastSignificantBits())
                .putLong(reading.nanos());
    }

    private static ClockReading readReading(ByteBuffer in) {
        return ClockReading.of(new UUID(in.getLong(), in.getLong()), in.getLong());
    }

    private static ByteBuffer read(Bytes bytes) {
        return ByteBuffer.wrap(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
    }
}
