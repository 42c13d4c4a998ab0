/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.replica.ReplicaState;
import java.util.Optional;

/**
 * A replica as it was when its disk last answered: queries are answered from this, so that none waits for a busy disk
 * (protocol page, "A disk that hangs"). Published after the sync, so nothing in it can be lost. Immutable.
 */
@AutoValue
public abstract class ReplicaView {

    /** @param firstSn the oldest entry kept */
    static ReplicaView of(
            NodeId node,
            boolean formatted,
            NamespaceId namespace,
            Optional<ReplicaState> state,
            long firstSn,
            WriterLiveness.CaughtUpTime caughtUp) {
        return new AutoValue_ReplicaView(node, formatted, namespace, state, firstSn, caughtUp);
    }

    /** The id of the storage; before there is any, the id that new storage would get. */
    public abstract NodeId node();

    /** Whether there is storage, usable or not. */
    public abstract boolean formatted();

    public abstract NamespaceId namespace();

    /** The rules' state; empty before there is storage. */
    public abstract Optional<ReplicaState> state();

    public abstract long firstSn();

    public abstract WriterLiveness.CaughtUpTime caughtUp();

    /** The members, in force or not; empty without storage. Computed only on demand, since summing up a log takes time. */
    public final Members members() {
        return state().isPresent() ? state().get().end().members() : Members.NONE;
    }

    public final Epoch promisedEpoch() {
        return state().isPresent() ? state().get().promise().epoch() : Epoch.NONE;
    }
}
