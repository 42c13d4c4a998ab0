/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Checkpoint;
import java.util.List;

/** The plan of undoing a restore on one host, or the reasons for doing nothing. Immutable. */
@AutoValue
public abstract class UndoPlan implements HostRestorePlan {

    static UndoPlan of(
            RestoreState state,
            boolean includesJournal,
            List<NameDirectory> toBringBack,
            List<String> refusals,
            List<String> blockers) {
        return new AutoValue_UndoPlan(
                state.checkpoint(),
                state.nameservice(),
                state.nameNode(),
                includesJournal,
                toBringBack,
                refusals,
                blockers);
    }

    public abstract Checkpoint checkpoint();

    public abstract String nameservice();

    public abstract String nameNode();

    /** Whether the void transactions must be restored in the journal; the first host of a nameservice does that. */
    public abstract boolean journal();

    /** The directories that get back their earlier {@code current}. */
    public abstract List<NameDirectory> directoriesToRestore();

    @Override
    public abstract List<String> refusals();

    @Override
    public abstract List<String> blockers();
}
