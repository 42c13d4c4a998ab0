/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.apache.hadoop.hdfs.server.namenode.INodeId;

/**
 * The counters of a namespace: ids of plain and of erasure-coded blocks, generation stamps, and ids of files and
 * directories. A number must never be assigned twice, not even by a namespace that was restored to an earlier point: a
 * DataNode may still have a block replica under it, which HDFS would take for one of the new block, and a client may
 * still write to a file under it, which HDFS would take for the new file. Immutable.
 */
@AutoValue
public abstract class NamespaceCounters {

    /** The counters of a new namespace, which has assigned nothing yet, as in HDFS. */
    public static final NamespaceCounters NONE = new AutoValue_NamespaceCounters.Builder()
            .contiguousId(1L << 30)
            .stripedId(Long.MIN_VALUE)
            .generationStamp(1_000)
            .legacyStamp(1_000)
            .legacyStampLimit(0)
            .inodeId(INodeId.ROOT_INODE_ID)
            .build();

    /**
     * The number of ids that a leap skips: more than a cluster assigns in 30 years at 1,000 blocks or files a second, so more
     * than a timeline that can no longer be read may have assigned.
     */
    private static final long LEAP = 1L << 40;

    /**
     * How much further a leap goes for each millisecond since 2024: more than a cluster assigns in one. So of two timelines that began
     * with the same counters and know nothing of each other, the later one begins above all that the earlier one has assigned.
     */
    private static final long IDS_PER_MILLI = 1L << 10;

    /** The most that a timeline may have assigned whose counters can no longer be read, if the clock has gone back since. */
    private static final long MILLIS_PER_LEAP = LEAP / IDS_PER_MILLI;

    /** Behind it, the leap itself would not fit. */
    private static final long MAX_MILLIS = 1L << 50;

    private static final long START_OF_2024 = 1_704_067_200_000L;

    /** Erasure-coded blocks have ids in steps of 16, from {@link Long#MIN_VALUE} up to below 0. */
    private static final int STRIPED_SHIFT = 4;

    /** The stamps of blocks from before Hadoop 2.4 end at 2^40, and only an append to or truncation of such a block takes one. */
    private static final long LEGACY_LEAP = 1L << 20;

    /** The highest id of a plain block. */
    public abstract long contiguousId();

    /** The highest id of an erasure-coded block; below 0. */
    public abstract long stripedId();

    public abstract long generationStamp();

    /** The highest stamp of blocks with random ids, from before Hadoop 2.4. */
    public abstract long legacyStamp();

    /** All generation stamps of such blocks are below this; 0 if there are no such blocks. */
    public abstract long legacyStampLimit();

    /** The highest id of a file, directory or link. */
    public abstract long inodeId();

    public abstract Builder toBuilder();

    public static Builder builder() {
        return NONE.toBuilder();
    }

    /** The higher value of each counter. */
    public final NamespaceCounters max(NamespaceCounters other) {
        return new AutoValue_NamespaceCounters.Builder()
                .contiguousId(Math.max(contiguousId(), other.contiguousId()))
                .stripedId(Math.max(stripedId(), other.stripedId()))
                .generationStamp(Math.max(generationStamp(), other.generationStamp()))
                .legacyStamp(Math.max(legacyStamp(), other.legacyStamp()))
                .legacyStampLimit(Math.max(legacyStampLimit(), other.legacyStampLimit()))
                .inodeId(Math.max(inodeId(), other.inodeId()))
                .build();
    }

    /** The counters after an edit of HDFS whose first field is a number; unchanged if the edit counts nothing. */
    final NamespaceCounters afterEdit(byte opcode, long value) {
        if (opcode == FSEditLogOpCodes.OP_ADD.getOpCode()
                || opcode == FSEditLogOpCodes.OP_MKDIR.getOpCode()
                || opcode == FSEditLogOpCodes.OP_SYMLINK.getOpCode()) {
            return value > inodeId() ? toBuilder().inodeId(value).build() : this;
        }
        if (opcode == FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID.getOpCode()) {
            return value < 0
                    ? max(NONE.toBuilder().stripedId(value).build())
                    : max(NONE.toBuilder().contiguousId(value).build());
        }
        if (opcode == FSEditLogOpCodes.OP_SET_GENSTAMP_V2.getOpCode()) {
            return max(NONE.toBuilder().generationStamp(value).build());
        }
        return opcode == FSEditLogOpCodes.OP_SET_GENSTAMP_V1.getOpCode()
                ? max(NONE.toBuilder().legacyStamp(value).build())
                : this;
    }

    /**
     * The counters from which a new timeline counts, if these are the highest of all timelines before it.
     *
     * @throws IOException if there are not enough numbers left
     */
    public final NamespaceCounters startOfNextTimeline() throws IOException {
        return afterLeap(LEAP);
    }

    /**
     * The counters from which a new timeline counts, if these are the highest of all timelines that are known: others may
     * have begun with them, and be lost.
     *
     * @param nowMillis the time at which it begins
     * @param newest the highest known incarnation, whose number says when it began: a clock that is behind it went back
     * @throws IOException if there are not enough numbers left
     */
    public final NamespaceCounters startOfNextTimelineAt(long nowMillis, Incarnation newest) throws IOException {
        long millis = nowMillis > newest.number() ? nowMillis : newest.number() + MILLIS_PER_LEAP;
        long elapsed = Math.max(0, millis - START_OF_2024);
        if (newest.number() > MAX_MILLIS || elapsed > MAX_MILLIS) {
            throw newExhaustedException();
        }
        return afterLeap(LEAP + elapsed * IDS_PER_MILLI);
    }

    private IOException newExhaustedException() {
        return new IOException(
                "There are not enough block ids, generation stamps or inode ids left for a new timeline: " + this);
    }

    private NamespaceCounters afterLeap(long leap) throws IOException {
        long stripedLeap = leap << STRIPED_SHIFT;
        // Twice the leap, so that the new timeline itself has room.
        if (contiguousId() > Long.MAX_VALUE - 2 * leap
                || generationStamp() > Long.MAX_VALUE - 2 * leap
                || inodeId() > Long.MAX_VALUE - 2 * leap
                || stripedId() > -2 * stripedLeap) {
            throw newExhaustedException();
        }
        // A stamp at the limit would belong to a newer kind of block; HDFS refuses to assign any after the last one
        // below it.
        boolean legacy = legacyStamp() < legacyStampLimit();
        return toBuilder()
                .contiguousId(contiguousId() + leap)
                .stripedId((stripedId() & -16L) + stripedLeap)
                .generationStamp(generationStamp() + leap)
                .inodeId(inodeId() + leap)
                .legacyStamp(legacy ? Math.min(legacyStamp() + LEGACY_LEAP, legacyStampLimit() - 1) : legacyStamp())
                .build();
    }

    /**
     * Whether these belong to a timeline that became void before the others began: no single timeline
     * assigns so many numbers.
     */
    public final boolean isFromEarlierTimeline(NamespaceCounters otherCounters) {
        return otherCounters.contiguousId() - contiguousId() > LEAP / 2;
    }

    /** Builds counters; those that are not set are {@link #NONE}'s. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder contiguousId(long contiguousId);

        public abstract Builder stripedId(long stripedId);

        public abstract Builder generationStamp(long stamp);

        public abstract Builder legacyStamp(long stamp);

        public abstract Builder legacyStampLimit(long legacyStampLimit);

        public abstract Builder inodeId(long inodeId);

        public abstract NamespaceCounters build();
    }
}
