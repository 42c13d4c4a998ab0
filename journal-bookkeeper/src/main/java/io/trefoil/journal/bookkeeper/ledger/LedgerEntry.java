/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.ledger;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.codec.MalformedBytesException;
import io.trefoil.journal.codec.SummaryCodec;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The content of an entry of a ledger: the summary at a ledger's beginning, an entry of the journal or a part of one, or a heartbeat, which
 * only shows that the writer is alive. All numbers are big-endian:
 *
 * <pre>
 * kind(1) sn(8) [summary | checksum(4) entry | bytes of these]
 * </pre>
 *
 * <p>An entry that is too large for one message to a bookie is cut into parts, which follow one another; {@link EntryAssembly} joins them.
 *
 * <p>The checksum is the entry's own, because BookKeeper's ends where its client hands over the bytes. Immutable.
 */
public final class LedgerEntry {
    private static final byte SUMMARY = 1;
    private static final byte ENTRY = 2;
    private static final byte BEAT = 3;
    private static final byte PART = 4;
    private static final byte LAST_PART = 5;
    private static final int HEAD_SIZE = 1 + 8;

    private final byte kind;
    private final long headSn;
    private final Optional<LogSummary> summary;
    private final Optional<Entry> entry;
    private final Optional<ByteBuffer> part;

    private LedgerEntry(
            byte kind, long headSn, Optional<LogSummary> summary, Optional<Entry> entry, Optional<ByteBuffer> part) {
        this.kind = kind;
        this.headSn = headSn;
        this.summary = summary;
        this.entry = entry;
        this.part = part;
    }

    /** The serial number in the head, which never falls in a ledger: all parts of an entry have the entry's. */
    public long headSn() {
        return headSn;
    }

    /** The serial number up to which the log extends with this entry: an entry counts from its last part on. */
    public long sn() {
        return kind == PART ? headSn - 1 : headSn;
    }

    /** The summary of the log before the ledger; present only in the first entry of each ledger. */
    public Optional<LogSummary> summary() {
        return summary;
    }

    /** The entry of the journal, if this is one in one piece. */
    public Optional<Entry> entry() {
        return entry;
    }

    /** The bytes of a part of an entry. */
    Optional<ByteBuffer> part() {
        return part;
    }

    boolean isLastPart() {
        return kind == LAST_PART;
    }

    public static byte[] encode(LogSummary before) {
        byte[] bytes = SummaryCodec.encode(before);
        return encode(SUMMARY, before.position().sn(), bytes.length, out -> out.put(bytes));
    }

    /**
     * Encodes an entry, in several parts if it has to be.
     *
     * @param maxBytes the largest size of a part
     */
    public static List<byte[]> encode(Entry entry, int maxBytes) {
        byte[] whole = encode(ENTRY, entry.sn(), 4 + EntryCodec.size(entry), out -> {
            out.putInt(EntryCodec.checksum(entry));
            EntryCodec.encode(entry, out);
        });
        if (whole.length <= maxBytes) {
            return Collections.singletonList(whole);
        }
        List<byte[]> parts = new ArrayList<>();
        int room = maxBytes - HEAD_SIZE;
        for (int from = HEAD_SIZE; from < whole.length; from += room) {
            int begin = from;
            int size = Math.min(room, whole.length - begin);
            byte kind = begin + size == whole.length ? LAST_PART : PART;
            parts.add(encode(kind, entry.sn(), size, out -> out.put(whole, begin, size)));
        }
        return parts;
    }

    /** Decodes the checksum of an entry and the entry. */
    static Entry decodeEntry(ByteBuffer in) throws MalformedBytesException {
        if (in.remaining() < 4) {
            throw new MalformedBytesException("An entry has a checksum, found " + in.remaining() + " bytes");
        }
        int checksum = in.getInt();
        return EntryCodec.decode(in, checksum, ByteBuffer::allocate);
    }

    /** @param sn the last serial number of the log */
    public static byte[] beat(long sn) {
        return encode(BEAT, sn, 0, out -> {});
    }

    private static byte[] encode(byte kind, long sn, int size, Consumer<ByteBuffer> rest) {
        byte[] bytes = new byte[HEAD_SIZE + size];
        rest.accept(ByteBuffer.wrap(bytes).put(kind).putLong(sn));
        return bytes;
    }

    /** @throws MalformedBytesException if the bytes are damaged, or of a version that this one does not know */
    public static LedgerEntry decode(byte[] bytes) throws MalformedBytesException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < HEAD_SIZE) {
            throw new MalformedBytesException(
                    "An entry of a ledger has at least " + HEAD_SIZE + " bytes, found " + bytes.length);
        }
        byte kind = in.get();
        long sn = in.getLong();
        switch (kind) {
            case SUMMARY:
                return new LedgerEntry(
                        kind, sn, Optional.of(SummaryCodec.decode(in)), Optional.empty(), Optional.empty());
            case ENTRY:
                return new LedgerEntry(kind, sn, Optional.empty(), Optional.of(decodeEntry(in)), Optional.empty());
            case BEAT:
                return new LedgerEntry(kind, sn, Optional.empty(), Optional.empty(), Optional.empty());
            case PART:
            case LAST_PART:
                return new LedgerEntry(kind, sn, Optional.empty(), Optional.empty(), Optional.of(in.slice()));
            default:
                throw new MalformedBytesException("Unknown kind of entry in a ledger: " + kind);
        }
    }
}
