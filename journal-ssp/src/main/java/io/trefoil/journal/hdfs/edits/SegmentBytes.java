/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.Journal;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Iterator;

/**
 * The edits of one segment as one stream of bytes, fetched as they are read, so that a segment of any size takes the
 * same memory.
 *
 * <p>A failed read changes nothing: a retry continues at the same place. Not thread-safe.
 */
final class SegmentBytes extends InputStream {

    /** The size of one fetch: a multiple of a usual batch, small compared to the heap. */
    private static final int FETCH_BYTES = 1 << 20;

    private final Journal journal;
    private final SegmentInfo segment;
    private Iterator<Entry> fetched = Collections.emptyIterator();
    private Bytes current = Bytes.wrap(new byte[0]);
    private int position;
    private long nextSn;
    private long nextTxId;

    SegmentBytes(Journal journal, SegmentInfo segment) {
        this.journal = journal;
        this.segment = segment;
        this.nextSn = segment.readFromSn();
        this.nextTxId = segment.readableTxIds().first();
    }

    @Override
    public int read() throws IOException {
        byte[] buffer = new byte[1];
        return read(buffer, 0, 1) < 0 ? -1 : buffer[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (position == current.size()) {
            if (nextTxId > segment.readableTxIds().last()) {
                return -1;
            }
            advance();
        }
        int count = Math.min(length, current.size() - position);
        System.arraycopy(current.sharedArray(), current.sharedOffset() + position, target, offset, count);
        position += count;
        return count;
    }

    @Override
    public int available() {
        return current.size() - position;
    }

    /** Advances to the next entry. */
    private void advance() throws IOException {
        if (!fetched.hasNext()) {
            fetched = journal.read(nextSn, FETCH_BYTES).iterator();
            if (!fetched.hasNext()) {
                throw new IOException(describeProgress() + "found nothing committed at entry " + nextSn
                        + "; the node asked may lag behind the one that listed the segment");
            }
        }
        Entry entry = fetched.next();
        if (entry.sn() != nextSn) {
            fetched = Collections.emptyIterator();
            throw new IOException(describeProgress() + "asked for entry " + nextSn + ", got " + entry);
        }
        accept(entry);
        nextSn++;
    }

    private void accept(Entry entry) throws IOException {
        TxRange txIds = entry.txIds();
        if (entry.kind() == EntryKind.EDITS && txIds.last() >= nextTxId) {
            if (txIds.first() != nextTxId) {
                throw new IOException(describeProgress() + "found " + entry);
            }
            current = entry.payload();
            position = 0;
            nextTxId = txIds.last() + 1;
        } else if (discardsEdits(entry)) {
            throw new IOException(describeProgress() + "but " + entry + " has discarded transactions meanwhile");
        }
        // Other kinds of entries mean nothing to a reader of edits; earlier edits come before the requested part.
    }

    private static boolean discardsEdits(Entry entry) {
        return entry.kind() == EntryKind.DISCARD
                || (entry.kind() == EntryKind.STORAGE
                        && StorageRecord.fromPayload(entry.payload()).event() == StorageRecord.Event.ROLLBACK);
    }

    private String describeProgress() {
        return "Reading segment " + segment.txIds() + " of journal " + journal.id() + ": wanted transaction " + nextTxId
                + ", ";
    }
}
