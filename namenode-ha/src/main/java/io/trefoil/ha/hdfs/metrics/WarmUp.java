/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

/** How far a process is with its warm-up, the rehearsal of its first takeover. */
public enum WarmUp {
    /** Not yet; a takeover in the meantime takes longer. */
    PENDING,
    DONE,
    /** The log says why; the first takeover takes longer. */
    FAILED
}
