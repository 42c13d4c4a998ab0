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
 * Encodes what NameNodes say about the active's clock, and calls with the time at which they were sent ({@code
 * docs/design/forwarding.md}). They begin with other bytes than calls without one: an active that does not know them executes nothing.
 */
final class ActiveClockCodec {
    private static final byte CLOCK = 3;
    private static final byte DATED = 4;

    private static final int READING_BYTES = 3 * Long.BYTES;

    private ActiveClockCodec() {}

    static Bytes question() {
        return Bytes.wrap(new byte[] {CLOCK});
    }

    static boolean isQuestion(Bytes bytes) {
        return bytes.size() == 1 && bytes.get(0) == CLOCK;
    }

    static Bytes answer(ClockReading reading) {
        return Bytes.wrap(
                put(ByteBuffer.allocate(1 + READING_BYTES).put(CLOCK), reading).array());
    }

    /** Empty if the receiver does not know the question, and answered something else. */
    static Optional<ClockReading> reading(Bytes answer) {
        ByteBuffer in = read(answer);
        return in.remaining() == 1 + READING_BYTES && in.get() == CLOCK
                ? Optional.of(reading(in))
                : Optional.<ClockReading>empty();
    }

    static Bytes dated(ClockReading sent, Bytes call) {
        ByteBuffer out =
                put(ByteBuffer.allocate(1 + READING_BYTES + call.size()).put(DATED), sent);
        return Bytes.wrap(
                out.put(call.sharedArray(), call.sharedOffset(), call.size()).array());
    }

    static boolean isDated(Bytes bytes) {
        return bytes.size() > 0 && bytes.get(0) == DATED;
    }

    /** @throws IllegalArgumentException if the bytes are too few */
    static ClockReading sent(Bytes dated) {
        ByteBuffer in = read(dated);
        in.get();
        try {
            return reading(in);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("Wanted a time and a call, found " + dated.size() + " bytes", e);
        }
    }

    /** The call without its time. */
    static Bytes call(Bytes dated) {
        return Bytes.wrap(
                dated.sharedArray(), dated.sharedOffset() + 1 + READING_BYTES, dated.size() - 1 - READING_BYTES);
    }

    /** The answer to a call with a time if it was not executed because of that. */
    static Bytes refusal(String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        return Bytes.wrap(
                ByteBuffer.allocate(1 + text.length).put(DATED).put(text).array());
    }

    static Optional<String> refusal(Bytes answer) {
        return isDated(answer)
                ? Optional.of(new String(
                        answer.sharedArray(), answer.sharedOffset() + 1, answer.size() - 1, StandardCharsets.UTF_8))
                : Optional.<String>empty();
    }

    private static ByteBuffer put(ByteBuffer out, ClockReading reading) {
        return out.putLong(reading.process().getMostSignificantBits())
                .putLong(reading.process().getLeastSignificantBits())
                .putLong(reading.nanos());
    }

    private static ClockReading reading(ByteBuffer in) {
        return ClockReading.of(new UUID(in.getLong(), in.getLong()), in.getLong());
    }

    private static ByteBuffer read(Bytes bytes) {
        return ByteBuffer.wrap(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
    }
}
