/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.model;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;

/** The lock of the active: which member was elected last. It arbitrates; the epoch is what fences. Immutable. */
@AutoValue
public abstract class LockRecord {

    /** Creates the record of a holder that has no epoch yet. */
    public static LockRecord ofHolder(String holder, Ballot ballot, ZkSession session) {
        return new AutoValue_LockRecord(holder, ballot, session, Epoch.NONE);
    }

    /** The member that holds it. */
    public abstract String holder();

    /** The election in which it was taken. */
    public abstract Ballot ballot();

    /** The holder's session with ZooKeeper; the lock is released when it ends. */
    public abstract ZkSession session();

    /** The epoch in which the holder writes; {@link Epoch#NONE} while it is taking over. */
    public abstract Epoch epoch();

    public final boolean isTakingOver() {
        return epoch().equals(Epoch.NONE);
    }

    public final LockRecord withEpoch(Epoch epoch) {
        return new AutoValue_LockRecord(holder(), ballot(), session(), epoch);
    }
}
