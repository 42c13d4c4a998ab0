/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

/** The state of a process's warm-up, the rehearsal of its first takeover. */
public enum WarmUp {
    /** The warm-up is not done yet; a takeover before it is done takes longer. */
    PENDING,
    DONE,
    /** The log says why; the first takeover takes longer. */
    FAILED
}
