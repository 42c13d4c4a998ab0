/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import java.util.List;

/** Manifests as checkpoints of tests have them, whose images hold all up to transaction 4. */
public final class TestManifests {

    /** Of nameservice ns1 alone, at transaction 10. */
    public static final Manifest MADE = Manifest.of(
            Agreement.of(CheckpointId.of("nightly", "00000001"), 1, 0, "ns1", List.of("ns1")), cut("ns1", 10));

    /** Restored in epoch 7. */
    public static final Manifest RESTORED = MADE.withRestore(restoreRecord(7, 10));

    /** That restore was undone in epoch 9, and the original timeline ended at transaction 33. */
    public static final Manifest UNDONE = MADE.withRestore(restoreRecord(9, 33));

    private TestManifests() {}

    public static Cut cut(String nameservice, long txId) {
        return Cut.builder()
                .nameservice(nameservice)
                .nameNode("nn1")
                .txId(txId)
                .imageTxId(4)
                .files(2)
                .blocks(1)
                .waitedMicros(1)
                .cutMicros(1)
                .frozenMicros(7)
                .build();
    }

    /**
     * What a restore in epoch 7, or its undo, left: block ids from 1000 on are void, the new timeline counts on from 2000.
     *
     * @param forkTxId behind which the new timeline begins, with five transactions that count
     */
    public static RestoreRecord restoreRecord(long epoch, long forkTxId) {
        return RestoreRecord.builder()
                .epoch(epoch)
                .restoreEpoch(7)
                .voidEpoch(0)
                .forkTxId(forkTxId)
                .voidBlockId(1000)
                .lastTxId(forkTxId + 5)
                .blockId(2000)
                .generationStamp(2000)
                .build();
    }
}
