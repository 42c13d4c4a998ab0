/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;

/**
 * A restore to a barrier that is being undone, with all its tries, each of which was the writer in an epoch of its own.
 * Immutable.
 */
@AutoValue
abstract class UndoneRestore {

    /**
     * @param epochBefore in which the journal had been restored last when it was begun, 0 if never: its first try is above
     * @param epoch of the try that came to its end
     */
    static UndoneRestore to(Barrier barrier, long epochBefore, long epoch) {
        return new AutoValue_UndoneRestore(barrier.name(), barrier.txId(), epochBefore, epoch);
    }

    abstract String barrier();

    /** The last transaction that stayed. */
    abstract long txId();

    abstract long epochBefore();

    abstract long epoch();

    final boolean mayHaveTriedIn(long anEpoch) {
        return anEpoch > epochBefore() && anEpoch <= epoch();
    }
}
