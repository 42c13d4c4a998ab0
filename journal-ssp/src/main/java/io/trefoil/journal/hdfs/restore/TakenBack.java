/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;

/** One restore to a barrier with all its tries, each of which was the writer in an epoch of its own. Immutable. */
@AutoValue
abstract class TakenBack {

    /**
     * @param epochBefore in which the journal had been taken back last when it was begun, 0 if never: its first try is above
     * @param epoch of the try that came to its end
     */
    static TakenBack to(Barrier barrier, long epochBefore, long epoch) {
        return new AutoValue_TakenBack(barrier.name(), barrier.txId(), epochBefore, epoch);
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
