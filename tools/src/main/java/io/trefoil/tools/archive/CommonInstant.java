/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.NoSuchInstantException;
import io.trefoil.checkpoint.hdfs.files.Manifests;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.JournalId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds a checkpoint of a federation in the archives of all its nameservices: one counts if each of them has its barrier. Not thread-safe.
 */
final class CommonInstant {

    private final ArchiveContents own;
    private final ArchiveOptions archive;
    private final Map<String, ArchiveContents> others = new HashMap<>();

    /** @param archive the directory in which each nameservice has an archive under its name */
    CommonInstant(ArchiveContents own, ArchiveOptions archive) {
        this.own = own;
        this.archive = archive;
    }

    /**
     * Chooses an image and edits for a checkpoint, also for one of some nameservices only.
     *
     * @throws IOException if an archive lacks it, or is not there; the text says which
     */
    CommonCut choose(String checkpoint) throws IOException {
        try {
            return cut(own.recipeOfBarrier(checkpoint), new ArrayList<>());
        } catch (NoSuchInstantException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /**
     * Chooses an image and edits for the newest checkpoint of all nameservices that is in force in all archives at a time.
     *
     * @throws IOException if there is none, or an archive is not there
     */
    CommonCut chooseNewest(long millis) throws IOException {
        List<Barrier> barriers = own.barriersAt(millis);
        List<String> unused = new ArrayList<>();
        for (int i = barriers.size() - 1; i >= 0; i--) {
            Barrier barrier = barriers.get(i);
            try {
                requireAt(barrier, millis);
                return cut(own.recipeOfBarrier(barrier.name()), unused);
            } catch (NoSuchInstantException e) {
                // An archive may have no image from which that namespace could begin: an earlier checkpoint may have
                // one.
                unused.add(e.getMessage());
            }
        }
        throw new IOException("Wanted a checkpoint that the archives of all nameservices " + archive.nameservices()
                + " have by that time, found " + (unused.isEmpty() ? "none" : String.join("; ", unused))
                + "; ask for a later time, or for a checkpoint of archive list by its id");
    }

    /** Requires that a checkpoint is one of the whole federation, which all archives have by a time. */
    private void requireAt(Barrier barrier, long millis) throws IOException, NoSuchInstantException {
        Manifest manifest = Manifests.of(barrier);
        TreeSet<String> missing = new TreeSet<>(archive.nameservices());
        missing.removeAll(manifest.agreement().nameservices());
        if (!missing.isEmpty()) {
            // With it, these would go back to another instant.
            throw new NoSuchInstantException(
                    "checkpoint " + barrier.name() + " was made without nameservices " + missing);
        }
        for (String nameservice : otherNameservices(manifest)) {
            if (contents(nameservice).barriersAt(millis).stream()
                    .noneMatch(one -> one.name().equals(barrier.name()))) {
                throw new NoSuchInstantException(
                        "checkpoint " + barrier.name() + " is not in the archive of nameservice " + nameservice);
            }
        }
    }

    private CommonCut cut(NamespaceRecipe recipe, List<String> unused) throws IOException, NoSuchInstantException {
        Manifest manifest = Manifests.of(recipe.barrier().get());
        Map<String, Long> txIds = new TreeMap<>();
        txIds.put(manifest.cut().nameservice(), manifest.cut().txId());
        for (String nameservice : otherNameservices(manifest)) {
            txIds.put(nameservice, cutTxId(nameservice, recipe.barrier().get().name()));
        }
        return CommonCut.of(recipe, manifest.agreement(), txIds, unused);
    }

    private long cutTxId(String nameservice, String checkpoint) throws IOException, NoSuchInstantException {
        try {
            return contents(nameservice).recipeOfBarrier(checkpoint).target().txId();
        } catch (NoSuchInstantException e) {
            throw new NoSuchInstantException("Checkpoint " + checkpoint + " cannot be had of nameservice " + nameservice
                    + ": " + e.getMessage());
        }
    }

    private static List<String> otherNameservices(Manifest manifest) {
        List<String> all = new ArrayList<>(manifest.agreement().nameservices());
        all.remove(manifest.cut().nameservice());
        return all;
    }

    private ArchiveContents contents(String nameservice) throws IOException {
        ArchiveContents known = others.get(nameservice);
        if (known == null) {
            known = archive.openReader(JournalId.of(nameservice)).contents();
            others.put(nameservice, known);
        }
        return known;
    }
}
