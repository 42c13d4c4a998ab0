/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Checkpoint;
import java.util.List;

/** What the undo of a restore does on one host, or why it does nothing. Immutable. */
@AutoValue
public abstract class UndoPlan implements HostRestorePlan {

    static UndoPlan of(
            RestoreState state,
            boolean journal,
            List<NameDirectory> toBringBack,
            List<String> refusals,
            List<String> hindrances) {
        return new AutoValue_UndoPlan(
                state.checkpoint(), state.nameservice(), state.nameNode(), journal, toBringBack, refusals, hindrances);
    }

    public abstract Checkpoint checkpoint();

    public abstract String nameservice();

    public abstract String nameNode();

    /** Whether the journal must be given what it had, which the first host of a nameservice does. */
    public abstract boolean journal();

    /** The directories that get the {@code current} of before. */
    public abstract List<NameDirectory> toBringBack();

    @Override
    public abstract List<String> refusals();

    @Override
    public abstract List<String> hindrances();
}
