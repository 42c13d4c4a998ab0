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
import java.util.Optional;

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
     * Chooses an image and edits for a checkpoint.
     *
     * @throws IOException if an archive lacks it, or is not there; the text says which
     */
    NamespaceRecipe choose(String checkpoint) throws IOException {
        try {
            NamespaceRecipe recipe = own.recipeOfBarrier(checkpoint);
            for (String nameservice : otherNameservices(recipe.barrier().get())) {
                requireCheckpoint(nameservice, checkpoint);
            }
            return recipe;
        } catch (NoSuchInstantException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void requireCheckpoint(String nameservice, String checkpoint) throws IOException {
        try {
            contents(nameservice).recipeOfBarrier(checkpoint);
        } catch (NoSuchInstantException e) {
            throw new IOException(
                    "Checkpoint " + checkpoint + " cannot be had of nameservice " + nameservice + ": " + e.getMessage(),
                    e);
        }
    }

    /**
     * Chooses an image and edits for the newest checkpoint that is in force in all archives at a time.
     *
     * @throws IOException if there is none, or an archive is not there
     */
    NamespaceRecipe chooseNewest(long millis) throws IOException {
        List<Barrier> barriers = own.barriersAt(millis);
        for (int i = barriers.size() - 1; i >= 0; i--) {
            Optional<NamespaceRecipe> recipe = findAt(barriers.get(i), millis);
            if (recipe.isPresent()) {
                return recipe.get();
            }
        }
        throw new IOException("Wanted a checkpoint that the archives of all its nameservices have by that time, found "
                + barriers.size() + " here, and none of them there; archive list shows them");
    }

    private Optional<NamespaceRecipe> findAt(Barrier barrier, long millis) throws IOException {
        try {
            for (String nameservice : otherNameservices(barrier)) {
                ArchiveContents contents = contents(nameservice);
                if (contents.barriersAt(millis).stream()
                        .noneMatch(one -> one.name().equals(barrier.name()))) {
                    return Optional.empty();
                }
                contents.recipeOfBarrier(barrier.name());
            }
            return Optional.of(own.recipeOfBarrier(barrier.name()));
        } catch (NoSuchInstantException e) {
            // An archive has no image from which that namespace could begin: an earlier checkpoint may have one.
            return Optional.empty();
        }
    }

    private static List<String> otherNameservices(Barrier barrier) throws IOException {
        Manifest manifest = Manifests.of(barrier);
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
