/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Cut;
import java.util.List;
import java.util.Optional;

/** The plan of a restore on one host, or the reasons for doing nothing. Immutable. */
@AutoValue
public abstract class RestorePlan implements HostRestorePlan {

    static RestorePlan of(
            RestoreState state,
            Optional<RetainedImageFile> image,
            boolean includesJournal,
            List<NameDirectory> toLay,
            List<String> refusals,
            List<String> blockers) {
        return new AutoValue_RestorePlan(
                state.checkpoint(),
                state.nameservice(),
                state.nameNode(),
                state.newestTxId(),
                image,
                includesJournal,
                toLay,
                refusals,
                blockers);
    }

    public abstract Checkpoint checkpoint();

    public abstract String nameservice();

    public abstract String nameNode();

    /** The last committed transaction of the journal. */
    public abstract long newestTxId();

    /** The image that the NameNode will load; empty only if there is a refusal. */
    public abstract Optional<RetainedImageFile> image();

    /** Whether the journal must be restored; the first host of a nameservice does that. */
    public abstract boolean journal();

    /** The directories that will get a new {@code current}. */
    public abstract List<NameDirectory> directoriesToReplace();

    @Override
    public abstract List<String> refusals();

    @Override
    public abstract List<String> blockers();

    /** @throws IllegalStateException if the checkpoint has no cut of this nameservice, which is a refusal */
    public final Cut cut() {
        if (!checkpoint().manifests().containsKey(nameservice())) {
            throw new IllegalStateException(checkpoint().agreement().id() + " has no cut of " + nameservice());
        }
        return checkpoint().manifests().get(nameservice()).cut();
    }

    /** The number of the journal's transactions that become void. */
    public final long voidedCount() {
        return journal() ? Math.max(0, newestTxId() - cut().txId()) : 0;
    }
}
