/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import java.util.List;

/** What a promotion of this host's pool node would do, and what may be missing then. Immutable. */
@AutoValue
public abstract class PromotionPlan {

    static Builder builder() {
        return new AutoValue_PromotionPlan.Builder();
    }

    /** Where the node that is promoted listens. */
    public abstract NodeAddress address();

    /** What its log goes back to so far. */
    public abstract Incarnation incarnation();

    /** Whether this was done before: there is nothing to do. */
    public abstract boolean promoted();

    /** The last transaction that it knows to be committed; its log may have more that is. */
    public abstract long committedTxId();

    /** The last transaction of its log: all up to this one are there, whatever is lost elsewhere. */
    public abstract long lastTxId();

    /** When something was last written to its log, by the host's clock, in milliseconds since 1970. */
    public abstract long writtenMillis();

    /** Whether the log was being fetched again after damage, and may end earlier than what this node once acknowledged. */
    public abstract boolean refetching();

    /** The other members that were said to be lost. */
    public abstract List<NodeAddress> lost();

    /** Why it must not be done; empty if it may. */
    public abstract List<String> refusals();

    /** Collects a plan. */
    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder address(NodeAddress address);

        abstract Builder incarnation(Incarnation incarnation);

        abstract Builder promoted(boolean promoted);

        abstract Builder committedTxId(long txId);

        abstract Builder lastTxId(long txId);

        abstract Builder writtenMillis(long millis);

        abstract Builder refetching(boolean refetching);

        abstract Builder lost(List<NodeAddress> lost);

        abstract Builder refusals(List<String> refusals);

        abstract PromotionPlan build();
    }
}
