/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreInProgress;
import io.trefoil.checkpoint.model.RestoreRecord;
import io.trefoil.journal.model.VoidRange;
import java.util.List;
import org.junit.jupiter.api.Test;

public class ManifestsTest {

    /** Restored to the later one, then to the earlier one, which was undone: the timeline in between was of neither. */
    @Test
    void undoKeepsRangesVoidedByLaterRestore() {
        Manifest late = checkpoint("late", 20).withRestore(restoreRecord(5, 20, 0, 1_000));
        Manifest early = checkpoint("early", 10)
                .withRestore(RestoreInProgress.of(7, false, 5), late.voidRanges())
                .withRestore(restoreRecord(9, 40, 2_000, 3_000));
        Manifest behind = checkpoint("behind", 30).withRestore(restoreRecord(11, 30, 0, 4_000));

        List<VoidRange> ranges = Manifests.voidRangesWithout(late, List.of(early, late, behind));

        assertThat(isVoid(ranges, 15, 2_500)).as("of the timeline in between").isTrue();
        assertThat(isVoid(ranges, 15, 500)).as("of before").isFalse();
        assertThat(isVoid(ranges, 25, 500))
                .as("of the timeline that comes back")
                .isFalse();
        assertThat(isVoid(ranges, 35, 1_500))
                .as("what is behind does not count")
                .isFalse();
    }

    private static boolean isVoid(List<VoidRange> ranges, long txId, long blockId) {
        return ranges.stream().anyMatch(range -> range.contains(txId, blockId));
    }

    public static Manifest checkpoint(String name, long txId) {
        Agreement agreement = Agreement.of(CheckpointId.of(name, "00000001"), 1, 0, "ns1", List.of("ns1"));
        return Manifest.of(
                agreement,
                Cut.builder()
                        .nameservice("ns1")
                        .nameNode("nn1")
                        .txId(txId)
                        .imageTxId(4)
                        .files(2)
                        .blocks(1)
                        .waitedMicros(1)
                        .cutMicros(1)
                        .frozenMicros(7)
                        .build());
    }

    public static RestoreRecord restoreRecord(long epoch, long forkTxId, long voidBlockId, long blockId) {
        return RestoreRecord.builder()
                .epoch(epoch)
                .restoreEpoch(epoch)
                .voidEpoch(0)
                .forkTxId(forkTxId)
                .voidBlockId(voidBlockId)
                .lastTxId(forkTxId + 7)
                .blockId(blockId)
                .generationStamp(blockId)
                .build();
    }
}
