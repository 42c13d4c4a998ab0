/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import java.util.Optional;

/** The end of a checkpoint. Immutable. */
@AutoValue
public abstract class CheckpointOutcome {

    /** The outcome, as far as known. */
    public enum Kind {
        /** Every nameservice has its barrier. */
        COMPLETE,
        /** At least one nameservice has no barrier and never will: the checkpoint counts nowhere. */
        FAILED,
        /** The checkpoint may count: not every participant answered, and only the journals can tell. */
        UNKNOWN
    }

    public static CheckpointOutcome of(
            Kind kind, String reason, Optional<Checkpoint> checkpoint, Optional<Agreement> agreement) {
        return new AutoValue_CheckpointOutcome(kind, reason, checkpoint, agreement);
    }

    public abstract Kind kind();

    /** The nameservice that failed, and why; empty if complete. */
    public abstract String reason();

    /** Present if the checkpoint is complete. */
    public abstract Optional<Checkpoint> checkpoint();

    /** Present if the checkpoint got as far as an agreed time. */
    public abstract Optional<Agreement> agreement();
}
