/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.coordinator;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import java.util.Optional;

/** How a checkpoint ended. Immutable. */
@AutoValue
public abstract class CheckpointOutcome {

    /** What is known. */
    public enum Kind {
        /** Every nameservice has its barrier. */
        COMPLETE,
        /** At least one nameservice has none and never will: it counts nowhere. */
        FAILED,
        /** It may count: not every participant answered. Only the journals can tell. */
        UNKNOWN
    }

    static CheckpointOutcome of(
            Kind kind, String reason, Optional<Checkpoint> checkpoint, Optional<Agreement> agreement) {
        return new AutoValue_CheckpointOutcome(kind, reason, checkpoint, agreement);
    }

    public abstract Kind kind();

    /** Which nameservice failed, and why; empty if complete. */
    public abstract String reason();

    /** There if it is complete. */
    public abstract Optional<Checkpoint> checkpoint();

    /** There if it came as far as an agreed time. */
    public abstract Optional<Agreement> agreement();
}
