/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;

/** A restore to a barrier that is being undone, with all its attempts, each of which wrote in an epoch of its own. Immutable. */
@AutoValue
abstract class RevertedRestore {

    /**
     * @param epochBefore the epoch of the last restore before this one, 0 if none: all attempts of this one have higher
     *     epochs
     * @param epoch of the attempt that completed
     */
    static RevertedRestore of(Barrier barrier, long epochBefore, long epoch) {
        return new AutoValue_RevertedRestore(barrier.name(), barrier.txId(), epochBefore, epoch);
    }

    abstract String barrier();

    /** The last transaction that stayed valid. */
    abstract long txId();

    abstract long epochBefore();

    abstract long epoch();

    final boolean mayHaveWrittenIn(long anEpoch) {
        return anEpoch > epochBefore() && anEpoch <= epoch();
    }
}
