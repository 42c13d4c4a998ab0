/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;

/**
 * An entry of a journal, the unit that is written, replicated and committed (paper §4.1.2: a batch with its serial
 * number).
 *
 * <p>The checksum is not a field: {@code EntryCodec} computes it over header and payload when it encodes the entry for
 * wire or disk, and checks it when it decodes the entry. Immutable.
 */
@AutoValue
public abstract class Entry {

    public static Entry of(LogPosition position, EntryKind kind, TxRange txIds, Bytes payload) {
        if (position.sn() < 1) {
            throw new IllegalArgumentException("The first serial number of an entry is 1, got " + position);
        }
        if (kind == EntryKind.EDITS && txIds.isEmpty()) {
            throw new IllegalArgumentException("A batch of edits has transactions, got " + txIds + " at " + position);
        }
        return new AutoValue_Entry(position, kind, txIds, payload);
    }

    public abstract LogPosition position();

    public abstract EntryKind kind();

    /**
     * EDITS: the transactions inside. SEGMENT_START: empty, at the segment's first txid. SEGMENT_END: the
     * transactions of the whole segment, empty if it had none. DISCARD: empty, at the first void txid. All
     * others: {@link TxRange#NONE}.
     */
    public abstract TxRange txIds();

    public abstract Bytes payload();

    public final long sn() {
        return position().sn();
    }

    public final Epoch epoch() {
        return position().epoch();
    }

    @Override
    public final String toString() {
        return kind() + "@" + position() + (txIds().equals(TxRange.NONE) ? "" : "[" + txIds() + "]");
    }
}
