/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import java.util.List;
import java.util.Optional;

/** The effect of a promotion of this host's pool node, and the transactions that may then be missing. Immutable. */
@AutoValue
public abstract class PromotionPlan {

    static Builder builder() {
        return new AutoValue_PromotionPlan.Builder();
    }

    /** The address of the node to be promoted. */
    public abstract NodeAddress address();

    /** The incarnation of its log before the promotion. */
    public abstract Incarnation incarnation();

    /** Whether the node is already promoted: then there is nothing to do. */
    public abstract boolean alreadyPromoted();

    /** The last transaction that the node knows to be committed; later ones in its log may be committed too. */
    public abstract long committedTxId();

    /** The last transaction of its log: all up to this one survive, whatever is lost elsewhere. */
    public abstract long lastTxId();

    /** The time of the last write to the node's log, by the host's clock, in milliseconds since 1970. */
    public abstract long lastWriteMillis();

    /**
     * The time of the last edit in the node's log that has one, by the clock of the NameNode that wrote it, in
     * milliseconds since 1970; empty if none has one.
     */
    public abstract Optional<Long> lastEditMillis();

    /** Whether the node was refetching its log after damage, so that the log may end before entries that the node once acknowledged. */
    public abstract boolean refetching();

    /** Addresses of the other members that the operator declared lost. */
    public abstract List<NodeAddress> lostMembers();

    /** Returns why the node must not be promoted; empty if it may. */
    public abstract List<String> refusals();

    /** Builds a plan. */
    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder address(NodeAddress address);

        abstract Builder incarnation(Incarnation incarnation);

        abstract Builder alreadyPromoted(boolean promoted);

        abstract Builder committedTxId(long committedTxId);

        abstract Builder lastTxId(long lastTxId);

        abstract Builder lastWriteMillis(long millis);

        abstract Builder lastEditMillis(Optional<Long> millis);

        abstract Builder refetching(boolean refetching);

        abstract Builder lostMembers(List<NodeAddress> lostMembers);

        abstract Builder refusals(List<String> refusals);

        abstract PromotionPlan build();
    }
}
