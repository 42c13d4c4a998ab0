/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The contents of the checkpoint barriers in one journal. */
public final class Manifests {

    private Manifests() {}

    /** @throws IOException if a barrier's content is not a manifest */
    public static List<Manifest> of(Barriers barriers) throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        for (Barrier barrier : barriers.list()) {
            if (!Pin.isPinName(barrier.name())) {
                manifests.add(of(barrier));
            }
        }
        return manifests;
    }

    /** @throws IOException if the content is not a manifest; the text says which barrier, and what to do */
    public static Manifest of(Barrier barrier) throws IOException {
        try {
            return CheckpointJson.parseManifest(CheckpointJson.parse(barrier.text()));
        } catch (IOException e) {
            throw new IOException(
                    "Barrier " + barrier.name() + " after transaction " + barrier.txId()
                            + " of the journal cannot be read; wanted what this version writes of a checkpoint, found: "
                            + e.getMessage() + "; if a newer version wrote it, install that on this host",
                    e);
        }
    }

    /** The checkpoint to which the journal is being restored, or whose restore is being undone; empty if there is none. */
    public static Optional<Manifest> findRestoreInProgress(Collection<Manifest> all) {
        return all.stream()
                .filter(manifest -> manifest.restoreInProgress().isPresent())
                .findFirst();
    }

    /** The checkpoint to which the journal was restored last, among those that still exist; empty if there is none. */
    public static Optional<Manifest> newestRestored(Collection<Manifest> all) {
        return all.stream()
                .filter(manifest -> manifest.restoreRecord().isPresent())
                .max((one, other) -> Long.compare(epoch(one), epoch(other)));
    }

    private static long epoch(Manifest manifest) {
        return manifest.restoreRecord().get().epoch();
    }

    /** The epoch of the journal's last restore, 0 if never; no directory of the journal's timeline has a lower mark. */
    public static long timelineEpoch(Collection<Manifest> all) {
        return newestRestored(all).map(Manifests::epoch).orElse(0L);
    }

    /** Everything that is void according to any of the manifests. */
    public static List<VoidRange> voidRanges(Collection<Manifest> all) {
        List<VoidRange> ranges = new ArrayList<>();
        all.forEach(manifest -> ranges.addAll(manifest.voidRanges()));
        return VoidRange.merge(ranges);
    }

    /**
     * The ranges that stay void when the restore to a checkpoint is undone: those that were void before it, and those
     * that another restore to an earlier checkpoint, and its undo, have made void since. Checkpoints after the undone
     * one become void themselves.
     */
    public static List<VoidRange> voidRangesWithout(Manifest revertedRestore, Collection<Manifest> all) {
        long cutTxId = revertedRestore.cut().txId();
        List<VoidRange> others = new ArrayList<>();
        all.stream().filter(other -> other.cut().txId() < cutTxId).forEach(other -> others.addAll(other.voidRanges()));
        // The undone restore was in force when one of these was restored to, so they include its ranges.
        others.removeAll(revertedRestore.restoreRecord().get().ranges(cutTxId));
        others.addAll(revertedRestore.voidBefore());
        return VoidRange.merge(others);
    }
}
