/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.StorageRecord;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes a {@link LogSummary} in the one form that it has in a log file's header and on the wire. All numbers are
 * big-endian; a byte before an optional part is 1 if the part is present and 0 if not:
 *
 * <pre>
 * incarnation(8 + 8) epoch(8) sn(8) lastTxId(8) present(1) [openSegment(8)] membersSize(4) members parts(1) [storageSize(4) storage]
 * [barrierCount(4) (barrierSize(4) barrier)...]
 * </pre>
 *
 * <p>The parts are a sum: 1 if there is a storage record, 2 if there are barriers. Members, storage and barriers are in
 * their payload form. The checksum is stored outside. Stateless; for any thread.
 */
public final class SummaryCodec {

    /**
     * The largest summary, in bytes. {@link Members} and {@link Barriers} refuse at creation whatever would exceed it, so
     * every summary of a journal fits into promises, status replies and log files.
     */
    public static final int MAX_SIZE = 512 << 10;

    private static final int FIXED_SIZE = 16 + 8 + 8 + 8 + 1 + 4 + 1;
    private static final int STORAGE = 1;
    private static final int BARRIERS = 2;

    private SummaryCodec() {}

    public static byte[] encode(LogSummary summary) {
        Bytes members = summary.members().toPayload();
        Bytes storage = summary.storage().map(StorageRecord::toPayload).orElse(Bytes.EMPTY);
        List<Bytes> barriers = new ArrayList<>();
        int barriersSize = 0;
        for (Barrier barrier : summary.barriers().list()) {
            barriers.add(barrier.toPayload());
            barriersSize += 4 + barriers.get(barriers.size() - 1).size();
        }
        int size = FIXED_SIZE
                + (summary.openSegment().isPresent() ? 8 : 0)
                + members.size()
                + (summary.storage().isPresent() ? 4 + storage.size() : 0)
                + (barriers.isEmpty() ? 0 : 4 + barriersSize);
        ByteBuffer out = ByteBuffer.allocate(size);
        out.putLong(summary.incarnation().number())
                .putLong(summary.incarnation().random())
                .putLong(summary.position().epoch().number())
                .putLong(summary.position().sn())
                .putLong(summary.lastTxId());
        out.put((byte) (summary.openSegment().isPresent() ? 1 : 0));
        if (summary.openSegment().isPresent()) {
            out.putLong(summary.openSegment().get());
        }
        writeBytes(members, out);
        out.put((byte) ((summary.storage().isPresent() ? STORAGE : 0) + (barriers.isEmpty() ? 0 : BARRIERS)));
        if (summary.storage().isPresent()) {
            writeBytes(storage, out);
        }
        if (!barriers.isEmpty()) {
            out.putInt(barriers.size());
            for (Bytes barrier : barriers) {
                writeBytes(barrier, out);
            }
        }
        return out.array();
    }

    /**
     * Reads one summary from a big-endian buffer.
     *
     * @throws MalformedBytesException if the bytes are not a summary
     */
    public static LogSummary decode(ByteBuffer in) throws MalformedBytesException {
        try {
            Incarnation incarnation = Incarnation.of(in.getLong(), in.getLong());
            LogPosition position = LogPosition.of(Epoch.of(in.getLong()), in.getLong());
            long lastTxId = in.getLong();
            Optional<Long> openSegment = isPresent(in) ? Optional.of(in.getLong()) : Optional.<Long>empty();
            Members members = Members.fromPayload(readBytes(in));
            int parts = readFlag(in, STORAGE + BARRIERS);
            Optional<StorageRecord> storage = (parts & STORAGE) != 0
                    ? Optional.of(StorageRecord.fromPayload(readBytes(in)))
                    : Optional.<StorageRecord>empty();
            Barriers barriers = (parts & BARRIERS) != 0 ? barriers(in) : Barriers.NONE;
            return LogSummary.of(position, members, lastTxId, openSegment, storage)
                    .with(incarnation)
                    .with(barriers);
        } catch (BufferUnderflowException e) {
            throw new MalformedBytesException("The summary of a log is cut short", e);
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("Not the summary of a log: " + e.getMessage(), e);
        }
    }

    private static void writeBytes(Bytes bytes, ByteBuffer out) {
        out.putInt(bytes.size()).put(bytes.sharedArray(), bytes.sharedOffset(), bytes.size());
    }

    private static boolean isPresent(ByteBuffer in) throws MalformedBytesException {
        return readFlag(in, 1) == 1;
    }

    private static int readFlag(ByteBuffer in, int maximum) throws MalformedBytesException {
        byte flag = in.get();
        if (flag < 0 || flag > maximum) {
            throw new MalformedBytesException("Wanted 0 to " + maximum + " in the summary of a log, found " + flag);
        }
        return flag;
    }

    private static Barriers barriers(ByteBuffer in) throws MalformedBytesException {
        int count = in.getInt();
        if (count < 1 || count > Barriers.MAX_COUNT) {
            throw new MalformedBytesException(
                    "Wanted 1 to " + Barriers.MAX_COUNT + " barriers in the summary of a log, found " + count);
        }
        List<Barrier> list = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            list.add(Barrier.fromPayload(readBytes(in)));
        }
        return Barriers.of(list);
    }

    private static Bytes readBytes(ByteBuffer in) throws MalformedBytesException {
        int size = in.getInt();
        if (size < 0 || size > in.remaining()) {
            throw new MalformedBytesException(
                    "A part of " + size + " bytes in the summary of a log, of which " + in.remaining() + " are there");
        }
        byte[] bytes = new byte[size];
        in.get(bytes);
        return Bytes.wrap(bytes);
    }
}
