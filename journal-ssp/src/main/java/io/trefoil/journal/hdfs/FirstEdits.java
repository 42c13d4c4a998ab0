/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.TxRange;
import java.io.ByteArrayOutputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOpCodes;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLayoutVersion;

/**
 * The segment that a new line of transactions begins with: it does nothing but count block ids and generation stamps up, by edits
 * as HDFS writes one with each block. Immutable.
 *
 * <p>Uses {@code FSEditLogOpCodes}, {@code NameNodeLayoutVersion.supports}.
 */
@AutoValue
abstract class FirstEdits {

    /** @param layoutVersion of the edits before; not of HDFS's that runs, which may be newer in a rolling upgrade */
    static FirstEdits of(long firstTxId, BlockCounters counters, int layoutVersion) {
        Frames frames = new Frames(firstTxId);
        frames.add(EditFrames.frame(FSEditLogOpCodes.OP_START_LOG_SEGMENT, frames.next));
        frames.add(EditFrames.frame(FSEditLogOpCodes.OP_SET_GENSTAMP_V2, frames.next, counters.generationStamp()));
        frames.add(EditFrames.frame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, frames.next, counters.contiguousId()));
        if (NameNodeLayoutVersion.supports(NameNodeLayoutVersion.Feature.ERASURE_CODING, layoutVersion)) {
            // An older HDFS takes it for an id below the plain ones, and ends.
            frames.add(EditFrames.frame(FSEditLogOpCodes.OP_ALLOCATE_BLOCK_ID, frames.next, counters.stripedId()));
        }
        if (counters.legacyStamp() < counters.legacyStampLimit()) {
            frames.add(EditFrames.frame(FSEditLogOpCodes.OP_SET_GENSTAMP_V1, frames.next, counters.legacyStamp()));
        }
        frames.add(EditFrames.frame(FSEditLogOpCodes.OP_END_LOG_SEGMENT, frames.next));
        return new AutoValue_FirstEdits(
                TxRange.of(firstTxId, frames.next - 1), layoutVersion, Bytes.wrap(frames.bytes.toByteArray()));
    }

    abstract TxRange txIds();

    abstract int layoutVersion();

    abstract Bytes edits();

    /** One behind the other. */
    private static final class Frames {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private long next;

        Frames(long firstTxId) {
            next = firstTxId;
        }

        void add(Bytes frame) {
            bytes.write(frame.sharedArray(), frame.sharedOffset(), frame.size());
            next++;
        }
    }
}
