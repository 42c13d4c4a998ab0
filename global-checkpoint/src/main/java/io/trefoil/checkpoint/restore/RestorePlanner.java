/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.model.RestoreRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Plans the actions of a restore to a checkpoint on one host (paper §4.3). Pure.
 *
 * <p>The plan depends only on the present state, not on what an earlier attempt may have done, so an interrupted
 * restore is simply planned and run again.
 */
public final class RestorePlanner {

    private final RestoreState state;
    private final List<String> refusals = new ArrayList<>();
    private final List<String> hindrances = new ArrayList<>();

    private RestorePlanner(RestoreState state) {
        this.state = state;
    }

    public static RestorePlan plan(RestoreState state) {
        return new RestorePlanner(state).plan();
    }

    private RestorePlan plan() {
        Checkpoint checkpoint = state.checkpoint();
        if (!checkpoint.isComplete()) {
            refusals.add("the checkpoint is incomplete and does not count: no barrier in "
                    + String.join(",", checkpoint.missingNameservices()));
        }
        Manifest own = checkpoint.manifests().get(state.nameservice());
        if (own == null) {
            refusals.add("this host belongs to nameservice " + state.nameservice() + ", the checkpoint has barriers of "
                    + checkpoint.manifests().keySet());
            return of(Optional.<RetainedImageFile>empty(), false, Collections.<NameDirectory>emptyList());
        }
        checkStopped();
        Cut cut = own.cut();
        // After a restore that was undone, the journal must go back as if that restore had never been.
        Optional<RestoreRecord> restored = own.restoreRecord().filter(back -> back.forkTxId() == cut.txId());
        long begun = restored.map(RestoreRecord::lastTxId).orElse(cut.txId());
        boolean goesOn = state.unfinishedRestore()
                .filter(underWay -> UnfinishedRestore.isSameOperation(
                        underWay, own.agreement().id(), false))
                .isPresent();
        if (!goesOn) {
            state.unfinishedRestore().ifPresent(underWay -> checkUnfinished(underWay, cut));
        }
        boolean journal = state.newestTxId() > begun || !restored.isPresent() || goesOn;
        if (own.restoreRecord().isPresent() && state.newestTxId() > begun && !state.repeatRestore() && !goesOn) {
            String before = "nameservice " + state.nameservice() + " was restored to this checkpoint before, ";
            long lost = state.newestTxId() - begun;
            hindrances.add(before
                    + (restored.isPresent()
                            ? "and " + lost
                                    + " transactions were written since, which would become void; if this"
                                    + " host was left out then, run hdfs namenode -bootstrapStandby here instead; to take"
                                    + " the nameservice back once more, say --again"
                            : "which was undone, and the " + lost
                                    + " transactions after it would become void; to take the nameservice back once"
                                    + " more, say --again"));
        }
        if (state.newestTxId() < cut.txId()) {
            refusals.add("the journal ends at transaction " + state.newestTxId() + ", before the checkpoint's "
                    + cut.txId());
        }
        state.editsDamage().ifPresent(refusals::add);
        Optional<RetainedImageFile> image = chooseImage(cut);
        List<NameDirectory> toLay = new ArrayList<>();
        for (NameDirectory directory : state.directories()) {
            checkUsable(directory, image);
            boolean laid = !journal
                    && directory.installedInEpoch().equals(restored.map(RestoreRecord::epoch))
                    && directory.newestTxId() <= begun;
            if (!laid) {
                toLay.add(directory);
            }
        }
        return of(image, journal, toLay);
    }

    private RestorePlan of(Optional<RetainedImageFile> image, boolean includesJournal, List<NameDirectory> toLay) {
        return RestorePlan.of(
                state,
                image,
                includesJournal,
                Collections.unmodifiableList(toLay),
                Collections.unmodifiableList(refusals),
                Collections.unmodifiableList(hindrances));
    }

    /**
     * Checks for an unfinished restore or undo. If this restore takes the journal back to before it, its remains
     * disappear; otherwise it must be finished first.
     */
    private void checkUnfinished(Manifest underWay, Cut cut) {
        String text = UnfinishedRestore.describe(underWay);
        if (underWay.cut().txId() <= cut.txId()) {
            refusals.add(text);
        } else if (!state.repeatRestore()) {
            hindrances.add(text + ", or, to give it up, say --again");
        }
    }

    /** Checks that no NameNode of the restored nameservices runs: it would write, and continue from void transactions. */
    private void checkStopped() {
        Map<String, List<String>> others = new TreeMap<>(state.runningNameNodes());
        List<String> own = others.remove(state.nameservice());
        others.keySet().retainAll(state.checkpoint().agreement().nameservices());
        if (own != null && !own.isEmpty()) {
            hindrances.add(
                    "NameNodes " + own + " of nameservice " + state.nameservice() + " run: stop them; if they run"
                            + " because the nameservice is back already, and this host was left out, run hdfs namenode"
                            + " -bootstrapStandby here instead");
        }
        others.values().removeIf(List::isEmpty);
        if (!others.isEmpty() && !state.singleNameservice()) {
            hindrances.add("NameNodes of other nameservices of the checkpoint run: " + others
                    + "; stop them, for all go back together, or say --alone to restore " + state.nameservice()
                    + " alone");
        }
        if (state.writerPossible()) {
            hindrances.add("the pool still believes in a writer of the journal of " + state.nameservice()
                    + ": a NameNode runs somewhere, or was killed a moment ago");
        }
    }

    private Optional<RetainedImageFile> chooseImage(Cut cut) {
        Optional<RetainedImageFile> best = Optional.empty();
        List<String> others = new ArrayList<>();
        for (RetainedImageFile imageFile : state.imageFiles()) {
            if (imageFile.damage().isPresent()) {
                others.add(imageFile.path() + ": " + imageFile.damage().get());
            } else if (imageFile.txId() < cut.imageTxId() || imageFile.txId() > cut.txId()) {
                others.add(imageFile.path() + " is of transaction " + imageFile.txId() + ", wanted one of "
                        + cut.imageTxId() + " to " + cut.txId());
            } else if (!best.isPresent() || best.get().txId() < imageFile.txId()) {
                best = Optional.of(imageFile);
            }
        }
        if (!best.isPresent()) {
            refusals.add("this host keeps no image for the checkpoint that can be used: "
                    + (others.isEmpty() ? "there is none" : String.join("; ", others))
                    + "; restore on another host of nameservice " + state.nameservice()
                    + ", and when its NameNode is active run hdfs namenode -bootstrapStandby here");
        }
        return best;
    }

    private void checkUsable(NameDirectory directory, Optional<RetainedImageFile> image) {
        if (directory.inUse()) {
            hindrances.add(directory.path() + " is in use: a NameNode runs on this host");
        }
        if (directory.unfinishedUpgrade()) {
            refusals.add(directory.path() + " has an unfinished upgrade: finalize it or roll it back first");
        }
        if (image.isPresent()
                && directory.storage().isPresent()
                && !directory.storage().get().equals(image.get().storage())) {
            refusals.add(directory.path() + " is of another namespace or layout than the image: "
                    + directory.storage().get() + " instead of " + image.get().storage());
        }
    }
}
