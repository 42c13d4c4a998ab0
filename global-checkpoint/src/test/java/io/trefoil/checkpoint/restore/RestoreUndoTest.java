/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import static io.trefoil.checkpoint.model.TestManifests.MADE;
import static io.trefoil.checkpoint.model.TestManifests.RESTORED;
import static io.trefoil.checkpoint.model.TestManifests.UNDONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreInProgress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RestoreUndoTest {
    private final NameDirectory.Builder directory = NameDirectory.builder()
            .path("/nn")
            .installedInEpoch(Optional.of(7L))
            .movedAside(Optional.of("/nn/current.before"));

    private RestoreState.Builder state(Manifest manifest) {
        return RestoreState.builder()
                .checkpoint(Checkpoint.assemble(List.of(manifest)).get(0))
                .nameservice("ns1")
                .nameNode("nn1")
                .newestTxId(15)
                .imageFiles(List.of())
                .directories(List.of(directory.build()));
    }

    @Test
    void planRestoresJournalAndDirectories() {
        UndoPlan plan = UndoPlanner.plan(state(RESTORED).build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isTrue();
        assertThat(plan.directoriesToRestore()).containsExactly(directory.build());
    }

    @Test
    void planOnlyRestoresDirectoriesOnFurtherHosts() {
        UndoPlan plan = UndoPlanner.plan(state(UNDONE).newestTxId(38).build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isFalse();
        assertThat(plan.directoriesToRestore()).hasSize(1);
    }

    @Test
    void repeatedUndoIsNoOp() {
        directory.installedInEpoch(Optional.of(9L)).movedAside(Optional.empty());
        UndoPlan plan = UndoPlanner.plan(state(UNDONE).newestTxId(38).build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.directoriesToRestore()).isEmpty();
    }

    @Test
    void refusesUndoWithoutRestoreOrFormerDirectory() {
        assertThat(UndoPlanner.plan(state(MADE).build()).refusals())
                .containsExactly("nameservice ns1 was never restored to this checkpoint");
        directory.movedAside(Optional.empty());
        assertThat(UndoPlanner.plan(state(RESTORED).build()).refusals())
                .singleElement()
                .asString()
                .contains("/nn has nothing from before the restore", "-bootstrapStandby");
    }

    @Test
    void discardsNewerWritesOnlyWithAgainOption() {
        RestoreState.Builder wentOn = state(RESTORED).newestTxId(20);
        assertThat(UndoPlanner.plan(wentOn.build()).blockers())
                .singleElement()
                .asString()
                .contains("5 transactions of nameservice ns1 were written since", "--again");
        assertThat(UndoPlanner.plan(wentOn.repeatRestore(true).build()).executable())
                .isTrue();
    }

    @Test
    void waitsUntilAllIsStopped() {
        RestoreState.Builder running = state(RESTORED)
                .runningNameNodes(Map.of("ns1", List.of("nn2"), "ns2", List.of("nn1")))
                .writerPossible(true);
        directory.inUse(true);
        assertThat(UndoPlanner.plan(
                                running.directories(List.of(directory.build())).build())
                        .blockers())
                .hasSize(4);
        assertThat(UndoPlanner.plan(running.singleNameservice(true).build()).blockers())
                .hasSize(3);
    }

    @Test
    void resumesInterruptedUndo() {
        Manifest begun = RESTORED.withRestore(RestoreInProgress.of(9, true, 0), List.of());
        UndoPlan plan = UndoPlanner.plan(state(begun)
                .newestTxId(20)
                .unfinishedRestore(Optional.of(begun))
                .build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isTrue();
    }

    @Test
    void refusesUndoDuringUnfinishedRestore() {
        Manifest begun = RESTORED.withRestore(RestoreInProgress.of(9, false, 0), List.of());
        assertThat(UndoPlanner.plan(state(begun)
                                .unfinishedRestore(Optional.of(begun))
                                .repeatRestore(true)
                                .build())
                        .refusals())
                .singleElement()
                .asString()
                .contains(
                        "the restore of nameservice ns1 to checkpoint nightly.00000001 was begun", "run hdfs trefoil");
    }

    @Test
    void refusesUndoWhenFormerTimelineIsDamaged() {
        RestoreState.Builder upgraded = state(RESTORED).voidLineDamage(Optional.of("there was an upgrade"));
        assertThat(UndoPlanner.plan(upgraded.build()).refusals()).containsExactly("there was an upgrade");
        RestoreState.Builder back = state(UNDONE).newestTxId(38).voidLineDamage(Optional.of("it is back"));
        assertThat(UndoPlanner.plan(back.build()).refusals()).isEmpty();
    }

    @Test
    void repeatsUndoneRestoreOnlyWithAgainOption() {
        RestoreState.Builder undone = state(UNDONE)
                .newestTxId(38)
                .imageFiles(List.of(RetainedImageFile.of("/kept/4", 4, "", Optional.empty())));
        assertThat(RestorePlanner.plan(undone.build()).blockers())
                .singleElement()
                .asString()
                .contains("was undone", "28 transactions", "--again");
        RestorePlan plan = RestorePlanner.plan(undone.repeatRestore(true).build());
        assertThat(plan.executable()).isTrue();
        assertThat(plan.journal()).isTrue();
        assertThat(plan.directoriesToReplace()).hasSize(1);
    }
}
