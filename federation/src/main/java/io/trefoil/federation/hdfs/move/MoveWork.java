/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.hdfs.tree.InParallel;
import io.trefoil.federation.move.progress.MoveCounts;

/** The threads, counts and lock that all connections of one move share. */
@AutoValue
abstract class MoveWork {

    static MoveWork of(InParallel parallel, MoveCounts counts, HeldLock lock) {
        return new AutoValue_MoveWork(parallel, counts, lock);
    }

    abstract InParallel parallel();

    abstract MoveCounts counts();

    abstract HeldLock lock();
}
