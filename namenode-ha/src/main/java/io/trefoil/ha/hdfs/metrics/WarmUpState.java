/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

/** The state of a process's warm-up, the rehearsal of its first takeover. */
public enum WarmUpState {
    /** The warm-up has not finished yet; a takeover before that takes longer. */
    PENDING,
    DONE,
    /** The warm-up failed, for a reason given in the log; the first takeover takes longer. */
    FAILED
}
