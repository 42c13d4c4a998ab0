/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.hdfs.tree.ParallelCaller;
import io.trefoil.federation.move.progress.MoveCounts;

/** The threads, counts and lock that all connections of one move share. */
@AutoValue
abstract class MoveContext {

    static MoveContext of(ParallelCaller parallel, MoveCounts counts, MoveLock lock) {
        return new AutoValue_MoveContext(parallel, counts, lock);
    }

    abstract ParallelCaller parallel();

    abstract MoveCounts counts();

    abstract MoveLock lock();
}
