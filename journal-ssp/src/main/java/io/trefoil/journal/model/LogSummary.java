/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * The combined effect of all entries up to a place in the log: enough to start a log there, and all that a new writer
 * needs to know about the past. Immutable; only {@link #plus} moves it forward.
 */
@AutoValue
public abstract class LogSummary {

    /** The summary of an empty log. */
    public static final LogSummary ORIGIN = new AutoValue_LogSummary(
            Incarnation.NONE,
            LogPosition.ORIGIN,
            Members.NONE,
            0,
            Optional.<Long>empty(),
            Optional.<StorageRecord>empty(),
            Barriers.NONE);

    /** Creates a summary without barriers, of {@code Incarnation.NONE}. */
    public static LogSummary of(
            LogPosition position,
            Members members,
            long lastTxId,
            Optional<Long> openSegment,
            Optional<StorageRecord> storage) {
        return new AutoValue_LogSummary(
                Incarnation.NONE, position, members, lastTxId, openSegment, storage, Barriers.NONE);
    }

    /** A copy with other live barriers. */
    public final LogSummary with(Barriers barriers) {
        return new AutoValue_LogSummary(
                incarnation(), position(), members(), lastTxId(), openSegment(), storage(), barriers);
    }

    /** A copy in another incarnation of the journal. */
    public final LogSummary with(Incarnation incarnation) {
        return new AutoValue_LogSummary(
                incarnation, position(), members(), lastTxId(), openSegment(), storage(), barriers());
    }

    /** The incarnation that the log belongs to; the same for every entry of a log, and set even for an empty log. */
    public abstract Incarnation incarnation();

    /** The last entry that is part of this summary. */
    public abstract LogPosition position();

    public abstract Members members();

    /** The highest transaction id written so far; 0 if there is none. */
    public abstract long lastTxId();

    /** First txid of the segment that was begun and not ended; empty if there is none. */
    public abstract Optional<Long> openSegment();

    /** The newest HDFS storage record. */
    public abstract Optional<StorageRecord> storage();

    /** The live barriers (rule R10). */
    public abstract Barriers barriers();

    /**
     * The summary one entry later.
     *
     * @throws IllegalArgumentException if the entry does not follow directly: a bug of the caller
     */
    public final LogSummary plus(Entry entry) {
        LogPosition nextPosition = entry.position();
        if (!nextPosition.isNextAfter(position())) {
            throw new IllegalArgumentException(entry + " does not follow " + position());
        }
        switch (entry.kind()) {
            case SEGMENT_START:
                return moveTo(
                        nextPosition, lastTxId(), Optional.of(entry.txIds().first()));
            case EDITS:
                return moveTo(nextPosition, entry.txIds().last(), openSegment());
            case SEGMENT_END:
                return moveTo(nextPosition, lastTxId(), Optional.<Long>empty());
            case DISCARD:
                long keptTxId = Math.min(lastTxId(), entry.txIds().first() - 1);
                return moveTo(nextPosition, keptTxId, Optional.<Long>empty())
                        .with(barriers().upTo(keptTxId));
            case MEMBERS:
                return of(nextPosition, Members.fromPayload(entry.payload()), lastTxId(), openSegment(), storage())
                        .with(incarnation())
                        .with(barriers());
            case STORAGE:
                StorageRecord record = StorageRecord.fromPayload(entry.payload());
                long lastTxId = record.lastTxIdAfter(lastTxId());
                return of(nextPosition, members(), lastTxId, openSegment(), Optional.of(record))
                        .with(incarnation())
                        .with(lastTxId < lastTxId() ? barriers().upTo(lastTxId) : barriers());
            case EPOCH_START:
                return moveTo(nextPosition, lastTxId(), openSegment());
            case BARRIER:
                return moveTo(nextPosition, lastTxId(), openSegment())
                        .with(barriers().with(Barrier.fromPayload(entry.payload())));
            case BARRIER_RELEASE:
                return moveTo(nextPosition, lastTxId(), openSegment())
                        .with(barriers().without(entry.payload().utf8()));
        }
        throw new AssertionError(entry.kind());
    }

    private LogSummary moveTo(LogPosition nextPosition, long lastTxId, Optional<Long> openSegment) {
        return new AutoValue_LogSummary(
                incarnation(), nextPosition, members(), lastTxId, openSegment, storage(), barriers());
    }

    /**
     * Whether a new writer continues this log rather than the other one: the log of the newer incarnation wins, and within
     * one incarnation the log whose last entry is higher (protocol page, "A new writer", step 2).
     */
    public final boolean isAheadOf(LogSummary other) {
        int byIncarnation = incarnation().compareTo(other.incarnation());
        return byIncarnation > 0 || (byIncarnation == 0 && position().compareTo(other.position()) > 0);
    }

    /** Whether both logs belong to the same incarnation, so that their entries can be compared. */
    public final boolean hasSameIncarnation(LogSummary other) {
        return incarnation().equals(other.incarnation());
    }
}
