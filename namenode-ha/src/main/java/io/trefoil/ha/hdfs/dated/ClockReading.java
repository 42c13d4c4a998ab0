/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.dated;

import com.google.auto.value.AutoValue;
import java.util.UUID;

/** A reading of the clock of one process: it can only be compared with other times of that process. Immutable. */
@AutoValue
abstract class ClockReading {

    static ClockReading of(UUID process, long nanos) {
        return new AutoValue_ClockReading(process, nanos);
    }

    /** The process whose clock was read; another one after a restart, and after the host slept. */
    abstract UUID process();

    /** The value of {@code System.nanoTime} in that process. */
    abstract long nanos();

    final ClockReading plusNanos(long nanos) {
        return of(process(), nanos() + nanos);
    }
}
