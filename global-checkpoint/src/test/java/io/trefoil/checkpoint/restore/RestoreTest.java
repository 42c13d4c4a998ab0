/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import static io.trefoil.checkpoint.model.TestManifests.cut;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreInProgress;
import io.trefoil.checkpoint.model.RestoreRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestoreTest {
    private static final Agreement AGREED =
            Agreement.of(CheckpointId.of("nightly", "00000001"), 1_000, 3, "ns1", List.of("ns1", "ns2"));
    private static final Manifest ONE = manifest("ns1", 10);
    private static final RestoreRecord BACK = RestoreRecord.builder()
            .epoch(7)
            .restoreEpoch(7)
            .voidEpoch(0)
            .forkTxId(10)
            .voidBlockId(1000)
            .lastTxId(15)
            .blockId(1000)
            .generationStamp(1000)
            .build();
    private static final Manifest OTHER = manifest("ns2", 20);
    private static final String STORAGE = "clusterID=c";
    private static final RetainedImageFile IMAGE = RetainedImageFile.of("/kept/4", 4, STORAGE, Optional.empty());

    private final NameDirectory.Builder directory =
            NameDirectory.builder().path("/nn").storage(Optional.of(STORAGE)).newestTxId(30);

    private static Manifest manifest(String nameservice, long txId) {
        return Manifest.of(AGREED, cut(nameservice, txId));
    }

    private RestoreState.Builder state(Manifest... manifests) {
        return RestoreState.builder()
                .checkpoint(Checkpoint.assemble(List.of(manifests)).get(0))
                .nameservice("ns1")
                .nameNode("nn1")
                .newestTxId(33)
                .imageFiles(List.of(IMAGE))
                .directories(List.of(directory.build()));
    }

    private RestoreState.Builder state() {
        return state(ONE, OTHER);
    }

    @Test
    void planRestoresJournalAndCreatesDirectories() {
        RestorePlan plan = RestorePlanner.plan(state().build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isTrue();
        assertThat(plan.voidedCount()).isEqualTo(23);
        assertThat(plan.image()).contains(IMAGE);
        assertThat(plan.directoriesToReplace()).containsExactly(directory.build());
    }

    @Test
    void planOnlyCreatesDirectoriesOnFurtherHosts() {
        RestorePlan plan = RestorePlanner.plan(
                state(ONE.withRestore(BACK), OTHER).newestTxId(15).build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isFalse();
        assertThat(plan.voidedCount()).isZero();
        assertThat(plan.directoriesToReplace()).hasSize(1);
    }

    @Test
    void repeatedRestoreIsNoOp() {
        directory.installedInEpoch(Optional.of(7L)).newestTxId(4);
        RestorePlan plan = RestorePlanner.plan(state(ONE.withRestore(BACK), OTHER)
                .newestTxId(15)
                .directories(List.of(directory.build()))
                .build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isFalse();
        assertThat(plan.directoriesToReplace()).isEmpty();
    }

    @Test
    void resumesRestoreInterruptedBetweenJournalAndMark() {
        assertThat(RestorePlanner.plan(state().newestTxId(10).build()).journal())
                .isTrue();
    }

    @Test
    void resumesRestoreInterruptedBetweenTwoDirectories() {
        NameDirectory laid =
                directory.installedInEpoch(Optional.of(7L)).newestTxId(4).build();
        NameDirectory gone = NameDirectory.builder().path("/nn2").build();
        RestorePlan plan = RestorePlanner.plan(state(ONE.withRestore(BACK), OTHER)
                .newestTxId(15)
                .directories(List.of(laid, gone))
                .build());
        assertThat(plan.directoriesToReplace()).containsExactly(gone);
    }

    @Test
    void restoresOverNewerWritesOnlyWithAgainOption() {
        directory.installedInEpoch(Optional.of(7L));
        RestoreState.Builder wentOn = state(ONE.withRestore(BACK), OTHER).directories(List.of(directory.build()));
        assertThat(obstacles(wentOn))
                .contains("was restored to this checkpoint before, and 18 transactions were written since", "--again");
        RestorePlan plan = RestorePlanner.plan(wentOn.repeatRestore(true).build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isTrue();
        assertThat(plan.voidedCount()).isEqualTo(23);
        assertThat(plan.directoriesToReplace()).hasSize(1);
    }

    @Test
    void resumesRepeatedRestoreInterruptedBetweenJournalAndMark() {
        directory.installedInEpoch(Optional.of(7L)).newestTxId(4);
        RestorePlan plan = RestorePlanner.plan(state(ONE.withRestore(BACK), OTHER)
                .newestTxId(15)
                .unfinishedRestore(
                        Optional.of(ONE.withRestore(BACK).withRestore(RestoreInProgress.of(9, false, 0), List.of())))
                .directories(List.of(directory.build()))
                .build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isTrue();
        assertThat(plan.directoriesToReplace()).hasSize(1);
    }

    /** Once more over what was written since: that was said when it was begun. */
    @Test
    void resumesInterruptedRestoreWithoutAgainOption() {
        Manifest begun = ONE.withRestore(BACK).withRestore(RestoreInProgress.of(9, false, 0), List.of());
        RestorePlan plan = RestorePlanner.plan(
                state(begun, OTHER).unfinishedRestore(Optional.of(begun)).build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isTrue();
        assertThat(plan.voidedCount()).isEqualTo(23);
    }

    @Test
    void rejectsRestoreWhileAnotherIsInProgress() {
        Manifest undo = ONE.withRestore(BACK).withRestore(RestoreInProgress.of(9, true, 0), List.of());
        assertThat(refusals(state(undo, OTHER).unfinishedRestore(Optional.of(undo))))
                .contains(
                        "the undo of the restore of nameservice ns1 to checkpoint nightly.00000001 was begun and "
                                + "not finished",
                        "hdfs trefoil checkpoint restore nightly.00000001 --undo --execute");
        Manifest earlier = otherManifest(8).withRestore(RestoreInProgress.of(9, false, 0), List.of());
        assertThat(refusals(state().unfinishedRestore(Optional.of(earlier)).repeatRestore(true)))
                .contains("the restore of nameservice ns1 to checkpoint other.00000002", "--execute");
        Manifest later = otherManifest(12).withRestore(RestoreInProgress.of(9, false, 0), List.of());
        assertThat(obstacles(state().unfinishedRestore(Optional.of(later))))
                .contains("to checkpoint other.00000002", "to give it up, say --again");
        assertThat(RestorePlanner.plan(state().unfinishedRestore(Optional.of(later))
                                .repeatRestore(true)
                                .build())
                        .executable())
                .isTrue();
    }

    private static Manifest otherManifest(long txId) {
        Agreement agreed = Agreement.of(CheckpointId.of("other", "00000002"), 1_000, 3, "ns1", List.of("ns1"));
        return Manifest.of(agreed, cut("ns1", txId));
    }

    @Test
    void recreatesDirectoryCreatedByEarlierRestore() {
        directory.installedInEpoch(Optional.of(6L)).newestTxId(4);
        RestorePlan plan = RestorePlanner.plan(state(ONE.withRestore(BACK), OTHER)
                .newestTxId(15)
                .directories(List.of(directory.build()))
                .build());
        assertThat(plan.directoriesToReplace()).hasSize(1);
    }

    @Test
    void usesNewestIntactImageUpToCut() {
        RetainedImageFile damaged = RetainedImageFile.of("/kept/9", 9, STORAGE, Optional.of("its MD5 is wrong"));
        RetainedImageFile later = RetainedImageFile.of("/kept/11", 11, STORAGE, Optional.empty());
        RetainedImageFile better = RetainedImageFile.of("/kept/8", 8, STORAGE, Optional.empty());
        RestorePlan plan = RestorePlanner.plan(
                state().imageFiles(List.of(IMAGE, damaged, better, later)).build());
        assertThat(plan.image()).contains(better);
        assertThat(refusals(state().imageFiles(List.of(damaged, later))))
                .contains("its MD5 is wrong", "/kept/11", "4 to 10");
        assertThat(refusals(state().imageFiles(List.of()))).contains("there is none", "-bootstrapStandby");
    }

    @Test
    void refusesIncompleteCheckpoint() {
        assertThat(refusals(state(ONE))).contains("incomplete", "no barrier in ns2");
        assertThat(refusals(state(OTHER))).contains("incomplete", "belongs to nameservice ns1");
        assertThat(refusals(state().newestTxId(9))).contains("ends at transaction 9, before");
        assertThat(refusals(state().editsDamage(Optional.of("transactions 5 to 9 are not in the journal"))))
                .contains("transactions 5 to 9");
    }

    @Test
    void refusesForeignNamespaceAndUnfinishedUpgrade() {
        assertThat(refusals(state().directories(List.of(
                        directory.storage(Optional.of("clusterID=d")).build()))))
                .contains("another namespace or layout", "clusterID=d");
        assertThat(refusals(state().directories(
                                List.of(directory.unfinishedUpgrade(true).build()))))
                .contains("upgrade");
    }

    @Test
    void waitsUntilAllNameNodesAreStopped() {
        assertThat(obstacles(state().runningNameNodes(Map.of("ns1", List.of("nn2"), "ns2", List.of()))))
                .contains("[nn2]", "stop them");
        assertThat(obstacles(state().runningNameNodes(Map.of("ns2", List.of("nn1")))))
                .contains("{ns2=[nn1]}", "--alone");
        assertThat(obstacles(state().writerPossible(true))).contains("believes in a writer");
        assertThat(obstacles(state().directories(List.of(directory.inUse(true).build()))))
                .contains("/nn is in use");
    }

    @Test
    void restoresSingleNameserviceOnlyOnRequest() {
        RestoreState.Builder otherRuns = state().runningNameNodes(Map.of("ns2", List.of("nn1"), "ns3", List.of("nn1")));
        assertThat(RestorePlanner.plan(otherRuns.build()).executable()).isFalse();
        assertThat(RestorePlanner.plan(otherRuns.singleNameservice(true).build())
                        .executable())
                .isTrue();
        assertThat(RestorePlanner.plan(otherRuns
                                .runningNameNodes(Map.of("ns1", List.of("nn1")))
                                .build())
                        .executable())
                .isFalse();
    }

    private static String refusals(RestoreState.Builder state) {
        RestorePlan plan = RestorePlanner.plan(state.build());
        assertThat(plan.executable()).isFalse();
        return String.join("\n", plan.refusals());
    }

    private static String obstacles(RestoreState.Builder state) {
        RestorePlan plan = RestorePlanner.plan(state.build());
        assertThat(plan.refusals()).isEmpty();
        assertThat(plan.executable()).isFalse();
        return String.join("\n", plan.blockers());
    }
}
