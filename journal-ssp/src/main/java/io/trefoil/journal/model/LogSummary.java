/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * What all entries up to a place in the log add up to: enough to start a log there, and all that a new
 * writer needs to know of the past. Immutable; {@link #plus} is the only way forward.
 */
@AutoValue
public abstract class LogSummary {

    /** The summary of an empty log. */
    public static final LogSummary ORIGIN = new AutoValue_LogSummary(
            LogPosition.ORIGIN, Members.NONE, 0, Optional.<Long>empty(), Optional.<StorageRecord>empty());

    public static LogSummary of(
            LogPosition position,
            Members members,
            long lastTxId,
            Optional<Long> openSegment,
            Optional<StorageRecord> storage) {
        return new AutoValue_LogSummary(position, members, lastTxId, openSegment, storage);
    }

    /** The last entry that is part of this summary. */
    public abstract LogPosition position();

    public abstract Members members();

    /** The highest transaction id written so far; 0 if there is none. */
    public abstract long lastTxId();

    /** First txid of the segment that was started and not ended. */
    public abstract Optional<Long> openSegment();

    /** The newest HDFS storage record. */
    public abstract Optional<StorageRecord> storage();

    /**
     * The summary one entry later.
     *
     * @throws IllegalArgumentException if the entry does not follow directly: a bug of the caller
     */
    public final LogSummary plus(Entry entry) {
        if (entry.sn() != position().sn() + 1
                || entry.epoch().isBelow(position().epoch())) {
            throw new IllegalArgumentException(entry + " does not follow " + position());
        }
        LogPosition next = entry.position();
        switch (entry.kind()) {
            case SEGMENT_START:
                return of(next, members(), lastTxId(), Optional.of(entry.txIds().first()), storage());
            case EDITS:
                return of(next, members(), entry.txIds().last(), openSegment(), storage());
            case SEGMENT_END:
                return of(next, members(), lastTxId(), Optional.<Long>empty(), storage());
            case DISCARD:
                return of(
                        next,
                        members(),
                        Math.min(lastTxId(), entry.txIds().first() - 1),
                        Optional.<Long>empty(),
                        storage());
            case MEMBERS:
                return of(next, Members.fromPayload(entry.payload()), lastTxId(), openSegment(), storage());
            case STORAGE:
                StorageRecord record = StorageRecord.fromPayload(entry.payload());
                return of(next, members(), record.lastTxIdAfter(lastTxId()), openSegment(), Optional.of(record));
            case EPOCH_START:
            case BARRIER:
            case BARRIER_RELEASE:
                return of(next, members(), lastTxId(), openSegment(), storage());
        }
        throw new AssertionError(entry.kind());
    }
}
