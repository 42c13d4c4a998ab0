/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import static io.trefoil.checkpoint.model.TestManifests.MADE;
import static io.trefoil.checkpoint.model.TestManifests.RESTORED;
import static io.trefoil.checkpoint.model.TestManifests.UNDONE;
import static io.trefoil.checkpoint.model.TestManifests.restoreRecord;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestTest {
    private static final VoidRange EARLIER = VoidRange.of(5, 9, 100, 200);

    private static boolean isVoid(Manifest manifest, long txId, long blockId) {
        return manifest.voidRanges().stream().anyMatch(range -> range.contains(txId, blockId));
    }

    @Test
    void voidRangesCoverTransactionsAndBlocks() {
        assertThat(isVoid(MADE, 11, 0)).isFalse();
        assertThat(isVoid(RESTORED, 10, 0)).isFalse();
        assertThat(isVoid(RESTORED, 11, 1999)).isTrue();
        assertThat(isVoid(RESTORED, 11, 2000)).isFalse();
        assertThat(isVoid(UNDONE, 33, 999)).isFalse();
        assertThat(isVoid(UNDONE, 33, 1000)).isTrue();
        assertThat(isVoid(UNDONE, 33, 2000))
                .as("of a timeline after another restore")
                .isFalse();
        assertThat(isVoid(UNDONE, 34, 1000)).isTrue();
        assertThat(isVoid(UNDONE, 34, 2000)).isFalse();
    }

    @Test
    void earlierVoidRangesAreKept() {
        Manifest begun = MADE.withRestore(RestoreInProgress.of(8, false, 3), List.of(EARLIER));
        assertThat(begun.restoreInProgress()).contains(RestoreInProgress.of(8, false, 3));
        Manifest done = begun.withRestore(restoreRecord(8, 10));
        assertThat(done.restoreInProgress()).isEmpty();
        assertThat(isVoid(done, 7, 150)).isTrue();
        assertThat(isVoid(done, 7, 250)).isFalse();
    }

    @Test
    void manifestRoundTrips() throws IOException {
        for (Manifest one : List.of(
                MADE,
                UNDONE,
                UNDONE.withRestore(RestoreInProgress.of(8, true, 3), List.of(EARLIER)),
                MADE.longestForm())) {
            assertThat(CheckpointJson.parseManifest(
                            CheckpointJson.parse(CheckpointJson.toJson(one).toString())))
                    .isEqualTo(one);
        }
    }

    @Test
    void manifestFormatIsUnchanged() throws IOException {
        Manifest whole = UNDONE.withRestore(RestoreInProgress.of(8, true, 3), List.of(EARLIER));
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease(
                "journal/manifest", CheckpointJson.toJson(whole).toString());

        for (String text : golden.readAllReleasesAsText("journal/manifest").values()) {
            assertThat(CheckpointJson.parseManifest(CheckpointJson.parse(text))).isEqualTo(whole);
            String later = text.replaceFirst("\\{", "{\"later\":1,").replace("\"cut\":{", "\"cut\":{\"later\":1,");
            assertThat(CheckpointJson.parseManifest(CheckpointJson.parse(later)))
                    .isEqualTo(whole);
        }
    }

    @Test
    void longestFormBoundsManifestLength() {
        Manifest any = MADE.withRestore(RestoreInProgress.of(8, false, 3), VoidRange.merge(disjointRanges(50)))
                .withRestore(restoreRecord(8, 10))
                .withRestore(RestoreInProgress.of(8, false, 3), VoidRange.merge(disjointRanges(50)));
        assertThat(CheckpointJson.toJson(MADE.longestForm()).toString().length())
                .isGreaterThan(CheckpointJson.toJson(any).toString().length());
    }

    @Test
    void mergeDropsCoveredVoidRanges() {
        VoidRange wide = VoidRange.of(5, Long.MAX_VALUE, 0, 300);
        assertThat(VoidRange.merge(List.of(EARLIER, wide, EARLIER))).containsExactly(wide);
        assertThat(VoidRange.merge(List.of(wide, EARLIER))).containsExactly(wide);
    }

    @Test
    void mergeJoinsOldestWhenRangesExceedLimit() {
        List<VoidRange> all = disjointRanges(50);
        List<VoidRange> merged = VoidRange.merge(all);
        assertThat(merged).hasSize(VoidRange.MAX_COUNT).endsWith(all.get(48), all.get(49));
        for (VoidRange one : all) {
            assertThat(merged).anyMatch(range -> range.contains(one.toTxId(), one.fromBlockId()));
        }
        assertThat(merged)
                .as("what was saved since the newest timeline ended")
                .noneMatch(range -> range.contains(50_005, all.get(49).belowBlockId()));
    }

    private static List<VoidRange> disjointRanges(int count) {
        List<VoidRange> ranges = new ArrayList<>();
        for (long i = 1; i <= count; i++) {
            ranges.add(VoidRange.of(i * 1_000, i * 1_000 + 10, i << 40, (i << 40) + 5));
        }
        return ranges;
    }
}
