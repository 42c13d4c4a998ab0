/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.files;

import io.trefoil.checkpoint.Documents;
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

    /** @throws IOException if one says something else */
    public static List<Manifest> of(Barriers barriers) throws IOException {
        List<Manifest> manifests = new ArrayList<>();
        for (Barrier barrier : barriers.list()) {
            if (!Pin.isName(barrier.name())) {
                manifests.add(of(barrier));
            }
        }
        return manifests;
    }

    /** @throws IOException if it says something else; the text says which, and what to do */
    public static Manifest of(Barrier barrier) throws IOException {
        try {
            return Documents.manifest(Documents.parse(barrier.text()));
        } catch (IOException e) {
            throw new IOException(
                    "Barrier " + barrier.name() + " after transaction " + barrier.txId()
                            + " of the journal cannot be read; wanted what this version writes of a checkpoint, found: "
                            + e.getMessage() + "; if a newer version wrote it, install that on this host",
                    e);
        }
    }

    /** The one to which the journal is being restored, or whose restore is being undone; empty if none. */
    public static Optional<Manifest> underWay(Collection<Manifest> all) {
        return all.stream().filter(manifest -> manifest.underWay().isPresent()).findFirst();
    }

    /** The one to which the journal was restored last, of those that are still there; empty if to none. */
    public static Optional<Manifest> newestRestored(Collection<Manifest> all) {
        return all.stream()
                .filter(manifest -> manifest.restored().isPresent())
                .max((one, other) -> Long.compare(epoch(one), epoch(other)));
    }

    private static long epoch(Manifest manifest) {
        return manifest.restored().get().epoch();
    }

    /** In which the journal was restored last, 0 if never: no directory of its line says less. */
    public static long lineage(Collection<Manifest> all) {
        return newestRestored(all).map(Manifests::epoch).orElse(0L);
    }

    /** All that is void, as any of them says. */
    public static List<VoidRange> voidRanges(Collection<Manifest> all) {
        List<VoidRange> ranges = new ArrayList<>();
        all.forEach(manifest -> ranges.addAll(manifest.voidRanges()));
        return VoidRange.merged(ranges);
    }

    /**
     * What stays void when the restore to a checkpoint is undone: what was void before it, and what another restore and
     * its undo, to a checkpoint before that one, have made void since. Those that are behind it are void themselves
     * then.
     */
    public static List<VoidRange> voidRangesWithout(Manifest undone, Collection<Manifest> all) {
        long cutTxId = undone.cut().txId();
        List<VoidRange> others = new ArrayList<>();
        all.stream().filter(other -> other.cut().txId() < cutTxId).forEach(other -> others.addAll(other.voidRanges()));
        // It was in force when one of these was restored to.
        others.removeAll(undone.restored().get().ranges(cutTxId));
        others.addAll(undone.voidBefore());
        return VoidRange.merged(others);
    }
}
