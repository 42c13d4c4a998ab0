/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import com.google.auto.value.AutoValue;
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

    /** Those of a namespace that has given out nothing yet, as HDFS begins. */
    public static final NamespaceCounters NONE = new AutoValue_NamespaceCounters.Builder()
            .contiguousId(1L << 30)
            .stripedId(Long.MIN_VALUE)
            .generationStamp(1_000)
            .legacyStamp(1_000)
            .legacyStampLimit(0)
            .inodeId(INodeId.ROOT_INODE_ID)
            .build();

    /**
     * What is left out at a leap: more than a cluster gives out in 30 years at 1,000 blocks or files a second, so above
     * all that may have been given out by a line of transactions of which nothing is left to read. There is room for
     * millions of leaps.
     */
    private static final long LEAP = 1L << 40;

    /** Erasure-coded blocks have ids in steps of 16, from {@link Long#MIN_VALUE} up to below 0. */
    private static final long STRIPED_LEAP = LEAP << 4;

    /** Stamps of blocks from before Hadoop 2.4 end at 2^40, and only an append to or truncation of such a block needs one. */
    private static final long LEGACY_LEAP = 1L << 20;

    /** The highest id of a plain block. */
    public abstract long contiguousId();

    /** The highest id of an erasure-coded block; below 0. */
    public abstract long stripedId();

    public abstract long generationStamp();

    /** The stamp for blocks with random ids, from before Hadoop 2.4. */
    public abstract long legacyStamp();

    /** All of these are below; 0 if there are no such blocks. */
    public abstract long legacyStampLimit();

    /** The highest id of a file, directory or link. */
    public abstract long inodeId();

    public abstract Builder toBuilder();

    public static Builder builder() {
        return NONE.toBuilder();
    }

    /** Of each, the higher one. */
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

    /** After an edit of HDFS whose first field is a number; the same if it is none that counts. */
    final NamespaceCounters after(byte opcode, long value) {
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
     * Where a new line of transactions begins to count when these were the highest of all before it.
     *
     * @throws IOException if there are not enough numbers left
     */
    public final NamespaceCounters leap() throws IOException {
        // Twice, so that the new line itself has room.
        if (contiguousId() > Long.MAX_VALUE - 2 * LEAP
                || generationStamp() > Long.MAX_VALUE - 2 * LEAP
                || inodeId() > Long.MAX_VALUE - 2 * LEAP
                || stripedId() > -2 * STRIPED_LEAP) {
            throw new IOException(
                    "There are not enough block ids, generation stamps or inode ids left for a new line: " + this);
        }
        // A stamp at the limit would be one of a block that is not of that kind; HDFS refuses to give out more behind
        // the last.
        boolean legacy = legacyStamp() < legacyStampLimit();
        return toBuilder()
                .contiguousId(contiguousId() + LEAP)
                .stripedId((stripedId() & -16L) + STRIPED_LEAP)
                .generationStamp(generationStamp() + LEAP)
                .inodeId(inodeId() + LEAP)
                .legacyStamp(legacy ? Math.min(legacyStamp() + LEGACY_LEAP, legacyStampLimit() - 1) : legacyStamp())
                .build();
    }

    /**
     * Whether these are of a line of transactions that became void before that of others began: nobody gives out so many
     * numbers within one line.
     */
    public final boolean isOfALineBefore(NamespaceCounters others) {
        return others.contiguousId() - contiguousId() > LEAP / 2;
    }

    /** Collects some; those that are not set are {@link #NONE}'s. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder contiguousId(long id);

        public abstract Builder stripedId(long id);

        public abstract Builder generationStamp(long stamp);

        public abstract Builder legacyStamp(long stamp);

        public abstract Builder legacyStampLimit(long stamp);

        public abstract Builder inodeId(long id);

        public abstract NamespaceCounters build();
    }
}
