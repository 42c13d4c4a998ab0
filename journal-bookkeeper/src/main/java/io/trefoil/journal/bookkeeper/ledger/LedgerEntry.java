/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.ledger;

import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.codec.MalformedBytesException;
import io.trefoil.journal.codec.SummaryCodec;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The content of an entry of a ledger: the summary at a ledger's beginning, an entry of the journal, or a heartbeat, which only shows that
 * the writer is alive. All numbers are big-endian:
 *
 * <pre>
 * kind(1) sn(8) [summary | checksum(4) entry]
 * </pre>
 *
 * <p>The checksum is the entry's own, because BookKeeper's ends where its client hands over the bytes. Immutable.
 */
public final class LedgerEntry {
    private static final byte SUMMARY = 1;
    private static final byte ENTRY = 2;
    private static final byte BEAT = 3;
    private static final int HEAD_SIZE = 1 + 8;

    private final long sn;
    private final Optional<LogSummary> summary;
    private final Optional<Entry> entry;

    private LedgerEntry(long sn, Optional<LogSummary> summary, Optional<Entry> entry) {
        this.sn = sn;
        this.summary = summary;
        this.entry = entry;
    }

    /** The serial number up to which the log extends with this entry. */
    public long sn() {
        return sn;
    }

    /** The summary of the log before the ledger; present only in the first entry of each ledger. */
    public Optional<LogSummary> summary() {
        return summary;
    }

    public Optional<Entry> entry() {
        return entry;
    }

    public static byte[] encode(LogSummary before) {
        byte[] bytes = SummaryCodec.encode(before);
        return encode(SUMMARY, before.position().sn(), bytes.length, out -> out.put(bytes));
    }

    public static byte[] encode(Entry entry) {
        return encode(ENTRY, entry.sn(), 4 + EntryCodec.size(entry), out -> {
            out.putInt(EntryCodec.checksum(entry));
            EntryCodec.encode(entry, out);
        });
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
                return new LedgerEntry(sn, Optional.of(SummaryCodec.decode(in)), Optional.empty());
            case ENTRY:
                int checksum = in.getInt();
                return new LedgerEntry(
                        sn, Optional.empty(), Optional.of(EntryCodec.decode(in, checksum, ByteBuffer::allocate)));
            case BEAT:
                return new LedgerEntry(sn, Optional.empty(), Optional.empty());
            default:
                throw new MalformedBytesException("Unknown kind of entry in a ledger: " + kind);
        }
    }
}
