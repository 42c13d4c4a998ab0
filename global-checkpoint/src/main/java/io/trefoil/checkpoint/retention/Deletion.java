/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.retention;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.CheckpointId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** The parts of one checkpoint to delete, with the reason. Immutable. */
@AutoValue
public abstract class Deletion {

    /** The reason for a deletion. */
    public enum Reason {
        /** Enough newer checkpoints are kept. */
        COUNT,
        AGE,
        /** A nameservice has no barrier of the checkpoint, so it counts nowhere. */
        FAILED,
        /** A snapshot of the root is named by no barrier. */
        ORPHAN
    }

    static Deletion of(CheckpointId id, Iterable<String> nameservices, Reason reason) {
        TreeSet<String> sorted = new TreeSet<>();
        nameservices.forEach(sorted::add);
        return new AutoValue_Deletion(id, Collections.unmodifiableList(new ArrayList<>(sorted)), reason);
    }

    public abstract CheckpointId id();

    /** The nameservices that have parts of the checkpoint, sorted. */
    public abstract List<String> nameservices();

    public abstract Reason reason();
}
