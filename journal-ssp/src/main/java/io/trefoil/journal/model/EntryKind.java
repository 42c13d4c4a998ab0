/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

/** The meaning of an entry; the code is written to disk and wire and never changes. */
public enum EntryKind {
    /** First entry of a writer; with it everything before becomes committed. */
    EPOCH_START(1),
    /** An HDFS edit log segment begins; its first txid is the entry's first txid. */
    SEGMENT_START(2),
    /** A batch of HDFS edits, the exact bytes of one flush. */
    EDITS(3),
    /** An HDFS edit log segment ends; the entry's txids are those of the whole segment. */
    SEGMENT_END(4),
    /** The full list of nodes; in force from the moment it is appended. */
    MEMBERS(5),
    /** A global checkpoint's cut (paper §4.3). */
    BARRIER(6),
    /** Releases a barrier that is no longer needed. */
    BARRIER_RELEASE(7),
    /** HDFS storage information: format, upgrade, finalize, rollback. */
    STORAGE(8),
    /** Every segment from the entry's first txid on is void (rolling upgrade rolled back). */
    DISCARD(9);

    private static final EntryKind[] KINDS_BY_CODE = new EntryKind[DISCARD.code + 1];

    static {
        for (EntryKind kind : values()) {
            KINDS_BY_CODE[kind.code] = kind;
        }
    }

    private final byte code;

    EntryKind(int code) {
        this.code = (byte) code;
    }

    public byte code() {
        return code;
    }

    /**
     * Returns the kind for a code on disk or wire.
     *
     * @throws IllegalArgumentException if no kind has this code: written by a newer version, or not an entry
     */
    public static EntryKind ofCode(int code) {
        if (code < 1 || code >= KINDS_BY_CODE.length) {
            throw new IllegalArgumentException(
                    "Unknown entry kind " + code + ", this version knows 1.." + (KINDS_BY_CODE.length - 1));
        }
        return KINDS_BY_CODE[code];
    }
}
