/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.restore.LostFile;
import io.trefoil.checkpoint.restore.RestoreOptions;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.checkpoint.restore.UndoPlan;
import io.trefoil.checkpoint.retention.RetentionPolicy;
import io.trefoil.checkpoint.retention.RootSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The checkpoints of the federation, as the command sees them. */
public interface Checkpoints {

    /** All nameservices that can take part. */
    Set<String> nameservices();

    /**
     * Has one of the actives lead a checkpoint, and waits for its end.
     *
     * @return id, outcome, reason and manifests
     * @throws io.trefoil.foundation.OrderRefusedException if nobody took the order, so that nothing was made
     * @throws IOException if it is not known what became of it
     */
    JsonNode create(CheckpointId id, Set<String> nameservices, boolean protectData) throws IOException;

    /**
     * Every barrier of a checkpoint in the journals of all nameservices.
     *
     * @throws IOException if a journal cannot be read by majority; the text says which
     */
    List<Manifest> manifests() throws IOException;

    /** What is not as it should be with one nameservice's part of a checkpoint; empty if everything is. */
    List<String> findings(Checkpoint checkpoint, Manifest part) throws IOException;

    /**
     * Sees that this is the host of a NameNode with a journal of ours, which those below want that look at this host,
     * or change it.
     *
     * @throws IllegalArgumentException if it is not, or a setting is wrong; the text says what to set
     */
    void requireNameNode();

    /**
     * What stock code finds wrong when it loads the part of this host's nameservice as a restore will, by nameservice;
     * takes as much memory and time as the start of a NameNode. As {@link #requireNameNode}.
     */
    Map<String, String> deepFindings(Checkpoint checkpoint) throws IOException;

    /**
     * Has the active of a nameservice delete a checkpoint.
     *
     * @throws IOException if it may still be there
     */
    void delete(CheckpointId id, String nameservice) throws IOException;

    /** What the configuration says of how many are kept, and how long. */
    RetentionPolicy retention();

    /**
     * The snapshots of all nameservices' roots that were taken for checkpoints.
     *
     * @throws IOException if a nameservice has no active
     */
    List<RootSnapshot> snapshots() throws IOException;

    /**
     * What a restore would do on this host; reads all that it needs, and changes nothing. As {@link #requireNameNode}.
     *
     * @throws IOException if the journal cannot be read by majority
     */
    RestorePlan planRestore(Checkpoint checkpoint, RestoreOptions options) throws IOException;

    /**
     * The files that will not be whole after it, found by loading two namespaces; changes nothing.
     *
     * @return empty if nobody knows any more, since the journal is back already
     */
    Optional<List<LostFile>> losses(RestorePlan plan) throws IOException;

    /**
     * What the undo of a restore would do on this host; changes nothing. As {@link #requireNameNode}.
     *
     * @throws IOException if the journal cannot be read by majority
     */
    UndoPlan planUndo(Checkpoint checkpoint, RestoreOptions options) throws IOException;

    /** Carries out a plan that is executable; as {@link #restore}. */
    List<String> undo(UndoPlan plan, String time) throws IOException;

    /**
     * Carries out a plan that is executable.
     *
     * @param time part of the names that what is moved aside gets
     * @return what was done
     * @throws IOException if it did not come to its end; it can be planned and done again
     */
    List<String> restore(RestorePlan plan, String time) throws IOException;
}
