/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plans how one host undoes a restore: it returns to the state from before the restore. Pure. */
public final class UndoPlanner {

    private UndoPlanner() {}

    public static UndoPlan plan(RestoreState state) {
        List<String> refusals = new ArrayList<>();
        List<String> blockers = new ArrayList<>();
        Manifest own = state.checkpoint().manifests().get(state.nameservice());
        Optional<RestoreRecord> restored = own == null ? Optional.<RestoreRecord>empty() : own.restoreRecord();
        boolean goesOn = state.unfinishedRestore()
                .filter(underWay -> UnfinishedRestore.isSameOperation(
                        underWay, state.checkpoint().agreement().id(), true))
                .isPresent();
        if (!goesOn) {
            state.unfinishedRestore().ifPresent(underWay -> refusals.add(UnfinishedRestore.describe(underWay)));
        }
        if (!restored.isPresent()) {
            refusals.add("nameservice " + state.nameservice() + " was never restored to this checkpoint");
            return UndoPlan.of(state, false, Collections.<NameDirectory>emptyList(), refusals, blockers);
        }
        addRunningBlockers(state, blockers);
        boolean journal = restored.get().forkTxId() == own.cut().txId();
        if (journal) {
            state.voidLineDamage().ifPresent(refusals::add);
        }
        if (journal && state.newestTxId() > restored.get().lastTxId() && !state.repeatRestore() && !goesOn) {
            blockers.add((state.newestTxId() - restored.get().lastTxId()) + " transactions of nameservice "
                    + state.nameservice()
                    + " were written since it was restored, which would become void; to lose them,"
                    + " say --again");
        }
        List<NameDirectory> toBringBack = new ArrayList<>();
        for (NameDirectory directory : state.directories()) {
            if (directory.inUse()) {
                blockers.add(directory.path() + " is in use: a NameNode runs on this host");
            }
            boolean back = !journal
                    && directory
                            .installedInEpoch()
                            .equals(Optional.of(restored.get().epoch()));
            if (!back && !directory.movedAside().isPresent()) {
                refusals.add(directory.path()
                        + " has nothing from before the restore: undo it on another host of nameservice "
                        + state.nameservice()
                        + ", and when its NameNode is active run hdfs namenode -bootstrapStandby here");
            } else if (!back) {
                toBringBack.add(directory);
            }
        }
        return UndoPlan.of(state, journal, Collections.unmodifiableList(toBringBack), refusals, blockers);
    }

    private static void addRunningBlockers(RestoreState state, List<String> blockers) {
        for (Map.Entry<String, List<String>> one : state.runningNameNodes().entrySet()) {
            boolean counts = one.getKey().equals(state.nameservice()) || !state.singleNameservice();
            if (counts && !one.getValue().isEmpty()) {
                blockers.add("NameNodes " + one.getValue() + " of nameservice " + one.getKey() + " run: stop them"
                        + (one.getKey().equals(state.nameservice())
                                ? ""
                                : ", or say --alone to bring back " + state.nameservice() + " alone"));
            }
        }
        if (state.writerPossible()) {
            blockers.add("the pool still believes in a writer of the journal of " + state.nameservice()
                    + ": a NameNode runs somewhere, or was killed a moment ago");
        }
    }
}
