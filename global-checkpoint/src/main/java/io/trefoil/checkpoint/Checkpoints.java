/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.restore.IncompleteFile;
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

/** The checkpoints of the federation, as used by the command line. */
public interface Checkpoints {

    /** All nameservices that can take part. */
    Set<String> nameservices();

    /**
     * Makes one of the actives lead a checkpoint, and waits until it ends.
     *
     * @return id, outcome, reason and manifests
     * @throws io.trefoil.foundation.OrderRefusedException if no active took the order: there is no checkpoint then
     * @throws IOException if the outcome is unknown
     */
    JsonNode create(CheckpointId id, Set<String> nameservices, boolean protectData) throws IOException;

    /**
     * Reads every checkpoint barrier from the journals of all nameservices.
     *
     * @throws IOException if a journal cannot be read by majority; the text says which
     */
    List<Manifest> manifests() throws IOException;

    /** The faults of one nameservice's part of a checkpoint; empty if there are none. */
    List<String> verify(Checkpoint checkpoint, Manifest part) throws IOException;

    /**
     * Checks that this is the host of a NameNode with a Trefoil journal. The methods below that inspect or change this
     * host require it.
     *
     * @throws IllegalArgumentException if it is not, or a setting is wrong; the text says what to set
     */
    void requireNameNode();

    /**
     * The faults that stock HDFS code finds when it loads this host's part of the checkpoint, as a restore will do, by nameservice. Takes
     * as much memory and time as starting a NameNode. Requires {@link #requireNameNode}.
     */
    Map<String, String> verifyDeep(Checkpoint checkpoint) throws IOException;

    /**
     * Makes the active of a nameservice delete a checkpoint.
     *
     * @throws IOException if the checkpoint may still exist
     */
    void delete(CheckpointId id, String nameservice) throws IOException;

    /** The number of checkpoints to keep, and the time for which to keep them, according to the configuration. */
    RetentionPolicy retention();

    /**
     * The snapshots of nameservices' roots that were taken for checkpoints.
     *
     * @throws IOException if a nameservice has no active
     */
    List<RootSnapshot> snapshots() throws IOException;

    /**
     * Plans a restore on this host; reads everything that it needs, and changes nothing. Requires {@link #requireNameNode}.
     *
     * @throws IOException if the journal cannot be read by majority
     */
    RestorePlan planRestore(Checkpoint checkpoint, RestoreOptions options) throws IOException;

    /**
     * The files that will be incomplete after the restore, found by loading two namespaces; changes nothing.
     *
     * @return empty if this can no longer be known, because the journal is restored already
     */
    Optional<List<IncompleteFile>> findIncompleteFiles(RestorePlan plan) throws IOException;

    /**
     * Plans the undo of a restore on this host; changes nothing. Requires {@link #requireNameNode}.
     *
     * @throws IOException if the journal cannot be read by majority
     */
    UndoPlan planUndo(Checkpoint checkpoint, RestoreOptions options) throws IOException;

    /** Carries out a plan that is executable; as {@link #restore}. */
    List<String> undo(UndoPlan plan, String time) throws IOException;

    /**
     * Carries out a plan that is executable.
     *
     * @param time becomes part of the names of what is moved aside
     * @return what was done
     * @throws IOException if it did not finish; it can be planned and run again
     */
    List<String> restore(RestorePlan plan, String time) throws IOException;
}
